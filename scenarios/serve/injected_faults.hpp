#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/api/result.hpp"
#include "sim/http/http_front.hpp"
#include "sim/network/server_host.hpp"
#include "sim/story/options.hpp"

namespace watchlab::scenarios {

class ServedStory;
class PostedStories;

/// How many faults may be in place at a time, and how many a story may have that is posted: each is
/// asked about each message.
inline constexpr std::size_t kFaultsMax = 1'000;

/// A fault as scenario files write it, `close_watch` or `{cut_watch: {of: kubectl, times: 1}}`, in
/// YAML or JSON. Fails with a 400 Status that says what is wrong, and the name that was meant.
[[nodiscard]] api::Result<sim::FaultSketch> fault_from(std::string_view text);

/// The faults that were put in place from outside, by their numbers and names. One thread.
class InjectedFaults {
 public:
  explicit InjectedFaults(std::shared_ptr<sim::ServerHost> host) : host_(std::move(host)) {}

  /// Puts a fault in place and describes it, as JSON; `note` says that it finds no open stream to
  /// act on, or that its client has asked nothing while others have. Takes the place of one of its
  /// name that is over. Fails with a Status: 400 for what is no fault, 409 for a name that is
  /// taken, 429 where as many are in place as may be.
  [[nodiscard]] api::Result<std::string> add(std::string_view text);
  /// Heals the fault of that number or name. False when there is none.
  bool heal(std::string_view which);
  /// Heals all, and returns how many.
  std::size_t heal_all();
  /// By what names those in place are healed.
  [[nodiscard]] std::vector<std::string> names() const;
  /// Those in place, in their order, as the JSON of a list.
  [[nodiscard]] std::string list();
  /// All faults that there are, with their parameters, as the JSON of a list.
  [[nodiscard]] static std::string catalogue();

 private:
  struct Placed {
    sim::FaultId id = 0;
    std::string as;  ///< by what name it is healed
    sim::FaultSketch sketch;
  };
  void heal_what_is_over();
  /// Whether it has acted as often as it was to, and does nothing more.
  [[nodiscard]] bool is_over(const Placed& placed);
  /// How many messages it has touched; 1 for one that changed the servers.
  [[nodiscard]] std::int64_t acted(const Placed& placed);
  [[nodiscard]] std::string describe(const Placed& placed, const std::string& note = "");

  std::shared_ptr<sim::ServerHost> host_;
  std::vector<Placed> placed_;
};

/// What there is beside a server that is controlled from outside.
struct ControlPageOptions {
  const ServedStory* story = nullptr;  ///< that the server plays; it outlives the pages
  std::shared_ptr<PostedStories> stories = nullptr;  ///< takes new stories
};

/// The pages below /watchlab/v1, by which any program breaks a server and looks into it
/// (docs/serve.md): `faults`, `fault-types`, `stories`, `exchanges` and `objects`. The front must
/// outlive what this returns.
[[nodiscard]] sim::PageSource control_pages(sim::HttpFront& front,
                                            ControlPageOptions controlled = {});

}  // namespace watchlab::scenarios
