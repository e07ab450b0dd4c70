#include <boost/test/unit_test.hpp>
#include <string>

#include "sim/apiserver/applied_fields.hpp"
#include "sim/apiserver/managed_fields.hpp"

using namespace watchlab::sim;

BOOST_AUTO_TEST_SUITE(field_set_test)

namespace {

const FieldPath kElement{"f:spec", "f:ports", R"(k:{"containerPort":80})"};
const FieldPath kHost{"f:spec", "f:ports", R"(k:{"containerPort":80})", "f:host"};
const FieldPath kData{"f:data"};

FieldSet set_of(std::initializer_list<FieldPath> paths) {
  FieldSet set;
  for (const FieldPath& path : paths) {
    set.insert(path);
  }
  return set;
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_set_is_written_as_nested_objects_and_read_back) {
  const FieldSet set = set_of({kElement, kHost, kData});
  const std::string text =
      R"({"f:data":{},"f:spec":{"f:ports":{"k:{\"containerPort\":80}":{".":{},"f:host":{}}}}})";
  BOOST_TEST(set.to_json() == text);
  BOOST_TEST((FieldSet::from_json(text) == set));
}

BOOST_AUTO_TEST_CASE(what_is_no_set_reads_as_an_empty_one) {
  for (const char* text : {"", "[", "7", "{}", R"({"f:a":1})"}) {
    BOOST_TEST(FieldSet::from_json(text).empty());
  }
  BOOST_TEST(FieldSet().to_json() == "{}");
}

BOOST_AUTO_TEST_CASE(paths_are_written_as_messages_write_them) {
  BOOST_TEST(path_text(kHost) == ".spec.ports[containerPort=80].host");
  BOOST_TEST(path_text({"f:metadata", "f:finalizers", R"(v:"x.io/a")"}) ==
             R"(.metadata.finalizers[="x.io/a"])");
  BOOST_TEST(path_text({"f:env", R"(k:{"name":"A","of":"b"})"}) == R"(.env[name="A",of="b"])");
}

BOOST_AUTO_TEST_CASE(a_set_reaches_what_leads_to_its_fields) {
  const FieldSet set = set_of({kHost});
  BOOST_TEST(set.reaches({"f:spec"}));
  BOOST_TEST(set.reaches(kHost));
  BOOST_TEST(!set.contains(kElement));
  BOOST_TEST(!set.reaches({"f:spec", "f:port"}));
  BOOST_TEST(!set.reaches(kData));
}

BOOST_AUTO_TEST_CASE(sets_are_added_subtracted_and_compared_field_by_field) {
  FieldSet set = set_of({kElement, kHost});
  set.add(set_of({kData}));
  BOOST_TEST((set == set_of({kElement, kHost, kData})));
  set.subtract(set_of({kElement}));
  BOOST_TEST((set == set_of({kHost, kData})));
  BOOST_TEST((set.shared_with(set_of({kData, kElement})) == set_of({kData})));
}

/// Comparing each with each would take minutes.
BOOST_AUTO_TEST_CASE(long_lists_are_applied_and_compared_by_an_index) {
  constexpr int kCount = 100'000;
  std::string texts;
  std::string reversed;
  for (int i = 0; i < kCount; ++i) {
    texts += (i == 0 ? "\"n" : ",\"n") + std::to_string(i) + "\"";
    reversed += (i == 0 ? "\"n" : ",\"n") + std::to_string(kCount - 1 - i) + "\"";
  }
  const std::string object = R"({"metadata":{"finalizers":[)" + texts + "]}}";
  const std::string wanted = R"({"metadata":{"finalizers":[)" + reversed + "]}}";
  BOOST_CHECK(with_configuration(object, wanted) == wanted);
  BOOST_TEST(field_changes(object, wanted, false).none());
}

BOOST_AUTO_TEST_SUITE_END()
