#include "core/api/text.hpp"

#include <fmt/format.h>

#include <boost/test/unit_test.hpp>
#include <functional>
#include <iterator>
#include <map>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/api/object.hpp"
#include "core/runtime/ensure.hpp"

namespace watchlab {
namespace {

using api::Text;

/// Of all the sizes at which a text is kept in another way, and one of any.
const std::vector<std::string>& samples() {
  static const std::vector<std::string> all{"",
                                            "a",
                                            "sixsix",
                                            "seven67",
                                            "eight678",
                                            std::string(1, '\0'),
                                            std::string(8, '\xff'),
                                            std::string(254, 'x'),
                                            std::string(255, 'x'),
                                            std::string(300, 'x'),
                                            std::string(65'536, 'x')};
  return all;
}

api::Object object_with(const std::string& text) {
  api::Object object{.api_version = "v1", .kind = "ConfigMap"};
  for (Text* each :
       {&object.metadata.name, &object.metadata.namespace_, &object.metadata.generate_name,
        &object.metadata.uid, &object.metadata.resource_version,
        &object.metadata.creation_timestamp, &object.metadata.deletion_timestamp,
        &object.metadata.other_members, &object.body}) {
    *each = text;
  }
  object.metadata.labels = {{"app", text}, {text + "/key", "v"}};
  object.metadata.annotations = {{text + "-", text}};
  object.metadata.finalizers = {text, "last"};
  object.metadata.generation = 7;
  return object;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(text_test)

BOOST_AUTO_TEST_CASE(a_text_reads_as_it_was_written) {
  for (const std::string& sample : samples()) {
    const Text text(sample);
    BOOST_TEST(text.view() == sample);
    BOOST_TEST(text.size() == sample.size());
    BOOST_TEST(text.empty() == sample.empty());
    const std::string again = text;
    BOOST_TEST(again == sample);
    BOOST_TEST(std::string(text.begin(), text.end()) == sample);
    BOOST_TEST(fmt::format("<{:>3}>", text) == fmt::format("<{:>3}>", sample));
  }
}

BOOST_AUTO_TEST_CASE(texts_compare_as_strings_do) {
  for (const std::string& one : samples()) {
    for (const std::string& other : samples()) {
      BOOST_TEST((Text(one) == Text(other)) == (one == other));
      BOOST_TEST((Text(one) < Text(other)) == (one < other));
      BOOST_TEST((Text(one) == other) == (one == other));
      BOOST_TEST((std::string_view(one) < Text(other)) == (one < other));
      BOOST_TEST(Text(one) + other == one + other);
      BOOST_TEST(one + Text(other) == one + other);
    }
  }
}

BOOST_AUTO_TEST_CASE(a_text_is_searched_hashed_and_printed_as_a_string_is) {
  const std::string plain = "first, second, last";
  const Text text(plain);
  BOOST_TEST(text.front() == 'f');
  BOOST_TEST(text.back() == 't');
  BOOST_TEST(text.starts_with("first"));
  BOOST_TEST(!text.starts_with("last"));
  BOOST_TEST(text.ends_with("last"));
  BOOST_TEST(!text.ends_with("first"));
  BOOST_TEST(text.find(",") == 5U);
  BOOST_TEST(text.find(",", 6) == 13U);
  BOOST_TEST(text.find("third") == std::string::npos);
  BOOST_TEST(text.substr(7, 6) == "second");
  BOOST_TEST(text.substr(15) == "last");
  BOOST_TEST(std::hash<Text>()(text) == std::hash<Text>()(Text(plain)));
  std::ostringstream out;
  out << text;
  BOOST_TEST(out.str() == plain);
}

BOOST_AUTO_TEST_CASE(a_text_of_four_gigabytes_is_refused) {
  std::string room(8, 'x');
  const std::string_view too_long(room.data(), std::size_t{1} << 32);
  BOOST_CHECK_THROW(api::TextInMemory::write(room.data(), too_long), runtime::EnsureFailed);
}

BOOST_AUTO_TEST_CASE(each_kind_of_text_takes_the_place_of_each) {
  for (const std::string& one : samples()) {
    for (const std::string& other : samples()) {
      Text copied(one);
      const Text source(other);
      copied = source;
      BOOST_TEST(copied == other);
      BOOST_TEST(source == other);
      Text moved(one);
      moved = std::move(copied);
      BOOST_TEST(moved == other);
      Text grown(one);
      grown += other;
      BOOST_TEST(grown == one + other);
    }
    Text text(one);
    const Text& same = text;
    text = same;
    BOOST_TEST(text == one);
    text = std::move(const_cast<Text&>(same));
    BOOST_TEST(text == one);
    text = text.view().substr(one.size() / 2);  // a part of itself
    BOOST_TEST(text == one.substr(one.size() / 2));
    text.clear();
    BOOST_TEST(text.empty());
  }
}

BOOST_AUTO_TEST_CASE(a_text_that_is_assigned_empty_braces_is_empty) {
  Text text = "demo";
  text = {};
  BOOST_TEST(text.empty());
}

BOOST_AUTO_TEST_CASE(all_kinds_of_texts_and_letters_are_put_together) {
  const Text text = "t";
  api::Labels labels{{"key", "v"}};
  const api::TextView view = labels.at("key");
  const auto place = labels["key"];
  BOOST_TEST(text + '/' + text == "t/t");
  BOOST_TEST('/' + view == "/v");
  BOOST_TEST(text + view == "tv");
  BOOST_TEST(view + text == "vt");
  BOOST_TEST(place + text == "vt");
  BOOST_TEST("a" + place == "av");
  BOOST_TEST(place + place == "vv");
  BOOST_TEST(place + std::string("a") == "va");
  Text grown = text;
  grown += '/';
  BOOST_TEST(grown == "t/");
}

BOOST_AUTO_TEST_CASE(letters_are_found_in_a_text) {
  const Text text = "default/demo";
  BOOST_TEST(text[0] == 'd');
  BOOST_TEST(text.find('/') == 7U);
  BOOST_TEST(text.find('d', 1) == 8U);
  BOOST_TEST(text.find('x') == std::string::npos);
  BOOST_TEST(text.starts_with('d'));
  BOOST_TEST(!text.ends_with('d'));
}

BOOST_AUTO_TEST_CASE(a_part_of_a_label_turns_into_a_string) {
  const api::Labels labels{{"key", "value"}};
  const std::string part = labels.at("key").substr(1, 3);
  BOOST_TEST(part == "alu");
  BOOST_TEST(std::hash<api::TextView>()(labels.at("key")) == std::hash<std::string>()("value"));
}

BOOST_AUTO_TEST_CASE(a_label_by_its_key_reads_as_a_string) {
  api::Labels labels{{"a", "one"}, {"b", "two"}};
  const std::string copied = labels["a"];
  BOOST_TEST(copied == "one");
  BOOST_TEST(labels["a"] == "one");
  BOOST_TEST("one" == labels["a"]);
  BOOST_TEST(labels["a"] != labels["b"]);
  BOOST_TEST(labels["a"] == Text("one"));
  BOOST_TEST(Text(labels["a"]) == labels["a"]);
  BOOST_TEST(labels["a"].size() == 3U);
  BOOST_TEST(labels["none"].empty());
  BOOST_TEST(!labels.contains("none"));
  BOOST_TEST(labels.count("a") == 1U);
  BOOST_TEST(labels.count("none") == 0U);
  const std::map<std::string, int> counts{{labels["a"], 1}};
  BOOST_TEST(counts.at(labels["a"]) == 1);
  Text text;
  text = labels["b"];
  BOOST_TEST(text == "two");
}

BOOST_AUTO_TEST_CASE(labels_are_made_of_a_map_and_back) {
  const std::map<std::string, std::string> map{{"a", "one"}, {"b", "two"}};
  const api::Labels labels({map.begin(), map.end()});
  BOOST_TEST(labels.size() == 2U);
  BOOST_TEST((std::map<std::string, std::string>(labels.begin(), labels.end()) == map));
}

BOOST_AUTO_TEST_CASE(a_label_is_assigned_to_another) {
  api::Labels labels{{"a", "one"}, {"b", "longer than seven"}};
  labels["a"] = labels["b"];
  BOOST_TEST(labels.at("a") == "longer than seven");
  labels["a"] += "!";
  BOOST_TEST(labels.at("a") == "longer than seven!");
  labels["new"] += "begins empty";
  BOOST_TEST(labels.at("new") == "begins empty");
  labels["b"] = {};
  BOOST_TEST(labels.at("b").empty());
}

BOOST_AUTO_TEST_CASE(a_choice_between_a_text_and_a_string_is_a_string) {
  const Text name = "demo";
  const auto key = [&name](bool alone) { return alone ? name : "default/" + name; };
  BOOST_TEST(key(true) == "demo");
  BOOST_TEST(key(false) == "default/demo");
  const api::Labels labels{{"app", "web"}};
  const auto app = [&](bool labelled) { return labelled ? labels.at("app") : name; };
  BOOST_TEST(app(true) == "web");
  BOOST_TEST(app(false) == "demo");
}

BOOST_AUTO_TEST_CASE(a_shared_object_reads_as_it_did_before) {
  for (const std::string& sample : samples()) {
    const api::Object object = object_with(sample);
    const api::ObjectPtr shared = api::share(object);
    BOOST_TEST((*shared == object));
    BOOST_TEST(shared->metadata.finalizers.size() == 2U);
    BOOST_TEST(shared->metadata.labels.at("app") == sample);
  }
}

BOOST_AUTO_TEST_CASE(texts_of_a_shared_object_lie_behind_it) {
  const api::ObjectPtr shared = api::share(object_with("longer than seven"));
  const auto& metadata = shared->metadata;
  const auto* const object = reinterpret_cast<const char*>(shared.get());
  for (const char* place : {metadata.name.data(), metadata.uid.data(), shared->kind.data(),
                            metadata.labels.at("app").data(), metadata.finalizers.at(1).data()}) {
    BOOST_TEST((place > object && place < object + 500));
  }
}

BOOST_AUTO_TEST_CASE(what_is_taken_from_a_shared_object_outlives_it) {
  for (const std::string& sample : samples()) {
    api::Object copy;
    Text name;
    api::Labels labels;
    {
      api::ObjectPtr shared = api::share(object_with(sample));
      auto* const packed = const_cast<api::Object*>(shared.get());
      copy = *packed;
      name = std::move(packed->metadata.name);
      labels = std::move(packed->metadata.labels);
      BOOST_TEST(packed->metadata.name.empty());
      packed->metadata.uid = "other";
      packed->body.append("!");
      BOOST_TEST(packed->body == sample + "!");
      const api::Object moved = std::move(*packed);
      shared.reset();
      BOOST_TEST(moved.metadata.uid == "other");
      BOOST_TEST(moved.metadata.namespace_ == sample);
    }
    BOOST_TEST((copy == object_with(sample)));
    BOOST_TEST(name == sample);
    BOOST_TEST(labels.at("app") == sample);
  }
}

BOOST_AUTO_TEST_CASE(a_copy_of_a_shared_object_lies_elsewhere) {
  for (const std::string& sample : samples()) {
    api::ObjectPtr shared = api::share(object_with(sample));
    const api::Object copy(*shared);
    const Text name(shared->metadata.name);
    for (const auto& [ours, theirs] :
         {std::pair(&copy.metadata.uid, &shared->metadata.uid), {&name, &shared->metadata.name}}) {
      BOOST_TEST((sample.empty() || ours->data() != theirs->data()));
    }
    shared.reset();
    BOOST_TEST((copy == object_with(sample)));
    BOOST_TEST(name == sample);
  }
}

BOOST_AUTO_TEST_CASE(finalizers_keep_their_order) {
  api::Texts texts{"b", "", "a", "b"};
  texts.push_back("last of all");
  BOOST_TEST(texts.size() == 5U);
  BOOST_TEST(texts.at(1).empty());
  BOOST_TEST(texts[2] == "a");
  BOOST_TEST(texts.at(4) == "last of all");
  texts.remove("b");
  BOOST_TEST((std::vector<std::string>(texts.begin(), texts.end()) ==
              std::vector<std::string>{"", "a", "last of all"}));
  BOOST_TEST(texts.contains("a"));
  BOOST_TEST(!texts.contains("b"));
  BOOST_TEST((texts == api::Texts(std::vector<std::string>{"", "a", "last of all"})));
  BOOST_TEST(*std::next(texts.begin()) == "a");
  auto at = texts.begin();
  BOOST_TEST((*at++).empty());
  BOOST_TEST(*at == "a");
  BOOST_CHECK_THROW(static_cast<void>(texts.at(3)), runtime::EnsureFailed);
  texts.remove("");
  BOOST_TEST((texts == api::Texts{"a", "last of all"}));
  texts.clear();
  BOOST_TEST(texts.empty());
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace watchlab
