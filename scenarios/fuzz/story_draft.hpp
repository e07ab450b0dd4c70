#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "scenarios/language/scenario.hpp"
#include "sim/explore/random_numbers.hpp"

namespace watchlab::scenarios {

/// A story of the fuzzer while it is being generated: the common part of all kinds. The seed
/// determines everything, on every platform, so no expression draws twice if the language leaves
/// the order of the draws open.
class StoryDraft {
 public:
  StoryDraft(const StoryDraft&) = delete;
  StoryDraft& operator=(const StoryDraft&) = delete;

 protected:
  /// A story has to become quiet within this time after its last step.
  static constexpr runtime::Duration kQuietWithin = std::chrono::minutes(30);

  /// `kind` is a word: "storm" makes the story storm_17, "a random storm".
  StoryDraft(std::string_view kind, std::uint64_t seed);
  StoryDraft(std::string name, sim::RandomNumbers numbers);
  ~StoryDraft() = default;

  /// Whether something with a chance of one in `count` happens.
  [[nodiscard]] bool one_in(std::uint32_t count) { return numbers_.below(count) == 0; }
  /// A random duration of one to `limit` milliseconds.
  [[nodiscard]] runtime::Duration up_to(std::uint32_t limit);
  template <typename T, std::size_t count>
  [[nodiscard]] const T& pick(const std::array<T, count>& values) {
    return values.at(numbers_.below(count));
  }

  // Objects, by NAME or NAMESPACE/NAME.

  /// An object that exists from the start.
  void add_object(const std::string& key);
  /// Creates the object if it does not exist; otherwise updates or deletes it.
  [[nodiscard]] Action write(const std::string& key);
  /// Gives labels to an object that is written.
  virtual void add_labels(sim::ObjectSketch&) {}
  /// Whether the next write to an object that exists deletes it.
  [[nodiscard]] virtual bool deletes() { return one_in(3); }

  // Handlers of shared informers, and clients.

  void add_handler(sim::StoryClientOptions& client, sim::StoryHandlerOptions handler);
  /// Adds the last of the handlers outside, or removes the last of those inside.
  void join(Step& step);
  void leave(Step& step);
  void add_client(sim::StoryClientOptions client);
  /// In one of three cases starts a client that has not started.
  void maybe_start(Step& step);
  /// Crashes a running client, which then waits for its start.
  void crash(Step& step, const std::string& client);

  // Faults and the end.

  /// A random fault that ends a watch in such a way that a list must follow.
  [[nodiscard]] static Action expire_streams();
  void add(Step step);
  /// Adds the last step, which also heals all faults and starts the clients that have not started;
  /// omits it if there is nothing to do.
  void add_last(Step step);
  /// The story, which must become quiet after its last step.
  [[nodiscard]] Scenario finished();

  sim::RandomNumbers numbers_;
  Scenario scenario_;
  runtime::Duration length_{0};       ///< of the script so far
  std::vector<std::string> outside_;  ///< handlers that can be added
  std::vector<std::string> inside_;   ///< handlers that can be removed
  std::vector<std::string> lasting_;  ///< faults that the last step heals

 private:
  [[nodiscard]] sim::ObjectSketch state_of(const std::string& key);

  std::set<std::string> existing_;  ///< keys of objects that the server has
  std::set<std::string> waiting_;   ///< clients that have not started
  int turn_ = 0;
};

}  // namespace watchlab::scenarios
