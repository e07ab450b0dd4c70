#include "core/api/object.hpp"

#include <boost/test/unit_test.hpp>
#include <map>
#include <string>
#include <vector>

#include "core/runtime/ensure.hpp"

using namespace watchlab;

BOOST_AUTO_TEST_SUITE(object_test)

BOOST_AUTO_TEST_CASE(a_key_names_the_namespace_if_there_is_one) {
  BOOST_TEST(api::key_of({.name = "a", .namespace_ = "default"}) == "default/a");
  BOOST_TEST(api::key_of({.name = "a-node"}) == "a-node");
}

BOOST_AUTO_TEST_CASE(a_key_can_be_made_without_an_object) {
  BOOST_TEST(api::key_from("default", "a") == "default/a");
  BOOST_TEST(api::key_from("", "a-node") == "a-node");
  const std::string long_name(200, 'n');
  BOOST_TEST(api::key_from("default", long_name) == "default/" + long_name);
  for (std::size_t size = 50; size < 60; ++size) {  // about where the room on the stack ends
    const std::string name(size, 'n');
    BOOST_TEST(api::key_from("default", name) == "default/" + name);
  }
}

BOOST_AUTO_TEST_CASE(labels_are_sorted_however_they_came) {
  api::Labels labels{{"tier", "edge"}, {"app", "web"}, {"tier", "core"}};
  labels["example.com/team"] = "a";
  std::string seen;
  for (const auto& [key, text] : labels) {
    seen += key + "=" + text + " ";
  }
  BOOST_TEST(seen == "app=web example.com/team=a tier=edge ");  // of one key the first counts
  BOOST_TEST((labels == api::Labels{{"example.com/team", "a"}, {"app", "web"}, {"tier", "edge"}}));
}

BOOST_AUTO_TEST_CASE(labels_are_set_one_by_one_as_in_a_map) {
  std::map<std::string, std::string> expected;
  api::Labels labels;
  for (const char* const key : {"m", "a", "z", "", "mm", "m", "a", "z", "long key of a label"}) {
    const std::string text = key + std::to_string(labels.size());
    expected[key] = text;
    labels[key] = text;
    BOOST_TEST((std::map<std::string, std::string>(labels.begin(), labels.end()) == expected));
    BOOST_TEST(
        (labels == api::Labels(std::vector<api::Labels::Entry>(expected.begin(), expected.end()))));
  }
}

BOOST_AUTO_TEST_CASE(a_label_takes_the_text_of_another) {
  api::Labels labels{{"app", "web"}, {"tier", "longer than seven"}};
  labels["app"] = labels["tier"];
  labels["zone"] = labels["app"];
  labels["tier"] = labels["none"];
  BOOST_TEST(
      (labels ==
       api::Labels{{"app", "longer than seven"}, {"tier", ""}, {"zone", "longer than seven"}}));
  const api::Labels before = labels;
  labels["app"] = labels["app"];
  BOOST_TEST((labels == before));
}

BOOST_AUTO_TEST_CASE(a_label_is_found_changed_and_erased_by_its_key) {
  api::Labels labels{{"app", "web"}, {"tier", "edge"}};
  BOOST_TEST(labels.contains("app"));
  BOOST_TEST(!labels.contains("ap"));
  BOOST_TEST((labels.find("zone") == labels.end()));
  labels["app"] = "shop";
  BOOST_TEST(labels.at("app") == "shop");
  BOOST_TEST(api::TextView(labels["zone"]).empty());
  BOOST_CHECK_THROW(static_cast<void>(labels.at("zone")), runtime::EnsureFailed);
  BOOST_TEST(labels.size() == 2U);
  labels["zone"] = "";
  BOOST_TEST(labels.size() == 3U);
  BOOST_TEST(labels.erase("app"));
  BOOST_TEST(!labels.erase("app"));
  BOOST_TEST(labels.size() == 2U);
  labels.clear();
  BOOST_TEST(labels.empty());
}

BOOST_AUTO_TEST_SUITE_END()
