#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "core/runtime/time.hpp"
#include "scenarios/command_line/console.hpp"

/// The commands that take real sockets. They are linked into `watchlab-serve` only: in `watchlab`,
/// which runs the first story and is small, each of these functions becomes that program, which is
/// called in the same way.
namespace watchlab::scenarios {

/// What `watchlab serve` is given.
struct ServeArguments {
  CommonOptions common;
  std::string story;  ///< a scenario, by path or name; "" for none
  std::string listen = "127.0.0.1:0";
  std::optional<std::string> token;  ///< what clients must show
  bool tls = false;
  std::string kubeconfig;   ///< a file to write; "" for none
  std::string record;       ///< likewise
  std::string controllers;  ///< "all", "none" or names with commas; "" as the story says
  runtime::Duration after = std::chrono::seconds(1);  ///< how long pods take to be ready
  std::size_t tasks_max = 2'000;                      ///< of the stories that are posted to it
  std::size_t store_max = 2'048;                      ///< for the objects of each server, in MiB
  std::vector<std::string> command;
};

/// Serves until the command has ended, the story is over, or a signal comes; returns the exit
/// status. Throws `std::invalid_argument` for an address that is none, or that others reach without
/// a token.
[[nodiscard]] int serve(const ServeArguments& arguments, Console& console);

/// What `watchlab serve-report` is given.
struct ServeReportArguments {
  CommonOptions common;
  std::string name;
  std::string schedule;
  std::size_t port = 0;
  bool terminal = false;
};

/// Serves the page of a run until a signal comes, or plays a level in the terminal; returns the
/// exit status. Throws `std::invalid_argument` for what is no scenario and no level.
[[nodiscard]] int serve_report(const ServeReportArguments& arguments, Console& console);

/// What `watchlab story-from` is given.
struct StoryFromArguments {
  std::string record;
  std::string client;
  std::string output;
};

/// Writes the story of a record; returns the exit status. Throws `std::invalid_argument` for a file
/// that it would overwrite.
[[nodiscard]] int story_from_record(const StoryFromArguments& arguments, Console& console);

/// What `watchlab fault` is given.
struct FaultArguments {
  std::string action;
  std::optional<std::string> fault;
  std::string server;
  std::string kubeconfig;
  bool json = false;
};

/// Adds, lists or heals faults of a running server; returns the exit status. Throws
/// `std::invalid_argument` for a server that is none, and `std::runtime_error` for one that does
/// not answer.
[[nodiscard]] int fault(const FaultArguments& arguments, Console& console);

}  // namespace watchlab::scenarios
