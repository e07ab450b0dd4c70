#include "core/runtime/any_value.hpp"

#include <array>
#include <boost/test/unit_test.hpp>
#include <memory>
#include <string>
#include <utility>

namespace watchlab::runtime {
BOOST_AUTO_TEST_SUITE(any_value_test)

namespace {

/// Too large to lie in an AnyValue itself.
struct Large {
  std::shared_ptr<int> kept;
  std::array<int, 20> more{};
};

/// Small, and reports where it is.
class Placed {
 public:
  explicit Placed(Placed** place) : place_(place) { *place_ = this; }
  Placed(Placed&& other) noexcept : place_(other.place_) { *place_ = this; }
  Placed& operator=(Placed&&) = delete;
  ~Placed() = default;

 private:
  Placed** place_;
};

}  // namespace

BOOST_AUTO_TEST_CASE(a_value_gives_back_what_was_packed) {
  BOOST_TEST(AnyValue::of(7).unpack<int>().value() == 7);
  BOOST_TEST(AnyValue::of(std::string(100, 'x')).unpack<std::string>().value().size() == 100U);
  BOOST_TEST(*AnyValue::of(std::make_unique<int>(8)).unpack<std::unique_ptr<int>>().value() == 8);
}

BOOST_AUTO_TEST_CASE(who_moves_a_value_moves_what_is_in_it) {
  Placed* place = nullptr;
  AnyValue first = AnyValue::of(Placed(&place));
  const Placed* const before = place;
  const AnyValue second = std::move(first);
  BOOST_TEST(static_cast<bool>(second));
  BOOST_TEST(place != before);
}

BOOST_AUTO_TEST_CASE(an_empty_value_unpacks_to_nothing) {
  AnyValue any_value;
  BOOST_TEST(!any_value);
  BOOST_TEST(!any_value.unpack<int>().has_value());
}

BOOST_AUTO_TEST_CASE(unpacking_leaves_nothing) {
  AnyValue any_value = AnyValue::of(7);
  BOOST_TEST(static_cast<bool>(any_value));
  (void)any_value.unpack<int>();
  BOOST_TEST(!any_value);
}

BOOST_AUTO_TEST_CASE(what_was_moved_carries_the_value_and_the_old_one_nothing) {
  const auto value = std::make_shared<int>(9);
  AnyValue first = AnyValue::of(value);
  AnyValue second = std::move(first);
  BOOST_TEST(!first);  // NOLINT: that is what is asked
  BOOST_TEST(value.use_count() == 2);
  AnyValue third = AnyValue::of(std::string("what is overwritten"));
  third = std::move(second);
  BOOST_TEST(!second);  // NOLINT: the same
  BOOST_TEST(third.unpack<std::shared_ptr<int>>().value() == value);
  BOOST_TEST(value.use_count() == 1);
}

BOOST_AUTO_TEST_CASE(a_value_ends_once_wherever_it_lies) {
  const auto kept = std::make_shared<int>(1);
  {
    AnyValue small = AnyValue::of(kept);
    AnyValue large = AnyValue::of(Large{.kept = kept});
    BOOST_TEST(kept.use_count() == 3);
    const AnyValue moved_small = std::move(small);
    const AnyValue moved_large = std::move(large);
    BOOST_TEST(kept.use_count() == 3);
  }
  BOOST_TEST(kept.use_count() == 1);
  AnyValue replaced = AnyValue::of(kept);
  replaced = AnyValue();
  BOOST_TEST(kept.use_count() == 1);
  AnyValue large = AnyValue::of(Large{.kept = kept});
  BOOST_TEST(large.unpack<Large>().value().kept == kept);
  BOOST_TEST(kept.use_count() == 1);
}

BOOST_AUTO_TEST_SUITE_END()
}  // namespace watchlab::runtime
