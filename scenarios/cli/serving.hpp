#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/runtime/time.hpp"
#include "scenarios/command_line/console.hpp"
#include "scenarios/serve/story_desk.hpp"

namespace watchlab::scenarios {

/// What `watchlab serve` is given.
struct ServeArguments {
  CommonOptions common;
  std::string story;  ///< a scenario, by path or name; "" for none
  std::string listen = "127.0.0.1:0";
  std::optional<std::string> token;  ///< what clients must show
  bool tls = false;
  std::string kubeconfig;      ///< a file to write; "" for none
  std::string record;          ///< likewise
  std::string pods;            ///< "become-ready", or "" for pods that stay as they are
  runtime::Duration after{0};  ///< how long pods need for that
  std::size_t tasks_max = StoryDesk::kTasksMax;  ///< of the stories that are posted to it
  std::vector<std::string> command;
};

/// Serves until the command has ended, the story is over, or a signal comes; returns the exit
/// status. Throws `std::invalid_argument` for an address that is none, or that others reach without
/// a token.
[[nodiscard]] int serve(const ServeArguments& arguments, Console& console);

}  // namespace watchlab::scenarios
