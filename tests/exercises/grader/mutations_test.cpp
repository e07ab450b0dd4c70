#include "exercises/programs/mutations.hpp"

#include <boost/test/unit_test.hpp>
#include <string>
#include <vector>

namespace watchlab::course {

BOOST_AUTO_TEST_SUITE(mutations_test)

namespace {

constexpr const char* kSource = R"(// It is a < b, or not.
#include <map>
class Line {
  void push(int number) {
    const runtime::Lock lock(mutex_);
    while (numbers_.size() >= most_ && !is_closed_) {
      changed_.wait(lock);
    }
    numbers_.push_back(number);
    return changed_.notify_all();
  }
  int most_ = 1;
};
)";

std::vector<std::string> changes() {
  std::vector<std::string> all;
  for (const Mutation& mutation : mutations_of(kSource)) {
    all.push_back(std::to_string(mutation.line) + ": " + mutation.what);
  }
  return all;
}

}  // namespace

BOOST_AUTO_TEST_CASE(statements_and_conditions_are_changed_and_nothing_else) {
  const std::string loop = "while (numbers_.size() >= most_ && !is_closed_) {";
  const std::vector<std::string> expected{
      "5: const runtime::Lock lock(mutex_); -> nothing",
      "6: " + loop + " -> while (numbers_.size() > most_ && !is_closed_) {",
      "6: " + loop + " -> while (numbers_.size() >= most_ || !is_closed_) {",
      "6: " + loop + " -> if (numbers_.size() >= most_ && !is_closed_) {",
      "7: changed_.wait(lock); -> nothing",
      "9: numbers_.push_back(number); -> nothing",
      "10: return changed_.notify_all(); -> return changed_.notify_one();"};
  BOOST_TEST(changes() == expected, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(each_has_the_whole_source_with_one_line_changed) {
  const Mutation last = mutations_of(kSource).back();
  std::string expected = kSource;
  expected.replace(expected.find("notify_all"), 10, "notify_one");
  BOOST_TEST(last.text == expected);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace watchlab::course
