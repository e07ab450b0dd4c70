#include <boost/test/unit_test.hpp>
#include <set>
#include <string>

#include "exercises/grader/cohort.hpp"
#include "tests/exercises/grader/scratch_folder.hpp"

namespace watchlab::course {

BOOST_AUTO_TEST_SUITE(result_names_test)

BOOST_AUTO_TEST_CASE(a_result_is_called_like_its_folder) {
  const ScratchFolder cohort;
  ResultNames names(cohort.path());
  BOOST_TEST(names.name_for("ada") == "ada");
  BOOST_TEST(names.name_for(std::string(200, 'a')) == std::string(200, 'a'));
  BOOST_TEST(names.notes().empty());
}

BOOST_AUTO_TEST_CASE(a_name_that_is_too_long_is_shortened_in_the_same_way_each_time) {
  const ScratchFolder cohort;
  ResultNames names(cohort.path());
  const std::string folder(252, 'a');
  const std::string name = names.name_for(folder);
  BOOST_TEST(name == names.name_for(folder));
  BOOST_TEST(name.starts_with(std::string(200, 'a') + "-"));
  BOOST_TEST_REQUIRE(names.notes().size() == 1);
  BOOST_TEST(names.notes().front().ends_with("the result is " + name + ".json"));
}

BOOST_AUTO_TEST_CASE(no_two_submissions_get_one_name) {
  const ScratchFolder cohort;
  const std::string folder(252, 'a');
  const std::string wanted = ResultNames(cohort.path()).name_for(folder);
  cohort.write(wanted + "/file", "");  // a student who calls a folder like another one's result
  ResultNames names(cohort.path());
  const std::set<std::string> all{names.name_for(folder), names.name_for(wanted),
                                  names.name_for(folder + "b"), names.name_for(folder + "c")};
  BOOST_TEST(all.size() == 4);
}

BOOST_AUTO_TEST_CASE(a_shortened_name_holds_no_part_of_a_character) {
  const ScratchFolder cohort;
  std::string folder = "a";
  while (folder.size() < 250) {
    folder += "é";
  }
  const std::string name = ResultNames(cohort.path()).name_for(folder);
  BOOST_TEST(name.substr(0, name.rfind('-')) == folder.substr(0, 199));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace watchlab::course
