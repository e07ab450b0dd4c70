#include "core/cache/key_text.hpp"

#include <boost/test/unit_test.hpp>
#include <set>
#include <string>
#include <utility>

namespace watchlab::tests {

BOOST_AUTO_TEST_SUITE(key_text_test)

namespace {

using cache::hash_of_key;
using cache::KeyText;

/// A text of that length, no two bytes in a row alike.
std::string letters(std::size_t length) {
  std::string text;
  for (std::size_t i = 0; i < length; ++i) {
    text += static_cast<char>('a' + i % 26);
  }
  return text;
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_key_of_any_length_reads_as_it_was_given) {
  for (std::size_t length = 0; length < 100; ++length) {
    BOOST_TEST(KeyText(letters(length)).view() == letters(length));
  }
  BOOST_TEST(KeyText().view().empty());
  BOOST_TEST(KeyText(std::string_view()).view().empty());
}

BOOST_AUTO_TEST_CASE(a_key_of_39_bytes_lies_in_itself) {
  for (const std::size_t length : {std::size_t{0}, std::size_t{1}, std::size_t{39}}) {
    const KeyText key(letters(length));
    const char* const start = reinterpret_cast<const char*>(&key);
    BOOST_TEST((key.view().data() >= start && key.view().data() < start + sizeof key));
  }
  BOOST_TEST(sizeof(KeyText) == 40U);
}

BOOST_AUTO_TEST_CASE(a_copy_is_a_key_of_its_own) {
  for (const std::size_t length : {KeyText::kNearMax, KeyText::kNearMax + 1}) {
    KeyText original(letters(length));
    const KeyText copy = original;
    original = KeyText(std::string_view("another"));
    BOOST_TEST(copy.view() == letters(length));
    original = copy;
    BOOST_TEST(original.view() == letters(length));
    BOOST_TEST(static_cast<const void*>(original.view().data()) !=
               static_cast<const void*>(copy.view().data()));
  }
}

BOOST_AUTO_TEST_CASE(a_key_that_was_moved_away_is_empty) {
  for (const std::size_t length : {KeyText::kNearMax, KeyText::kNearMax + 1}) {
    KeyText original(letters(length));
    const KeyText moved = std::move(original);
    BOOST_TEST(moved.view() == letters(length));
    BOOST_TEST(original.view().empty());  // NOLINT: that is the claim
  }
}

BOOST_AUTO_TEST_CASE(equal_texts_have_one_hash_wherever_they_lie) {
  for (std::size_t length = 0; length < 60; ++length) {
    const std::string text = letters(length);
    const std::string elsewhere = "x" + text;
    BOOST_TEST(hash_of_key(text) == hash_of_key(std::string_view(elsewhere).substr(1)));
  }
}

BOOST_AUTO_TEST_CASE(texts_that_differ_in_one_byte_have_other_hashes) {
  for (std::size_t length = 1; length < 60; ++length) {
    std::set<std::size_t> hashes{hash_of_key(letters(length))};
    for (std::size_t i = 0; i < length; ++i) {
      std::string changed = letters(length);
      changed[i] = '/';
      hashes.insert(hash_of_key(changed));
    }
    BOOST_TEST(hashes.size() == length + 1);
  }
}

BOOST_AUTO_TEST_CASE(texts_of_zeros_differ_by_their_length) {
  std::set<std::size_t> hashes;
  for (std::size_t length = 0; length < 60; ++length) {
    hashes.insert(hash_of_key(std::string(length, '\0')));
  }
  BOOST_TEST(hashes.size() == 60U);
}

BOOST_AUTO_TEST_CASE(short_texts_have_hashes_of_their_own) {
  std::set<std::size_t> hashes;
  for (char first = 'a'; first <= 'z'; ++first) {
    for (char second = 'a'; second <= 'z'; ++second) {
      hashes.insert(hash_of_key(std::string{first, second}));
    }
  }
  BOOST_TEST(hashes.size() == 26U * 26U);
}

BOOST_AUTO_TEST_CASE(keys_that_count_spread_over_high_and_low_bits) {
  constexpr std::size_t kKeys = 4096;
  std::set<std::size_t> low;
  std::set<std::size_t> high;
  for (std::size_t i = 0; i < kKeys; ++i) {
    const std::size_t hash = hash_of_key("namespace/object-" + std::to_string(i));
    low.insert(hash & 0xfff);
    high.insert(hash >> 52);
  }
  // Of 4,096 places 4,096 balls thrown at random meet 63 in a hundred.
  BOOST_TEST(low.size() > kKeys * 6 / 10);
  BOOST_TEST(high.size() > kKeys * 6 / 10);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace watchlab::tests
