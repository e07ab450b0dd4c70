#include "core/cache/key.hpp"

#include <algorithm>
#include <boost/test/unit_test.hpp>

#include "core/cache/indexer.hpp"
#include "tests/support/objects.hpp"

namespace watchlab::tests {

BOOST_AUTO_TEST_SUITE(key_test)

BOOST_AUTO_TEST_CASE(a_key_is_namespace_and_name_or_just_the_name) {
  BOOST_TEST(*cache::meta_namespace_key(object("default/demo")) == "default/demo");
  BOOST_TEST(*cache::meta_namespace_key(object("node")) == "node");
}

// Mirrors TestKeyError.
BOOST_AUTO_TEST_CASE(a_key_error_names_the_object_and_the_reason) {
  const api::Error cause{.message = "out of keys"};
  const api::Error error = cache::key_error(object("default/demo"), cause);
  BOOST_TEST((error.kind == api::ErrorKind::Key));
  BOOST_TEST(error.message == "no key for object default/demo: out of keys");
  BOOST_TEST((cache::key_error(object("other"), error) == error), "it is not wrapped twice");
}

BOOST_AUTO_TEST_CASE(a_tombstone_has_no_metadata_and_so_no_meta_key) {
  const auto key = cache::meta_namespace_key(tombstone("default/demo", object("default/demo")));
  BOOST_REQUIRE(!key.ok());
  BOOST_TEST((key.error().kind == api::ErrorKind::Key));
  BOOST_TEST(key.error().message == "no key for the tombstone of default/demo: it has no metadata");
  BOOST_TEST(!cache::meta_namespace_key(api::ObjectPtr()).ok());
}

// Mirrors TestDeletedObjectGetKey.
BOOST_AUTO_TEST_CASE(a_handler_of_deletions_gets_the_tombstones_own_key) {
  BOOST_TEST(*cache::deletion_handling_meta_namespace_key(tombstone("own/key", object("x"))) ==
             "own/key");
  BOOST_TEST(*cache::deletion_handling_meta_namespace_key(object("a/b")) == "a/b");
  BOOST_TEST(*cache::deletion_handling_meta_namespace_key(tombstone("own/key")) == "own/key");
  BOOST_TEST(!cache::deletion_handling_meta_namespace_key(api::ObjectPtr()).ok());
}

// Mirrors TestSplitMetaNamespaceKey and the round trips of object-names_test.
BOOST_AUTO_TEST_CASE(a_key_splits_into_what_it_was_made_of) {
  for (const std::string text : {"name", "ns/name", "/name", "ns/", ""}) {
    const auto name = cache::split_meta_namespace_key(text);
    BOOST_REQUIRE_MESSAGE(name.ok(), text);
    const std::string expected = text == "/name" ? "name" : text;
    BOOST_TEST(name->text() == expected);
  }
  // Every text of up to five letters and slashes.
  for (int bits = 0; bits < 32; ++bits) {
    for (std::size_t length = 0; length <= 5; ++length) {
      std::string text;
      for (std::size_t i = 0; i < length; ++i) {
        text += (bits >> i & 1) != 0 ? '/' : static_cast<char>('a' + i);
      }
      const auto name = cache::parse_object_name(text);
      BOOST_REQUIRE_MESSAGE(name.ok() == (std::ranges::count(text, '/') <= 1), text);
      if (name.ok()) {
        BOOST_TEST((text.starts_with("/") ? "/" : "") + name->text() == text);
        BOOST_TEST(name->name == text.substr(text.find('/') + 1));
      }
    }
  }
  BOOST_TEST(cache::parse_object_name("ns/name")->namespace_ == "ns");
  BOOST_TEST(cache::parse_object_name("ns/name")->name == "name");
  const auto wrong = cache::parse_object_name("too/many/parts");
  BOOST_REQUIRE(!wrong.ok());
  BOOST_TEST(wrong.error().message == "unexpected key format: \"too/many/parts\"");
}

// Mirrors TestDeletionHandlingObjectToName, TestDeletedObjectGetObjectName.
BOOST_AUTO_TEST_CASE(an_object_name_comes_from_the_metadata_or_the_tombstone) {
  const cache::ObjectName expected{.namespace_ = "ns", .name = "demo"};
  BOOST_TEST((*cache::object_to_name(object("ns/demo")) == expected));
  BOOST_TEST((cache::meta_object_to_name(*object("ns/demo")) == expected));
  BOOST_TEST((*cache::deletion_handling_object_to_name(object("ns/demo")) == expected));
  BOOST_TEST((*cache::deletion_handling_object_to_name(tombstone("ns/demo")) == expected));
  BOOST_TEST((*cache::deletion_handling_object_to_name(
                  tombstone("ns/demo", object("other/state"))) == expected));
  BOOST_TEST(!cache::deletion_handling_object_to_name(api::ObjectPtr()).ok());
  BOOST_TEST(!cache::object_to_name(tombstone("ns/demo")).ok());
}

BOOST_AUTO_TEST_CASE(an_index_of_one_value_serves_as_a_key) {
  const cache::KeyFunction key = cache::key_function_from(cache::meta_namespace_index);
  BOOST_TEST(*key(object("ns/demo")) == "ns");
  const cache::KeyFunction none =
      cache::key_function_from([](const api::ObjectPtr&) -> api::Result<std::vector<std::string>> {
        return std::vector<std::string>{};
      });
  BOOST_TEST((none(object("demo")).error().kind == api::ErrorKind::Key));
  const cache::KeyFunction two =
      cache::key_function_from([](const api::ObjectPtr&) -> api::Result<std::vector<std::string>> {
        return std::vector<std::string>{"a", "b"};
      });
  BOOST_TEST(two(object("demo")).error().message ==
             "no key for object demo: its index function gives 2 values, not one");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace watchlab::tests
