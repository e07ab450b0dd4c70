#include "sim/apiserver/json_patch.hpp"

#include <boost/test/unit_test.hpp>
#include <string>
#include <vector>

using namespace watchlab;
using namespace watchlab::sim;

BOOST_AUTO_TEST_SUITE(json_patch_test)

namespace {

constexpr const char* kDocument = R"({"list":["a","b"],"x":{"~":1,"/":2,"~2":3,"00":4}})";

/// The patched document, or the code of the refusal.
std::string patched(const std::string& operation) {
  const api::Result<std::string> result = json_patched(kDocument, "[" + operation + "]");
  return result ? *result : std::to_string(result.error().status.code);
}

std::string at(const std::string& name, const std::string& path) {
  return R"({"op":")" + name + R"(","path":")" + path + R"(","value":"v","from":"/list/0"})";
}

/// A list of that many items.
std::string repeated(const std::string& item, int count) {
  std::string list = "[";
  for (int i = 0; i < count; ++i) {
    list += (i == 0 ? "" : ",") + item;
  }
  return list + "]";
}

/// A document, a patch of it, and what comes of both; "422" when the patch cannot be applied.
struct Row {
  std::string document;
  std::string patch;
  std::string result;
};

void check_rows(const std::vector<Row>& rows,
                api::Result<std::string> (*how)(const std::string&, const std::string&)) {
  for (const Row& row : rows) {
    const api::Result<std::string> result = how(row.document, row.patch);
    const std::string text = result ? *result : std::to_string(result.error().status.code);
    BOOST_TEST_CONTEXT(row.document << " and " << row.patch) { BOOST_TEST(text == row.result); }
  }
}

// What RFC 6902 says of each operation.
const std::vector<Row> kOperations{
    {R"({"a":1})", R"([{"op":"add","path":"/b","value":2}])", R"({"a":1,"b":2})"},
    {R"({"a":1})", R"([{"op":"add","path":"/a","value":{"c":2}}])", R"({"a":{"c":2}})"},
    {R"({"a":[1,3]})", R"([{"op":"add","path":"/a/1","value":2}])", R"({"a":[1,2,3]})"},
    {R"({"a":[1]})", R"([{"op":"add","path":"/a/-","value":[2]}])", R"({"a":[1,[2]]})"},
    // Of the whole document, what evanphx/json-patch v4 does, which real servers use.
    {R"({"a":1})", R"([{"op":"replace","path":"","value":{"b":2}}])", R"({"b":2})"},
    {R"({"a":1})", R"([{"op":"test","path":"","value":{"a":1}}])", R"({"a":1})"},
    {R"({"a":1})", R"([{"op":"replace","path":"","value":[1]}])", "422"},
    {R"({"a":1})", R"([{"op":"replace","path":"","value":5}])", "422"},
    {R"({"a":1})", R"([{"op":"replace","path":"","value":null}])", "422"},
    {R"({"a":1})",
     R"([{"op":"replace","path":"","value":5},{"op":"replace","path":"","value":{}}])", "422"},
    {R"({"a":1})",
     R"([{"op":"replace","path":"","value":[{"b":2}]},{"op":"replace","path":"","value":{}}])",
     "{}"},
    {R"({"a":1})", R"([{"op":"add","path":"","value":{"b":2}}])", "422"},
    {R"({"a":1})", R"([{"op":"remove","path":""}])", "422"},
    {R"({"a":{}})", R"([{"op":"copy","from":"/a","path":""}])", "422"},
    {R"({"a":{}})", R"([{"op":"move","from":"/a","path":""}])", "422"},
    {R"({"a":1})", R"([{"op":"copy","from":"","path":"/b"}])", "422"},
    {R"({"a":1})", R"([{"op":"move","from":"","path":"/b"}])", "422"},
    {R"({"a":1})", R"([{"op":"add","path":"/b/c","value":2}])", "422"},
    {R"({"a":1})", R"([{"op":"add","path":"/b","value":null}])", R"({"a":1,"b":null})"},
    {R"({"a":1,"b":2})", R"([{"op":"remove","path":"/a"}])", R"({"b":2})"},
    {R"({"a":[1,2,3]})", R"([{"op":"remove","path":"/a/1"}])", R"({"a":[1,3]})"},
    {R"({"a":1})", R"([{"op":"remove","path":"/b"}])", "422"},
    {R"({"a":[1,2]})", R"([{"op":"replace","path":"/a/0","value":3}])", R"({"a":[3,2]})"},
    {R"({"a":1})", R"([{"op":"replace","path":"/b/c","value":3}])", "422"},
    {R"({"a":[1]})", R"([{"op":"replace","path":"/a/1","value":3}])", "422"},
    {R"({"a":{"b":1},"c":{}})", R"([{"op":"move","from":"/a/b","path":"/c/d"}])",
     R"({"a":{},"c":{"d":1}})"},
    {R"({"a":[1,2,3]})", R"([{"op":"move","from":"/a/0","path":"/a/2"}])", R"({"a":[2,3,1]})"},
    {R"({"a":{"b":1}})", R"([{"op":"move","from":"/a","path":"/a/b"}])", "422"},
    {R"({"a":{"b":1}})", R"([{"op":"copy","from":"/a","path":"/c"}])",
     R"({"a":{"b":1},"c":{"b":1}})"},
    {R"({"a":1})", R"([{"op":"copy","from":"/b","path":"/c"}])", "422"},
    {R"({"a":[1,{"b":2}]})", R"([{"op":"test","path":"/a","value":[1,{"b":2}]}])",
     R"({"a":[1,{"b":2}]})"},
    {R"({"a":10})", R"([{"op":"test","path":"/a","value":"10"}])", "422"},
    {R"({"a":1})", R"([{"op":"test","path":"/a","value":null}])", "422"},
    {R"({"a":1})", R"([{"op":"test","path":"/a"}])", "422"},
    {R"({"a":[1]})", R"([{"op":"test","path":"/a/1","value":null}])", "422"},
    // What a real server does differently: a member that is not there reads as null (U9).
    {R"({"a":1})", R"([{"op":"replace","path":"/b","value":3}])", R"({"a":1,"b":3})"},
    {R"({"a":1})", R"([{"op":"test","path":"/b","value":null}])", R"({"a":1})"},
    {R"({"a":1})", R"([{"op":"test","path":"/b"}])", R"({"a":1})"},
    {R"({"a":[1,2]})", R"([{"op":"add","path":"/a/-1","value":3}])", R"({"a":[1,2,3]})"},
    {R"({"a":[1,2]})", R"([{"op":"replace","path":"/a/-1","value":3}])", R"({"a":[1,3]})"},
};

// What RFC 7386 says of each kind of member.
const std::vector<Row> kMerges{
    {R"({"a":"b"})", R"({"a":"c"})", R"({"a":"c"})"},
    {R"({"a":"b"})", R"({"b":"c"})", R"({"a":"b","b":"c"})"},
    {R"({"a":"b","b":"c"})", R"({"a":null})", R"({"b":"c"})"},
    {R"({"a":["b"]})", R"({"a":"c"})", R"({"a":"c"})"},
    {R"({"a":"c"})", R"({"a":["b"]})", R"({"a":["b"]})"},
    {R"({"a":{"b":"c"}})", R"({"a":{"b":"d","c":null}})", R"({"a":{"b":"d"}})"},
    {R"({"a":[{"b":"c"}]})", R"({"a":[1]})", R"({"a":[1]})"},
    {R"({"e":null})", R"({"a":1})", R"({"e":null,"a":1})"},
    {R"({})", R"({"a":{"bb":{"ccc":null}}})", R"({"a":{"bb":{}}})"},
    {R"({"a":[1,2]})", R"({"a":{"b":1,"c":null}})", R"({"a":{"b":1}})"},
};

// What upstream's strategic patches do with lists that merge by a key.
const std::vector<Row> kStrategies{
    {R"({"containers":[{"name":"x","image":"1"}]})",
     R"({"containers":[{"name":"y"},{"name":"x","image":"2"}]})",
     R"({"containers":[{"name":"y"},{"name":"x","image":"2"}]})"},
    {R"({"containers":[{"name":"x"},{"name":"y"}]})",
     R"({"containers":[{"name":"x","$patch":"delete"},{"name":"z","$patch":"delete"}]})",
     R"({"containers":[{"name":"y"}]})"},
    {R"({"containers":[{"name":"x"}]})", R"({"containers":null})", R"({})"},
    {R"({"containers":[{"name":"x"}]})", R"({"containers":[]})",
     R"({"containers":[{"name":"x"}]})"},
    // There is nothing to delete from a list that is not there, and no null in a new element.
    {R"({})", R"({"containers":[{"name":"x","$patch":"delete"},{"name":"y","image":null}]})",
     R"({"containers":[{"name":"y"}]})"},
    {R"({})", R"({"spec":{"containers":[{"name":"x","$patch":"delete"}]}})",
     R"({"spec":{"containers":[]}})"},
    {R"({"args":["1","2"]})", R"({"args":["3"]})", R"({"args":["3"]})"},
    // A set: what the patch brings stands first, but for what stood in front of what both have
    // (U9).
    {R"({"finalizers":["2"]})", R"({"finalizers":["1"]})", R"({"finalizers":["1","2"]})"},
    {R"({"finalizers":["1","2"]})", R"({"finalizers":["2"]})", R"({"finalizers":["1","2"]})"},
    {R"({"finalizers":["1","2","3"]})", R"({"finalizers":["4","2","4"]})",
     R"({"finalizers":["4","1","2","3"]})"},
    {R"({"finalizers":["1"]})", R"({"finalizers":null})", R"({})"},
};

}  // namespace

