#include "scenarios/serve/yaml_body.hpp"

#include <boost/json.hpp>
#include <boost/test/unit_test.hpp>
#include <string>
#include <utility>
#include <vector>

using namespace watchlab;
using namespace watchlab::scenarios;

BOOST_AUTO_TEST_SUITE(yaml_body_test)

namespace {

namespace json = boost::json;

/// As JSON with sorted members; "400" when it is refused.
std::string read(const std::string& yaml) {
  const api::Result<sim::ReadBody> text = json_from_yaml(yaml);
  return text ? text->json : std::to_string(text.error().status.code);
}

/// Whether both are the same JSON, in whatever order.
bool is_same(const std::string& one, const std::string& other) {
  return one == other || (one != "400" && other != "400" && json::parse(one) == json::parse(other));
}

}  // namespace

// As sigs.k8s.io/yaml 1.6.0 (yaml.v2 2.4.2) reads them.
BOOST_AUTO_TEST_CASE(values_are_those_of_a_real_server) {
  const std::vector<std::pair<std::string, std::string>> values{
      {"yes", "true"},
      {"Yes", "true"},
      {"yEs", R"("yEs")"},
      {"On", "true"},
      {"OFF", "false"},
      {"y", "true"},
      {"N", "false"},
      {"TRUE", "true"},
      {"tRue", R"("tRue")"},
      {"Null", "null"},
      {"~", "null"},
      {"", "null"},
      {"nil", R"("nil")"},
      {"'yes'", R"("yes")"},
      {"\"on\"", R"("on")"},
      {"|\n  yes", R"("yes")"},
      {">-\n  a\n  b", R"("a b")"},
      {"+1", "1"},
      {"0777", "511"},
      {"-017", "-15"},
      {"08", "8"},
      {"0o17", "15"},
      {"-0b11", "-3"},
      {"0b2", R"("0b2")"},
      {"+0x1F", "31"},
      {"0X1f", "31"},
      {"0x", R"("0x")"},
      {"0x-1", R"("0x-1")"},
      {"--1", R"("--1")"},
      {"+-1", R"("+-1")"},
      {"1_000", "1000"},
      {"1_", "1"},
      {"_1", R"("_1")"},
      {"1e3", "1000"},
      {"1.5e+3", "1500"},
      {"1.", "1"},
      {"-.5", "-0.5"},
      {".", R"(".")"},
      {"-", "400"},
      {"+", R"("+")"},
      {"1.10", "1.1"},
      {"1.2.3", R"("1.2.3")"},
      {"18446744073709551615", "18446744073709551615"},
      {"-9223372036854775809", "-9.223372036854775809e18"},
      {"100000000000000000000", "1e20"},
      {"1e400", R"("1e400")"},
      {"1e-400", "0"},
      {"0x1p4", R"("0x1p4")"},
      {"Infinity", R"("Infinity")"},
      {"nan", R"("nan")"},
      {".inf", "400"},
      {"-.INF", "400"},
      {".nan", "400"},
      {"190:20:30", R"("190:20:30")"},
      {"2001-12-14", R"("2001-12-14")"},
      {"<<", R"("<<")"},
      {"a::b", R"("a::b")"},
      {"!!str yes", R"("yes")"},
      {"!!str null", R"("null")"},
      {"!!int '1'", "1"},
      {"!!int x", "400"},
      {"!!bool 'yes'", "true"},
      {"!!float 1", "1"},
      {"!!null ''", "null"},
      {"!!null x", "400"},
      {"!!binary aGVsbG8=", R"("hello")"},
      {"!!binary '?'", "400"},
      {"!!timestamp 2001-12-14", R"("2001-12-14")"},
      {"!!timestamp x", "400"},
      {"!foo x", R"("x")"},
      {"!foo {a: on}", R"({"a":true})"},
      {"! 1", R"("1")"},
      {"!", R"("")"},
      {"!!set {a, b}", R"({"a":null,"b":null})"},
      {"[on, [off], {a: n}]", R"([true,[false],{"a":false}])"},
      {"{\"a\":b}", R"({"a":"b"})"},
      {"@b", "400"},
      {"`b", "400"},
      {"[b", "400"},
      {"\"\\q\"", "400"},
      {"\"\\x41\\u00e9\"", R"("Aé")"},
      {"b#c", R"("b#c")"},
      {"b #c", R"("b")"},
      {"*nope", "400"},
      {"a\ab", "400"},
      {"a\x7f", "400"},
      {"a\xc2\x80", "400"},
      {"\xff", "400"},
      {"\xef\xbf\xbe", "400"},
      {"\xf0\x9f\x98\x80", "\"\xf0\x9f\x98\x80\""},
  };
  for (const auto& [yaml, wanted] : values) {
    const std::string body = wanted == "400" ? wanted : R"({"k":)" + wanted + "}";
    const std::string got = read("k: " + yaml);
    BOOST_TEST(is_same(got, body), yaml << " is " << got);
  }
}

BOOST_AUTO_TEST_CASE(documents_are_those_of_a_real_server) {
  const std::vector<std::pair<std::string, std::string>> documents{
      {"yes: v", R"({"true":"v"})"},
      {"off: v", R"({"false":"v"})"},
      {"0x10: v", R"({"16":"v"})"},
      {"1.5: v", R"({"1.5":"v"})"},
      {"1e3: v", R"({"1000":"v"})"},
      {"1000000.5: v", R"({"1.0000005e+06":"v"})"},
      {"0.00001: v", R"({"1e-05":"v"})"},
      {"-0.0: v", R"({"-0":"v"})"},
      {"1e6: v", R"({"1e+06":"v"})"},
      {"1e300: v", R"({".inf":"v"})"},
      {".nan: v", R"({".nan":"v"})"},
      {"'1': v", R"({"1":"v"})"},
      {"'': v", R"({"":"v"})"},
      {"~: v", "400"},
      {"18446744073709551615: v", "400"},
      {"[a]: v", "400"},
      {"{a: 1}: v", "400"},
      {"? a\n: b", R"({"a":"b"})"},
      {"k: 1\nk: 2", R"({"k":2})"},
      {"yes: 1\ntrue: 2", R"({"true":2})"},
      {"a: &x {k: yes}\nb: *x", R"({"a":{"k":true},"b":{"k":true}})"},
      {"a: &x 1\na2: &x 2\nb: *x", R"({"a":1,"a2":2,"b":2})"},
      {"a: &x\nb: *x", R"({"a":null,"b":null})"},
      {"&x a: 1\nb: *x", R"({"a":1,"b":"a"})"},
      {"a: &x k\n*x : 1", R"({"a":"k","k":1})"},
      {"a: *x\nb: &x 1", "400"},
      {"a: &x [*x]", "400"},
      {"a: &x {k: *x}", "400"},
      {"a: &x {k: 1, j: 2}\nb: {<<: *x, k: 3}", R"({"a":{"k":1,"j":2},"b":{"j":2,"k":3}})"},
      {"a: &x {k: 1, j: 2}\nb: {k: 3, <<: *x}", R"({"a":{"k":1,"j":2},"b":{"j":2,"k":1}})"},
      {"a: &x {k: 1}\nb: &y {k: 2, m: 3}\nc: {<<: [*x, *y]}",
       R"({"a":{"k":1},"b":{"k":2,"m":3},"c":{"k":1,"m":3}})"},
      {"a: &x [{k: 1}]\nb: {<<: *x}", "400"},
      {"b: {<<: 5}", "400"},
      {"b: {<<: [5]}", "400"},
      {"b: {'<<': {q: 1}}", R"({"b":{"<<":{"q":1}}})"},
      {"b: {!!str <<: {q: 1}}", R"({"b":{"<<":{"q":1}}})"},
      {"<<: {q: 1}", R"({"q":1})"},
      {"{a: yes, b}", R"({"a":true,"b":null})"},
      {"--- {a: 1}\n--- junk: [", R"({"a":1})"},
      {"a: 1\n...\nb: 2", R"({"a":1})"},
      {"%YAML 1.1\n---\na: on", R"({"a":true})"},
      {"%YAML 1.2\n---\na: on", "400"},
      {"\xef\xbb\xbf"
       "a: 1",
       R"({"a":1})"},
      {"a: 1\r\nb: 2\r\n", R"({"a":1,"b":2})"},
      {"a: 1\rb: 2", R"({"a":1,"b":2})"},
      {"k:\n- a\n- b\n", R"({"k":["a","b"]})"},
      {"", "400"},
      {"# c", "400"},
      {"5", "400"},
      {"text", "400"},
      {"[1]", "400"},
      {"\ta: b", "400"},
      {"a: b: c", "400"},
      {"- a\nb: c", "400"},
      {"a: 1\n- b", "400"},
  };
  for (const auto& [yaml, wanted] : documents) {
    const std::string got = read(yaml);
    BOOST_TEST(is_same(got, wanted), yaml << " is " << got);
  }
}

BOOST_AUTO_TEST_CASE(what_aliases_stand_for_is_bounded_and_what_is_written_is_not) {
  std::string bomb = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n";
  for (int i = 1; i < 12; ++i) {
    const std::string before = "*a" + std::to_string(i - 1);
    bomb += "a" + std::to_string(i) + ": &a" + std::to_string(i) + " [" + before;
    for (int j = 1; j < 10; ++j) {
      bomb += ", " + before;
    }
    bomb += "]\n";
  }
  BOOST_TEST(read(bomb) == "400");
  const std::string text(100'000, 'x');
  const auto repeated = [&](int times) {
    std::string body = "a: &a " + text + "\nb:\n";
    for (int i = 0; i < times; ++i) {
      body += "- *a\n";
    }
    return read(body).size();
  };
  BOOST_TEST(repeated(30) > 3'000'000U);
  BOOST_TEST(repeated(31) == 3U);  // "400"
  std::string merges = "a: &a {k: " + text + "}\nb:\n";
  for (int i = 0; i < 40; ++i) {
    merges += "- {<<: *a}\n";
  }
  BOOST_TEST(read(merges) == "400");
  std::string nested = "a: ";
  for (int i = 0; i < 100; ++i) {
    nested += "&a" + std::to_string(i) + " [";
  }
  BOOST_TEST(read(nested + text + std::string(100, ']')) == "400");
  std::string values = "a: [";
  for (int i = 0; i < 499'996; ++i) {
    values += "1,";
  }
  BOOST_TEST(read(values + "1]").size() > 900'000U);
  BOOST_TEST(read(values + "1,1]") == "400");
  std::string written = "a:\n";
  for (int i = 0; i < 30; ++i) {
    written += "- " + text + "\n";
  }
  BOOST_TEST(read(written).size() > 3'000'000U);
}

BOOST_AUTO_TEST_CASE(bodies_are_as_deep_as_those_in_json) {
  const auto nested = [](int depth) {
    return read("a: " + std::string(depth, '[') + std::string(depth, ']')).size();
  };
  BOOST_TEST(nested(127) > 200U);
  BOOST_TEST(nested(128) == 3U);  // "400"
  BOOST_TEST(nested(100'000) == 3U);
}

BOOST_AUTO_TEST_CASE(a_refusal_names_the_line) {
  BOOST_TEST(json_from_yaml("a: 1\nb: [").error().message.find("yaml: line ") == 0U);
  BOOST_TEST(json_from_yaml("a: 1\nb: .inf").error().message.find("yaml: line 2: ") == 0U);
}

BOOST_AUTO_TEST_CASE(keys_that_come_twice_are_named_with_their_lines) {
  const api::Result<sim::ReadBody> read = json_from_yaml(
      "a: 1\na: 2\nb:\n  c: {d: 1, d: 2}\n  c:\n    e: 1\n1: x\n0x1: y\n"
      "base: &base {k: 1}\nover: {<<: *base, k: 2, k: 3}\n");
  BOOST_REQUIRE(read.ok());
  BOOST_TEST(read->repeated_keys ==
                 (std::vector<std::string>{
                     "line 2: key \"a\" already set in map", "line 4: key \"d\" already set in map",
                     "line 6: key \"c\" already set in map", "line 8: key 1 already set in map"}),
             boost::test_tools::per_element());
  BOOST_TEST(json::parse(read->json).at("a").as_int64() == 2);
  BOOST_TEST(json_from_yaml("a: {b: 1}\nc: {b: 1}\n")->repeated_keys.empty());
}

BOOST_AUTO_TEST_SUITE_END()
