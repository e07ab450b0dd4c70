#include "sim/http/room.hpp"

#include <boost/test/unit_test.hpp>
#include <string>
#include <vector>

using namespace watchlab::sim;

// What connections share: nobody is refused because of others, and who holds longest pays.

BOOST_AUTO_TEST_SUITE(room_test)

namespace {

constexpr std::size_t kPiece = std::size_t{64} << 10;

struct Connection final : Room::Guest {
  Connection(Room& room_in, std::vector<std::string>& gone_in, std::string name_in,
             const std::string& address)
      : room(room_in), gone(gone_in), name(std::move(name_in)) {
    room.enter(*this, address);
  }
  ~Connection() override { room.leave(*this); }
  void give_up_room() override { gone.push_back(name); }
  void give_up_place() override { gone.push_back("place of " + name); }
  [[nodiscard]] bool is_waiting() const override { return waits; }

  Room& room;
  std::vector<std::string>& gone;
  std::string name;
  bool waits = true;
};

using Names = std::vector<std::string>;

}  // namespace

BOOST_AUTO_TEST_CASE(who_holds_longest_gives_up_and_never_the_one_that_asks) {
  Names gone;
  Room room(10);
  Connection a(room, gone, "a", "x");
  Connection b(room, gone, "b", "x");
  Connection c(room, gone, "c", "x");
  room.keep(b, 4);
  room.keep(a, 4);
  room.keep(c, 2);
  BOOST_TEST(gone == Names{});
  room.keep(c, 3);
  BOOST_TEST(gone == Names{"b"});
  BOOST_TEST(room.bytes() == 7U);
  room.keep(c, 100);  // one answer may be as long as it is
  BOOST_TEST((gone == Names{"b", "a"}));
  BOOST_TEST(room.bytes() == 100U);
  room.keep(a, 1);
  BOOST_TEST((gone == Names{"b", "a", "c"}));
  BOOST_TEST(room.bytes() == 1U);
}

BOOST_AUTO_TEST_CASE(bytes_that_move_count_and_a_byte_now_and_then_does_not) {
  Names gone;
  Room room(10);
  Connection trickles(room, gone, "trickles", "x");
  Connection moves(room, gone, "moves", "x");
  Connection asks(room, gone, "asks", "x");
  room.keep(moves, 4);
  room.keep(trickles, 4);
  room.moved(moves, kPiece);
  for (int i = 0; i < 100; ++i) {
    room.moved(trickles, 1);
  }
  room.keep(asks, 5);
  BOOST_TEST(gone == Names{"trickles"});
}

BOOST_AUTO_TEST_CASE(the_address_that_holds_most_pays_for_itself) {
  Names gone;
  Room room(10);
  Connection calm(room, gone, "calm", "calm");
  Connection first(room, gone, "first", "heavy");
  Connection second(room, gone, "second", "heavy");
  room.keep(calm, 3);  // for longest
  room.keep(first, 3);
  room.keep(second, 3);
  Connection third(room, gone, "third", "heavy");
  room.keep(third, 2);
  BOOST_TEST(gone == Names{"first"});
  room.keep(second, 6);  // what it keeps itself is no reason to end one of its own
  BOOST_TEST((gone == Names{"first", "calm"}));
}

BOOST_AUTO_TEST_CASE(a_small_one_gives_up_only_when_no_larger_one_is_there) {
  Names gone;
  Room room(3 * kPiece);
  Connection check(room, gone, "check", "x");
  Connection first(room, gone, "first", "x");
  Connection second(room, gone, "second", "x");
  room.keep(check, 100);
  room.keep(first, kPiece);
  room.keep(second, 2 * kPiece);
  BOOST_TEST(gone == Names{"first"});
  room.keep(second, 3 * kPiece);
  BOOST_TEST((gone == Names{"first", "check"}));
}

BOOST_AUTO_TEST_CASE(progress_begins_anew_after_each_64_kilobytes) {
  Names gone;
  Room room(10);
  Connection first(room, gone, "first", "x");
  Connection second(room, gone, "second", "x");
  Connection asks(room, gone, "asks", "x");
  room.keep(first, 4);
  room.keep(second, 4);
  room.moved(first, kPiece);
  room.moved(second, kPiece);
  room.moved(first, 1);  // which is none yet
  room.keep(asks, 5);
  BOOST_TEST(gone == Names{"first"});
}

BOOST_AUTO_TEST_CASE(what_one_says_when_it_gives_up_ends_no_other) {
  Names gone;
  Room room(10);
  struct Talker final : Room::Guest {
    explicit Talker(Room& room_in) : room(room_in) { room.enter(*this, "x"); }
    ~Talker() override { room.leave(*this); }
    void give_up_room() override { room.keep(*this, 100); }
    void give_up_place() override {}
    [[nodiscard]] bool is_waiting() const override { return true; }
    Room& room;
  } talker(room);
  Connection calm(room, gone, "calm", "x");
  Connection asks(room, gone, "asks", "x");
  room.keep(talker, 4);
  room.keep(calm, 4);
  room.keep(asks, 5);
  BOOST_TEST(gone == Names{});
  BOOST_TEST(room.bytes() == 9U);
}

BOOST_AUTO_TEST_CASE(what_a_connection_kept_goes_with_it) {
  Names gone;
  Room room(10);
  Connection calm(room, gone, "calm", "calm");
  Connection asks(room, gone, "asks", "heavy");
  {
    Connection other(room, gone, "other", "heavy");
    room.keep(other, 8);
  }
  BOOST_TEST(room.bytes() == 0U);
  room.keep(calm, 5);
  room.keep(asks, 5);
  BOOST_TEST(gone == Names{});
}

BOOST_AUTO_TEST_CASE(an_answer_that_is_gone_is_progress) {
  Names gone;
  Room room(10);
  Connection answered(room, gone, "answered", "x");
  Connection idle(room, gone, "idle", "x");
  room.keep(answered, 4);
  room.keep(answered, 0);
  BOOST_TEST(room.make_place());
  BOOST_TEST(gone == Names{"place of idle"});
}

BOOST_AUTO_TEST_CASE(a_place_is_made_by_one_that_waits_of_the_address_with_most) {
  Names gone;
  Room room(10);
  Connection calm(room, gone, "calm", "calm");
  Connection watches(room, gone, "watches", "heavy");
  Connection idle(room, gone, "idle", "heavy");
  Connection later(room, gone, "later", "heavy");
  watches.waits = false;
  BOOST_TEST(room.make_place());
  BOOST_TEST(gone == Names{"place of idle"});
  room.moved(idle, kPiece);  // it has asked since
  BOOST_TEST(room.make_place());
  BOOST_TEST(gone.back() == "place of later");
  idle.waits = later.waits = calm.waits = false;
  BOOST_TEST(!room.make_place());
}

BOOST_AUTO_TEST_SUITE_END()