BOOST_AUTO_TEST_CASE(a_strategic_patch_merges_and_deletes_elements_by_their_key) {
  check_rows(kStrategies, strategic_patched);
}

BOOST_AUTO_TEST_CASE(each_operation_changes_what_it_names_and_nothing_else) {
  check_rows(kOperations, json_patched);
}

BOOST_AUTO_TEST_CASE(a_merge_patch_merges_objects_and_replaces_all_other_values) {
  check_rows(kMerges, merge_patched);
  check_rows(kMerges, strategic_patched);
}

BOOST_AUTO_TEST_CASE(an_index_is_what_go_reads_as_a_number) {  // U9
  for (const std::string name : {"add", "replace", "remove"}) {
    for (const std::string index : {"0", "1", "00", "01", "000", "+1", "-1", "-2", "-0"}) {
      BOOST_TEST(patched(at(name, "/list/" + index)).front() == '{', name + " at " + index);
    }
    for (const std::string index : {"+-1", "+", "--1", "-4", "0x0", "1.0", " 1", "1 ", "", "one",
                                    "3", "18446744073709551616", "99999999999999999999"}) {
      BOOST_TEST(patched(at(name, "/list/" + index)) == "422", name + " at " + index);
    }
  }
  BOOST_TEST(patched(at("add", "/list/2")).front() == '{');
  BOOST_TEST(patched(at("add", "/list/-")).front() == '{');
  BOOST_TEST(patched(at("replace", "/list/2")) == "422");
  BOOST_TEST(patched(R"({"op":"move","from":"/list/2","path":"/list/1"})") == "422");
  // In an object the same text is a name like any other.
  BOOST_TEST(patched(R"({"op":"test","path":"/x/00","value":4})").front() == '{');
}

