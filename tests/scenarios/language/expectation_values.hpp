#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "tests/scenarios/language/expectation_keys.hpp"

/// Values of the keys of an expectation, which are true of one record, of another, or of none.
namespace watchlab::scenarios::tests {

inline const std::vector<std::string> modes{"exactly",  "in_any_order", "in_order",
                                            "at_least", "at_most",      "never"};

/// A value of a key in YAML, and of which of the two records below it is the truth. A value that is
/// the truth of none is the negative test that a key needs most: it must not hold anywhere.
struct Value {
  std::string yaml;
  bool full = false;
  bool bare = false;
};

/// What is known about one object: everything, or as little as there can be.
inline std::vector<Value> rv_values(const std::string& truth, const std::string& symbol) {
  return {{"'" + truth + "'", true},
          {symbol, true},
          {"''", false, true},
          {"$other"},
          {"'" + truth + truth + "'"},
          {"'0" + truth + "'"},
          {"'0'"}};
}
inline std::vector<Value> uid_values(const std::string& truth, const std::string& symbol) {
  return {{truth, true}, {symbol, true}, {"''", false, true}, {truth + "0"}, {"u"}, {"$born"}};
}
inline std::vector<Value> pair_values(const std::string& key, const std::string& truth) {
  return {{"{" + key + ": " + truth + ", empty: ''}", true},
          {"{}", false, true},
          {"{" + key + ": " + truth + "}"},
          {"{" + key + ": other, empty: ''}"},
          {"{" + key + ": " + truth + ", empty: full}"},
          {"{" + key + ": " + truth + ", empty: '', more: ''}"},
          {"{empty: ''}"},
          {"{other: " + truth + ", empty: ''}"}};
}
inline std::vector<Value> body_values(const std::string& truth) {
  return {{"{data: {color: " + truth + "}}", true},
          {"{data: {color: '*" + truth.substr(1) + "', other: null}}", true},
          {"{data: null}", false, true},
          {"{data: {color: other}}"},
          {"{data: {more: null, color: null, empty: full}}"},
          {"{data: [" + truth + "]}"},
          {"{spec: {}}"}};
}
inline const std::vector<Value> flag_values{{"true", true}, {"false", false, true}};
inline const std::vector<Value> selector_values{
    {"a=b", true}, {"''", false, true}, {"a"}, {"a=bb"}, {"c=d"}};

/// By path, as the catalogue gives them; `*` stands for every type of the layer.
inline const std::map<std::string, std::vector<Value>> rows{
    {"requests.*.rv", rv_values("7", "$seven")},
    {"requests.*.delay",
     {{"900ms", true},
      {"0.9s", true},
      {"{backoff: 1}", true},
      {"immediate"},
      {"0s"},
      {"901ms"},
      {"900us"},
      {"{backoff: 2}"},
      {"{backoff: 100}"}}},
    {"requests.*.limit", {{"500", true}, {"0", false, true}, {"50"}, {"501"}, {"1"}}},
    {"requests.*.labels", selector_values},
    {"requests.*.fields", {{"c=d", true}, {"''", false, true}, {"c"}, {"a=b"}, {"c=dd"}}},
    {"requests.*.name", {{"demo", true}, {"''", false, true}, {"dem"}, {"default/demo"}}},
    {"requests.*.namespace", {{"default", true}, {"''", false, true}, {"prod"}}},
    {"served.*.name", {{"demo", true, true}, {"other"}}},
    {"served.*.namespace", {{"default", true, true}, {"prod"}, {"''"}}},
    {"served.*.rv", rv_values("7", "$seven")},
    {"served.*.uid", uid_values("u7", "$mine")},
    {"served.*.labels", pair_values("app", "web")},
    {"served.*.data", pair_values("color", "red")},
    {"served.*.body", body_values("red")},
    {"objects.name", {{"demo", true, true}, {"other"}}},
    {"objects.namespace", {{"default", true, true}, {"prod"}, {"''"}}},
    {"objects.rv", rv_values("7", "$seven")},
    {"objects.uid", uid_values("u7", "$mine")},
    {"objects.labels", pair_values("app", "web")},
    {"objects.data", pair_values("color", "red")},
    {"objects.body", body_values("red")},
    {"deltas.*.name", {{"demo", true, true}, {"other"}}},
    {"deltas.*.namespace", {{"default", true, true}, {"prod"}, {"''"}}},
    {"deltas.*.rv", rv_values("7", "$seven")},
    {"deltas.*.uid", uid_values("u7", "$mine")},
    {"deltas.*.labels", pair_values("app", "web")},
    {"deltas.*.data", pair_values("color", "red")},
    {"deltas.*.body", body_values("red")},
    {"deltas.*.tombstone", flag_values},
    {"deltas.*.initial", flag_values},
    {"handler.*.name", {{"demo", true, true}, {"other"}}},
    {"handler.*.namespace", {{"default", true, true}, {"prod"}, {"''"}}},
    {"handler.*.rv", rv_values("7", "$seven")},
    {"handler.*.uid", uid_values("u7", "$mine")},
    {"handler.*.labels", pair_values("app", "web")},
    {"handler.*.data", pair_values("color", "red")},
    {"handler.*.body", body_values("red")},
    {"handler.*.tombstone", flag_values},
    {"handler.*.initial", flag_values},
    {"handler.update.to.rv", rv_values("7", "$seven")},
    {"handler.update.to.uid", uid_values("u7", "$mine")},
    {"handler.update.to.labels", pair_values("app", "web")},
    {"handler.update.to.data", pair_values("color", "red")},
    {"handler.update.to.body", body_values("red")},
    {"handler.update.from.rv", rv_values("6", "$six")},
    {"handler.update.from.uid", uid_values("u6", "$his")},
    {"handler.update.from.labels", pair_values("app", "old")},
    {"handler.update.from.data", pair_values("color", "blue")},
    {"handler.update.from.body", body_values("blue")},
    {"notes.text",
     {{"demo", true},
      {"\"d*m*\"", true},
      {"\"*\"", true, true},
      {"bare", false, true},
      {"dem"},
      {"\"*x*\""},
      {"\"demo*o\""},
      {"\"dem*d\""}}},
    {"store.name", {{"demo", true, true}, {"other"}}},
    {"store.namespace", {{"default", true, true}, {"prod"}, {"''"}}},
    {"store.rv", rv_values("7", "$seven")},
    {"store.uid", uid_values("u7", "$mine")},
    {"store.labels", pair_values("app", "web")},
    {"store.data", pair_values("color", "red")},
    {"store.body", body_values("red")}};

/// Keys whose values are words, each of which is compared with each by the test for words.
inline const std::set<std::string> word_rows{"requests.*.answer", "requests.*.ends"};
/// A number of records in a row, for which one record is not enough: see the test for it.
inline const std::set<std::string> times_rows{"requests.*.times", "served.*.times",
                                              "deltas.*.times", "handler.*.times", "notes.times"};
/// Keys beside the layers, and layers without entries; each has a test of its own below.
inline const std::set<std::string> other_rows{"of", "to", "depends_on_order", "ended"};

}  // namespace watchlab::scenarios::tests
