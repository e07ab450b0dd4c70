#pragma once

#include <boost/test/unit_test.hpp>
#include <string>
#include <string_view>

#include "tests/exercises/grader/grading_fixture.hpp"

namespace watchlab::course {

/// Checks that a grade gives nothing, and says `cause`.
inline void is_worth_nothing(const Grade& grade, const std::string& cause) {
  BOOST_TEST(grade.points() == 0);
  const std::string words = words_of(grade);
  BOOST_TEST((words.find(cause) != std::string::npos), words);
}

/// Whether a grade gives what the honest part of `hostile_source` earns: it notices one defect of
/// three, or two.
[[nodiscard]] inline bool is_worth_what_it_notices(const Grade& grade) {
  BOOST_TEST_MESSAGE(words_of(grade));
  return grade.points() > 30 && grade.points() < 70;
}

/// A test file of somebody who means no good: `outside` stands between the includes and the one
/// case, `inside` in the body of the case, which also does what an honest test does.
[[nodiscard]] inline std::string hostile_source(std::string_view inside,
                                                std::string_view outside = "") {
  std::string source = R"(#include <boost/test/unit_test.hpp>
#include <fcntl.h>
#include <netinet/in.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <fstream>
#include <random>
#include <stdexcept>
#include <thread>

#include "core/runtime/task.hpp"
#include "exercises/toolkit/worlds.hpp"
#include "tests/exercises/grader/hostile/90-counter/subject.hpp"

using namespace watchlab::exercise;
using watchlab::runtime::Runtime;
)";
  source += outside;
  source += "\nBOOST_AUTO_TEST_CASE(hostile) {\n";
  source += inside;
  source += R"(
  in_every_world([](Runtime& runtime) {
    const auto counter = make_counter(runtime);
    counter->add();
    expect_equal(counter->value(), 1);
  });
}
)";
  return source;
}

}  // namespace watchlab::course
