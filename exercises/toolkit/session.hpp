#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "exercises/toolkit/protocol.hpp"

namespace watchlab::course {

/// The test program's side of the protocol: its settings, and the way its reports go. There is one
/// in a program, because neither Boost.Test nor the C library can hand it to the code that needs
/// it. Hidden: a student's code that is loaded beside the toolkit cannot name it.
class [[gnu::visibility("hidden")]] Session {
 public:
  /// The program's own. The first call reads the settings and closes their pipe. It comes when the
  /// toolkit is loaded, or, in a program that loads a suite itself, before it does so: no code of
  /// the student has run.
  static Session& of_program();

  [[nodiscard]] const RunSettings& settings() const { return settings_; }
  /// Whether a grader listens.
  [[nodiscard]] bool is_graded() const { return !settings_.nonce.empty(); }

  /// Whether it is a student's tests that this program runs for a grader: worlds and the library
  /// under test are in another process then.
  [[nodiscard]] bool is_suite() const { return is_graded() && !settings_.judges; }

  /// Does nothing when no grader listens.
  void report(const Message& message);

  /// What a case asks for that makes it depend on more than the library under test: "the time". Is
  /// reported once a case, and only between `begin` and `end`.
  void note_asked(const char* what);

  void begin(const std::string& name);
  void end(bool passed, std::string_view log);

 private:
  Session();

  RunSettings settings_;
  std::size_t reported_ = 0;
  bool in_case_ = false;
  std::string asked_;
};

}  // namespace watchlab::course
