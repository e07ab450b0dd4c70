#include "sim/http/connection_budget.hpp"

#include <boost/test/unit_test.hpp>
#include <string>
#include <vector>

using namespace watchlab::sim;

// What connections share: nobody is refused because of others, and who holds longest pays.

BOOST_AUTO_TEST_SUITE(connection_budget_test)

namespace {

constexpr std::size_t kPiece = std::size_t{64} << 10;

struct Connection final : ConnectionBudget::Connection {
  Connection(ConnectionBudget& budget_in, std::vector<std::string>& gone_in, std::string name_in,
             const std::string& address)
      : budget(budget_in), gone(gone_in), name(std::move(name_in)) {
    budget.enter(*this, address);
  }
  ~Connection() override { budget.leave(*this); }
  void give_up_room() override { gone.push_back(name); }
  void give_up_place() override { gone.push_back("place of " + name); }
  [[nodiscard]] bool is_waiting() const override { return waits; }

  ConnectionBudget& budget;
  std::vector<std::string>& gone;
  std::string name;
  bool waits = true;
};

using Names = std::vector<std::string>;

}  // namespace

BOOST_AUTO_TEST_CASE(who_holds_longest_gives_up_and_never_the_one_that_asks) {
  Names gone;
  ConnectionBudget budget(10);
  Connection a(budget, gone, "a", "x");
  Connection b(budget, gone, "b", "x");
  Connection c(budget, gone, "c", "x");
  budget.keep(b, 4);
  budget.keep(a, 4);
  budget.keep(c, 2);
  BOOST_TEST(gone == Names{});
  budget.keep(c, 3);
  BOOST_TEST(gone == Names{"b"});
  BOOST_TEST(budget.bytes() == 7U);
  budget.keep(c, 100);  // one answer may be as long as it is
  BOOST_TEST((gone == Names{"b", "a"}));
  BOOST_TEST(budget.bytes() == 100U);
  budget.keep(a, 1);
  BOOST_TEST((gone == Names{"b", "a", "c"}));
  BOOST_TEST(budget.bytes() == 1U);
}

BOOST_AUTO_TEST_CASE(bytes_that_move_count_and_a_byte_now_and_then_does_not) {
  Names gone;
  ConnectionBudget budget(10);
  Connection trickles(budget, gone, "trickles", "x");
  Connection moves(budget, gone, "moves", "x");
  Connection asks(budget, gone, "asks", "x");
  budget.keep(moves, 4);
  budget.keep(trickles, 4);
  budget.moved(moves, kPiece);
  for (int i = 0; i < 100; ++i) {
    budget.moved(trickles, 1);
  }
  budget.keep(asks, 5);
  BOOST_TEST(gone == Names{"trickles"});
}

BOOST_AUTO_TEST_CASE(the_address_that_holds_most_pays_for_itself) {
  Names gone;
  ConnectionBudget budget(10);
  Connection calm(budget, gone, "calm", "calm");
  Connection first(budget, gone, "first", "heavy");
  Connection second(budget, gone, "second", "heavy");
  budget.keep(calm, 3);  // for longest
  budget.keep(first, 3);
  budget.keep(second, 3);
  Connection third(budget, gone, "third", "heavy");
  budget.keep(third, 2);
  BOOST_TEST(gone == Names{"first"});
  budget.keep(second, 6);  // what it keeps itself is no reason to end one of its own
  BOOST_TEST((gone == Names{"first", "calm"}));
}

BOOST_AUTO_TEST_CASE(a_small_one_gives_up_only_when_no_larger_one_is_there) {
  Names gone;
  ConnectionBudget budget(3 * kPiece);
  Connection check(budget, gone, "check", "x");
  Connection first(budget, gone, "first", "x");
  Connection second(budget, gone, "second", "x");
  budget.keep(check, 100);
  budget.keep(first, kPiece);
  budget.keep(second, 2 * kPiece);
  BOOST_TEST(gone == Names{"first"});
  budget.keep(second, 3 * kPiece);
  BOOST_TEST((gone == Names{"first", "check"}));
}

BOOST_AUTO_TEST_CASE(progress_begins_anew_after_each_64_kilobytes) {
  Names gone;
  ConnectionBudget budget(10);
  Connection first(budget, gone, "first", "x");
  Connection second(budget, gone, "second", "x");
  Connection asks(budget, gone, "asks", "x");
  budget.keep(first, 4);
  budget.keep(second, 4);
  budget.moved(first, kPiece);
  budget.moved(second, kPiece);
  budget.moved(first, 1);  // which is none yet
  budget.keep(asks, 5);
  BOOST_TEST(gone == Names{"first"});
}

BOOST_AUTO_TEST_CASE(what_one_says_when_it_gives_up_ends_no_other) {
  Names gone;
  ConnectionBudget budget(10);
  struct Talker final : ConnectionBudget::Connection {
    explicit Talker(ConnectionBudget& budget_in) : budget(budget_in) { budget.enter(*this, "x"); }
    ~Talker() override { budget.leave(*this); }
    void give_up_room() override { budget.keep(*this, 100); }
    void give_up_place() override {}
    [[nodiscard]] bool is_waiting() const override { return true; }
    ConnectionBudget& budget;
  } talker(budget);
  Connection calm(budget, gone, "calm", "x");
  Connection asks(budget, gone, "asks", "x");
  budget.keep(talker, 4);
  budget.keep(calm, 4);
  budget.keep(asks, 5);
  BOOST_TEST(gone == Names{});
  BOOST_TEST(budget.bytes() == 9U);
}

BOOST_AUTO_TEST_CASE(what_a_connection_kept_goes_with_it) {
  Names gone;
  ConnectionBudget budget(10);
  Connection calm(budget, gone, "calm", "calm");
  Connection asks(budget, gone, "asks", "heavy");
  {
    Connection other(budget, gone, "other", "heavy");
    budget.keep(other, 8);
  }
  BOOST_TEST(budget.bytes() == 0U);
  budget.keep(calm, 5);
  budget.keep(asks, 5);
  BOOST_TEST(gone == Names{});
}

BOOST_AUTO_TEST_CASE(an_answer_that_is_gone_is_progress) {
  Names gone;
  ConnectionBudget budget(10);
  Connection answered(budget, gone, "answered", "x");
  Connection idle(budget, gone, "idle", "x");
  budget.keep(answered, 4);
  budget.keep(answered, 0);
  BOOST_TEST(budget.make_place());
  BOOST_TEST(gone == Names{"place of idle"});
}

BOOST_AUTO_TEST_CASE(a_place_is_made_by_one_that_waits_of_the_address_with_most) {
  Names gone;
  ConnectionBudget budget(10);
  Connection calm(budget, gone, "calm", "calm");
  Connection watches(budget, gone, "watches", "heavy");
  Connection idle(budget, gone, "idle", "heavy");
  Connection later(budget, gone, "later", "heavy");
  watches.waits = false;
  BOOST_TEST(budget.make_place());
  BOOST_TEST(gone == Names{"place of idle"});
  budget.moved(idle, kPiece);  // it has asked since
  BOOST_TEST(budget.make_place());
  BOOST_TEST(gone.back() == "place of later");
  idle.waits = later.waits = calm.waits = false;
  BOOST_TEST(!budget.make_place());
}

BOOST_AUTO_TEST_SUITE_END()
