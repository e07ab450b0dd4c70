// One case for each of the student's invariants, under its name.
#include <boost/test/tree/auto_registration.hpp>
#include <boost/test/unit_test.hpp>

#include "exercises/16-state-it/remote.hpp"

namespace watchlab::exercise {
namespace {

const bool registered = [] {
  for (const Invariant& invariant : invariants()) {
    const auto check = [invariant] { course::report_findings(failures_of(invariant)); };
    boost::unit_test::framework::current_auto_test_suite().add(
        boost::unit_test::make_test_case(check, invariant.name, __FILE__, __LINE__));
  }
  return true;
}();

}  // namespace
}  // namespace watchlab::exercise
