#include "core/runtime/parcel.hpp"

#include <array>
#include <boost/test/unit_test.hpp>
#include <memory>
#include <string>
#include <utility>

namespace watchlab::runtime {
BOOST_AUTO_TEST_SUITE(parcel_test)

namespace {

/// Too large to lie in a parcel itself.
struct Large {
  std::shared_ptr<int> kept;
  std::array<int, 20> more{};
};

/// Small, and tells others where it is.
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

BOOST_AUTO_TEST_CASE(a_parcel_gives_back_what_was_packed) {
  BOOST_TEST(Parcel::of(7).unpack<int>().value() == 7);
  BOOST_TEST(Parcel::of(std::string(100, 'x')).unpack<std::string>().value().size() == 100U);
  BOOST_TEST(*Parcel::of(std::make_unique<int>(8)).unpack<std::unique_ptr<int>>().value() == 8);
}

BOOST_AUTO_TEST_CASE(who_moves_a_parcel_moves_what_is_in_it) {
  Placed* place = nullptr;
  Parcel first = Parcel::of(Placed(&place));
  const Placed* const before = place;
  const Parcel second = std::move(first);
  BOOST_TEST(static_cast<bool>(second));
  BOOST_TEST(place != before);
}

BOOST_AUTO_TEST_CASE(an_empty_parcel_unpacks_to_nothing) {
  Parcel parcel;
  BOOST_TEST(!parcel);
  BOOST_TEST(!parcel.unpack<int>().has_value());
}

BOOST_AUTO_TEST_CASE(unpacking_leaves_nothing) {
  Parcel parcel = Parcel::of(7);
  BOOST_TEST(static_cast<bool>(parcel));
  (void)parcel.unpack<int>();
  BOOST_TEST(!parcel);
}

BOOST_AUTO_TEST_CASE(a_moved_parcel_carries_the_value_and_the_old_one_nothing) {
  const auto value = std::make_shared<int>(9);
  Parcel first = Parcel::of(value);
  Parcel second = std::move(first);
  BOOST_TEST(!first);  // NOLINT: that is what is asked
  BOOST_TEST(value.use_count() == 2);
  Parcel third = Parcel::of(std::string("what is overwritten"));
  third = std::move(second);
  BOOST_TEST(!second);  // NOLINT: the same
  BOOST_TEST(third.unpack<std::shared_ptr<int>>().value() == value);
  BOOST_TEST(value.use_count() == 1);
}

BOOST_AUTO_TEST_CASE(a_parcel_ends_its_value_once_wherever_it_lies) {
  const auto kept = std::make_shared<int>(1);
  {
    Parcel small = Parcel::of(kept);
    Parcel large = Parcel::of(Large{.kept = kept});
    BOOST_TEST(kept.use_count() == 3);
    const Parcel moved_small = std::move(small);
    const Parcel moved_large = std::move(large);
    BOOST_TEST(kept.use_count() == 3);
  }
  BOOST_TEST(kept.use_count() == 1);
  Parcel replaced = Parcel::of(kept);
  replaced = Parcel();
  BOOST_TEST(kept.use_count() == 1);
  Parcel large = Parcel::of(Large{.kept = kept});
  BOOST_TEST(large.unpack<Large>().value().kept == kept);
  BOOST_TEST(kept.use_count() == 1);
}

BOOST_AUTO_TEST_SUITE_END()
}  // namespace watchlab::runtime