BOOST_AUTO_TEST_CASE(a_tilde_stands_for_nothing_but_two_signs) {
  BOOST_TEST(patched(R"({"op":"test","path":"/x/~0","value":1})").front() == '{');
  BOOST_TEST(patched(R"({"op":"test","path":"/x/~1","value":2})").front() == '{');
  BOOST_TEST(patched(R"({"op":"test","path":"/x/~02","value":3})").front() == '{');
  for (const std::string path : {"/x/~2", "/x/~", "/~", "/x/~a", "/x/~~", "/x/~/0", "/~2"}) {
    for (const std::string name : {"add", "replace", "remove", "test"}) {
      BOOST_TEST(patched(at(name, path)) == "400", name + " at " + path);
    }
    BOOST_TEST(patched(R"({"op":"copy","path":"/y","from":")" + path + "\"}") == "400", path);
  }
}

BOOST_AUTO_TEST_CASE(a_pointer_begins_with_a_slash) {
  for (const std::string path : {"list", "list/0", "#/list", " /list"}) {
    BOOST_TEST(patched(at("add", path)) == "400", path);
  }
}

BOOST_AUTO_TEST_CASE(a_merge_patch_is_an_object) {
  for (const std::string patch :
       {"[]", R"([{"x":1}])", "null", "true", "5", R"("text")", "", "{", "{}{}"}) {
    for (const auto how : {merge_patched, strategic_patched}) {
      const api::Result<std::string> result = how(kDocument, patch);
      BOOST_REQUIRE_MESSAGE(!result.ok(), patch);
      BOOST_TEST(result.error().status.code == 400, patch);
    }
  }
  BOOST_TEST(merge_patched(kDocument, "{}").ok());
}

