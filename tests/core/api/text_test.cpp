#include "core/api/text.hpp"

#include <fmt/format.h>

#include <boost/test/unit_test.hpp>
#include <functional>
#include <iterator>
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

BOOST_AUTO_TEST_CASE(a_choice_between_a_text_and_a_string_is_a_string) {
  const Text name = "demo";
  const auto key = [&name](bool alone) { return alone ? name : "default/" + name; };
  BOOST_TEST(key(true) == "demo");
  BOOST_TEST(key(false) == "default/demo");
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
