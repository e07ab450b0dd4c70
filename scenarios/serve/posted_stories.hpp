#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/api/result.hpp"
#include "scenarios/language/scenario.hpp"
#include "sim/http/http_server.hpp"

namespace watchlab::scenarios {

/// Stories that are started from outside, while the program serves: each has a server of its own,
/// on a port and a thread of its own. When it is over all of that is given back, and what came of
/// it is kept, of the last ones, as text. One thread uses it.
class PostedStories {
 public:
  /// `place` is where the servers listen, each on a free port; `token` what their clients must
  /// show, "" for nothing; `tasks_max` how many tasks the clients of all stories may have at a
  /// time; `on_over` is called, on some thread, when one is over and all of it is given back.
  PostedStories(sim::HttpServerOptions place, std::string token, std::size_t tasks_max,
                std::function<void()> on_over = {});
  PostedStories(const PostedStories&) = delete;
  PostedStories& operator=(const PostedStories&) = delete;
  /// Ends those that are played.
  ~PostedStories();

  /// Begins a story, which is the text of a scenario file, and describes it, as JSON, with a
  /// kubeconfig for its clients. One that is over gives its name to the next. Fails with a Status:
  /// 400 for what is no scenario or cannot be served, 409 for a story that is played, 429 for too
  /// many, or too large ones, and where the system refuses threads or files: then nothing of it is
  /// left.
  [[nodiscard]] api::Result<std::string> begin(const std::string& text);
  /// A story by its name, as JSON: `state` is running, held or failed. "" when there is none.
  [[nodiscard]] std::string describe(std::string_view name);
  /// In the order of their beginnings.
  [[nodiscard]] std::vector<std::string> names() const;
  /// All of them, in the order of their beginnings, as JSON with commas between them.
  [[nodiscard]] std::string describe_all();
  /// Says that nothing more comes from outside, so that the story comes to its end, and describes
  /// it; "" when there is none.
  [[nodiscard]] std::string end(std::string_view name);

 private:
  class Playing;
  void clear();
  [[nodiscard]] Playing* find(std::string_view name) const;
  [[nodiscard]] std::string refusal_of_size(const Scenario& scenario) const;

  sim::HttpServerOptions place_;
  std::string token_;
  std::size_t tasks_max_;
  std::function<void()> on_over_;
  std::vector<std::unique_ptr<Playing>> stories_;
};

}  // namespace watchlab::scenarios
