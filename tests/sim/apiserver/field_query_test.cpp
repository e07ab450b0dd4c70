#include <boost/test/unit_test.hpp>
#include <string>
#include <utility>
#include <vector>

#include "sim/apiserver/object_filter.hpp"

using namespace watchlab::sim;
using watchlab::api::Object;

BOOST_AUTO_TEST_SUITE(field_query_test)

namespace {

Object pod() {
  Object object{.metadata = {.name = "demo", .namespace_ = "default"}};
  object.body = R"({"spec":{"nodeName":"n1","hostNetwork":true},"status":{"phase":"Running"}})";
  return object;
}

}  // namespace

BOOST_AUTO_TEST_CASE(fields_are_found_in_metadata_and_body) {
  for (const char* selector :
       {"", "metadata.name=demo", "metadata.name==demo", "metadata.namespace=default",
        "metadata.name!=other", "status.phase=Running", "spec.hostNetwork=true",
        "spec.nodeName=n1,status.phase!=Failed", "spec.absent=", "spec.absent!=x"}) {
    BOOST_TEST_CONTEXT(selector) { BOOST_TEST(FieldQuery::parse(selector)->matches(pod())); }
  }
  for (const char* selector :
       {"metadata.name=other", "metadata.name!=demo", "status.phase=Failed", "spec.absent=x",
        "spec.nodeName=n1,metadata.name=other", "metadata.name=other,spec.nodeName=n1",
        "metadata.name=dem", "metadata.name=demo2", "status.phase=Run", "spec.nodeName!=n1"}) {
    BOOST_TEST_CONTEXT(selector) { BOOST_TEST(!FieldQuery::parse(selector)->matches(pod())); }
  }
}

BOOST_AUTO_TEST_CASE(a_filter_shows_one_namespace_and_none_whose_name_it_begins) {
  const ResourceType pods{.resource = {"", "v1", "pods"}, .kind = "Pod"};
  for (const auto& [name, shown] :
       std::vector<std::pair<std::string, bool>>{{"default", true}, {"def", false}, {"", true}}) {
    const auto filter = ObjectFilter::from(pods, name, {});
    BOOST_REQUIRE(filter.ok());
    BOOST_TEST(filter->matches(pod()) == shown, name);
  }
}

BOOST_AUTO_TEST_CASE(a_flag_that_is_unset_is_false) {
  const Object node{.body = R"({"spec":{}})"};
  BOOST_TEST(FieldQuery::parse("spec.unschedulable=false")->matches(node));
  BOOST_TEST(!FieldQuery::parse("spec.unschedulable=true")->matches(node));
  const Object cordoned{.body = R"({"spec":{"unschedulable":true}})"};
  BOOST_TEST(!FieldQuery::parse("spec.unschedulable=false")->matches(cordoned));
}

BOOST_AUTO_TEST_CASE(a_value_can_hold_what_separates_terms) {
  Object object = pod();
  object.body = R"({"note":"a,b=c\\d"})";
  BOOST_TEST(FieldQuery::parse(R"(note=a\,b\=c\\d)")->matches(object));
}

BOOST_AUTO_TEST_CASE(what_is_no_selector_is_a_bad_request) {
  for (const char* text : {"metadata.name", "=x", "!=x", "a=b=c", "a=\\", "a=\\b"}) {
    BOOST_TEST_CONTEXT(text) {
      const auto selector = FieldQuery::parse(text);
      BOOST_REQUIRE(!selector.ok());
      BOOST_TEST(selector.error().status.code == 400);
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()