BOOST_AUTO_TEST_CASE(copies_that_double_an_object_are_refused_before_they_fill_the_memory) {
  std::string patch;
  for (int i = 0; i < 30; ++i) {
    patch += (i == 0 ? "" : ",") +
             (R"({"op":"copy","from":"/x","path":"/x/c)" + std::to_string(i)) + R"("})";
  }
  BOOST_TEST(patched(patch) == "422");
}

BOOST_AUTO_TEST_CASE(all_copies_of_a_patch_may_add_three_mebibytes) {
  const std::string document = R"({"a":")" + std::string((1U << 20U) - 2, 'x') + R"("})";  // 1 MiB
  const auto copied = [&](int times) {
    std::string patch;
    for (int i = 0; i < times; ++i) {
      patch += (i == 0 ? "[" : ",") +
               (R"({"op":"copy","from":"/a","path":"/b)" + std::to_string(i)) + R"("})";
    }
    const api::Result<std::string> result = json_patched(document, patch + "]");
    return result ? "200" : std::to_string(result.error().status.code);
  };
  BOOST_TEST(copied(3) == "413");  // which is about their result
  BOOST_TEST(copied(4) == "422");
}

BOOST_AUTO_TEST_CASE(a_patch_that_shifts_too_much_is_refused) {
  const std::string document = R"({"x":)" + repeated("{}", 20'000) + "}";
  const std::string item = R"({"op":"add","path":"/x/0","value":{}})";
  const std::vector<std::string> operations{item, R"({"op":"remove","path":"/x/0"})",
                                            R"({"op":"move","from":"/x/0","path":"/x/1"})",
                                            R"({"op":"copy","from":"/x/9","path":"/x/0"})"};
  for (const std::string& each : operations) {
    BOOST_TEST_CONTEXT(each) {
      const auto many = json_patched(document, repeated(each, 1'000));
      BOOST_TEST((!many && many.error().status.code == 422));
      BOOST_TEST(json_patched(document, repeated(each, 200)).ok());
    }
  }
  BOOST_TEST(json_patched(R"({"x":[]})", repeated(item, 3'000)).ok());
}

/// Comparing each with each would take minutes.
BOOST_AUTO_TEST_CASE(long_lists_are_merged_by_an_index) {
  constexpr int kCount = 100'000;
  std::string texts;
  std::string reversed;
  std::string elements;
  for (int i = 0; i < kCount; ++i) {
    const std::string comma = i == 0 ? "" : ",";
    texts += comma + "\"n" + std::to_string(i) + "\"";
    reversed += comma + "\"n" + std::to_string(kCount - 1 - i) + "\"";
    elements += comma + R"({"name":"n)" + std::to_string(i) + "\"}";
  }
  const std::string finalizers = R"({"finalizers":[)" + texts + "]}";
  const std::string containers = R"({"containers":[)" + elements + "]}";
  const auto code = [](const std::string& document, const std::string& patch) {
    const api::Result<std::string> result = strategic_patched(document, patch);
    return result ? *result : std::to_string(result.error().status.code);
  };
  BOOST_CHECK(code(finalizers, R"({"finalizers":[)" + reversed + "]}").starts_with("{"));
  BOOST_CHECK(code(containers, containers) == containers);
  BOOST_TEST(code(finalizers, R"({"$deleteFromPrimitiveList/finalizers":[)" + reversed + "]}") ==
             R"({"finalizers":[]})");
  BOOST_TEST(code(R"({"n0":1,"x":2})", R"({"$retainKeys":[)" + reversed + "]}") == R"({"n0":1})");
}

BOOST_AUTO_TEST_CASE(a_patch_makes_at_most_what_may_be_posted) {
  const std::string half = "\"" + std::string(std::size_t{3} << 19, 'x') + "\"";
  const std::string document = R"({"a":)" + half + "}";
  const std::string copy = R"([{"op":"copy","from":"/a","path":"/b"}])";
  const std::string merge = R"({"b":)" + half + "}";
  const auto code = [](const api::Result<std::string>& result) {
    return result ? 200 : result.error().status.code;
  };
  BOOST_TEST(code(json_patched(document, copy)) == 413);
  BOOST_TEST(code(merge_patched(document, merge)) == 413);
  BOOST_TEST(code(strategic_patched(document, merge)) == 413);
  BOOST_TEST(code(merge_patched(document, R"({"b":"x"})")) == 200);
}

BOOST_AUTO_TEST_CASE(a_patch_has_at_most_ten_thousand_operations) {
  const auto code = [](int count) {
    std::string patch;
    for (int i = 0; i < count; ++i) {
      patch += std::string(i == 0 ? "" : ",") + R"({"op":"test","path":"/none"})";
    }
    const std::string result = patched(patch);
    return result == kDocument ? "200" : result;
  };
  BOOST_TEST(code(10'000) == "200");
  BOOST_TEST(code(10'001) == "413");
}

BOOST_AUTO_TEST_SUITE_END()
