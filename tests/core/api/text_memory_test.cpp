// Counts what is allocated: texts that are never given back read as they should.
#include <atomic>
#include <boost/test/unit_test.hpp>
#include <cstdlib>
#include <new>
#include <string>
#include <string_view>
#include <utility>

#include "core/api/object.hpp"
#include "core/cache/key_text.hpp"

namespace watchlab {
namespace {

/// What the program has asked for: of the whole program, because the operators below are.
struct Memory {
  std::atomic<long> pieces = 0;  ///< that are not given back yet
  std::atomic<long> calls = 0;   ///< that asked for a piece
  std::atomic<long> bytes = 0;   ///< of all these calls
};

Memory& memory() {
  static Memory memory;
  return memory;
}

void* counted(std::size_t size) {
  ++memory().pieces;
  ++memory().calls;
  memory().bytes += static_cast<long>(size);
  return std::malloc(size > 0 ? size : 1);
}

void give_back(void* piece) {
  memory().pieces -= piece != nullptr ? 1 : 0;
  std::free(piece);
}

}  // namespace
}  // namespace watchlab

// All that come in pairs: the others of the library call these.
void* operator new(std::size_t size) {
  void* const piece = watchlab::counted(size);
  return piece != nullptr ? piece : throw std::bad_alloc();
}
void* operator new(std::size_t size, const std::nothrow_t& /*how*/) noexcept {
  return watchlab::counted(size);
}
void operator delete(void* piece) noexcept { watchlab::give_back(piece); }
void operator delete(void* piece, std::size_t /*size*/) noexcept { watchlab::give_back(piece); }
void operator delete(void* piece, const std::nothrow_t& /*how*/) noexcept {
  watchlab::give_back(piece);
}

namespace watchlab {

BOOST_AUTO_TEST_SUITE(text_memory_test)

namespace {

using api::Text;

/// What `action` does to the counts.
struct Asked {
  long pieces = 0;
  long calls = 0;
  long bytes = 0;
};
template <typename Action>
Asked asked_by(Action action) {
  const Asked before{memory().pieces, memory().calls, memory().bytes};
  action();
  return {memory().pieces - before.pieces, memory().calls - before.calls,
          memory().bytes - before.bytes};
}

constexpr std::string_view kLongText = "longer than seven";

/// Each text of it needs a piece of memory of its own.
api::Object long_object() {
  api::Object object;
  for (Text* each :
       {&object.api_version, &object.kind, &object.metadata.name, &object.metadata.namespace_,
        &object.metadata.generate_name, &object.metadata.uid, &object.metadata.resource_version,
        &object.metadata.creation_timestamp, &object.metadata.deletion_timestamp,
        &object.metadata.other_members, &object.body}) {
    *each = kLongText;
  }
  object.metadata.labels = {{"app", kLongText}};
  object.metadata.annotations = {{"note", kLongText}};
  object.metadata.finalizers = {kLongText};
  return object;
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_text_of_seven_bytes_needs_no_memory_and_one_of_eight_a_piece_that_fits) {
  for (const char* const near : {"", "a", "sixsix", "seven67"}) {
    BOOST_TEST(asked_by([near] { const Text text = near; }).calls == 0, near);
  }
  for (const long size : {8, 254}) {
    const std::string far(static_cast<std::size_t>(size), 'x');
    const Asked asked = asked_by([&far] { const Text text(far); });
    BOOST_TEST(asked.calls == 1);
    BOOST_TEST(asked.bytes == size + 1);
  }
  const std::string wide(255, 'x');
  BOOST_TEST(asked_by([&wide] { const Text text(wide); }).bytes == 255 + 5);
}

BOOST_AUTO_TEST_CASE(a_text_gives_its_memory_back) {
  const auto use = [] {
    Text text(kLongText);
    Text other(kLongText);
    text = other;
    text = std::move(other);
    text = std::string(kLongText);
    text += "more";
    text.clear();
    text = kLongText;
    other = Text(std::move(text));
    text = other;
  };
  BOOST_TEST(asked_by(use).pieces == 0);
}

BOOST_AUTO_TEST_CASE(a_text_that_is_moved_needs_no_memory) {
  Text text(kLongText);
  Text other(kLongText);
  const auto move = [&] {
    Text between(std::move(text));
    text = std::move(between);
    std::swap(text, other);
  };
  BOOST_TEST(asked_by(move).calls == 0);
  BOOST_TEST(text == kLongText);
}

BOOST_AUTO_TEST_CASE(a_shared_object_is_one_piece_beside_its_body_and_its_count) {
  api::ObjectPtr shared;
  const auto make = [&] { shared = api::share(long_object()); };
  const auto drop = [&] { shared.reset(); };
  BOOST_TEST(asked_by(make).pieces == 3);
  BOOST_TEST(asked_by(drop).pieces == -3);
}

BOOST_AUTO_TEST_CASE(a_shared_object_takes_what_its_texts_need) {
  api::Object object;
  const auto bytes = [&object] {
    api::Object given = object;
    return asked_by([&given] { const auto shared = api::share(std::move(given)); }).bytes;
  };
  const long alone = bytes();
  object.metadata.name = std::string(11, 'x');
  BOOST_TEST(bytes() == alone + 12);  // its size, and its bytes
  object.metadata.uid = std::string(9, 'x');
  BOOST_TEST(bytes() == alone + 12 + 12);  // and two so that the next lies well
  object.kind = "seven67";
  object.body = std::string(1'000, 'x');
  BOOST_TEST(bytes() == alone + 12 + 12);
}

BOOST_AUTO_TEST_CASE(what_is_taken_from_a_shared_object_is_given_back) {
  const auto use = [] {
    api::ObjectPtr shared = api::share(long_object());
    api::Object copy = *shared;
    copy.metadata.name = "short";
    copy.metadata.labels["app"] = "changed, and longer than before";
    copy.metadata.finalizers.push_back("one more");
    api::ObjectPtr again = api::share(copy);
    shared.reset();
    copy = *again;
    copy = *api::share(std::move(copy));
  };
  BOOST_TEST(asked_by(use).pieces == 0);
}

BOOST_AUTO_TEST_CASE(a_key_gives_its_memory_back) {
  const auto use = [] {
    const std::string text(50, 'x');
    cache::KeyText key(text);
    cache::KeyText other(key);
    key = std::move(other);
    other = cache::KeyText(std::string_view("short"));
    key = other;
    key = cache::KeyText(text);
  };
  BOOST_TEST(asked_by(use).pieces == 0);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace watchlab
