#pragma once

#include <string>
#include <string_view>

namespace watchlab::course {

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
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <fstream>
#include <random>
#include <stdexcept>
#include <string>
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
