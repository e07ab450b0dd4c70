// The limits that hold are those that docs/sandbox.md names; other tests show, with smaller
// ones, that each is kept.
#include <fmt/format.h>

#include <boost/test/unit_test.hpp>
#include <string>

#include "exercises/grader/grading.hpp"
#include "exercises/grader/test_run.hpp"
#include "exercises/programs/texts.hpp"
#include "exercises/sandbox/sandbox.hpp"
#include "exercises/toolkit/protocol.hpp"
#include "tests/exercises/grader/grading_fixture.hpp"

namespace watchlab::course {

BOOST_AUTO_TEST_SUITE(limits_test)

BOOST_AUTO_TEST_CASE(the_page_names_the_limits_that_hold) {
  const std::string page = read_whole(toolchain_of_tests().root / "docs/sandbox.md");
  const Confinement confinement;
  for (const std::string& limit :
       {fmt::format("({} GiB of address space)", confinement.memory_bytes >> 30U),
        fmt::format("{} GiB of memory", confinement.resident_bytes >> 30U),
        fmt::format("write {} MiB", confinement.received_bytes >> 20U),
        fmt::format("report {} KiB", kReportBytesMax >> 10U), fmt::format("{} tests", kTestsMax),
        fmt::format("{} bytes", kSubjectBytesMax),
        fmt::format("takes {} s on the clock", GradingRequest().time_max.count()),
        fmt::format("{} KiB of words", kCaseTextBytesMax >> 10U)}) {
    BOOST_TEST((page.find(limit) != std::string::npos), limit);
  }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace watchlab::course
