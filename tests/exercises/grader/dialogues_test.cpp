#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <boost/test/unit_test.hpp>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "exercises/toolkit/remote_codec.hpp"

namespace watchlab::course {

BOOST_AUTO_TEST_SUITE(dialogues_test)

namespace {

using Texts = std::vector<std::string>;

/// Both ends of a connection. The other side's answers are sent before they are asked for.
class Connected {
 public:
  Connected() {
    if (::socketpair(AF_UNIX, SOCK_STREAM, 0, ends_.data()) != 0) {
      throw std::runtime_error("no connection");
    }
    ::fcntl(ends_[0], F_SETFL, O_NONBLOCK);  // who waits for what does not come fails
    dialogues = std::make_unique<Dialogues>(ends_[0]);
    other_ = std::make_unique<MessageStream>(ends_[1]);
  }
  Connected(const Connected&) = delete;
  Connected& operator=(const Connected&) = delete;
  ~Connected() {
    ::close(ends_[0]);
    ::close(ends_[1]);
  }

  /// A run of these messages: the answers that come when the other side, if it is asked, gives
  /// `answers`.
  Texts run(const Texts& messages, const Texts& answers) {
    for (const std::string& answer : answers) {
      BOOST_REQUIRE(other_->send(answer));
    }
    dialogues->begin_run("first", "again");
    Texts got;
    for (const std::string& message : messages) {
      BOOST_REQUIRE(dialogues->send(message));
      if (dialogues->has_changed()) {
        break;
      }
      BOOST_REQUIRE(dialogues->receive(got.emplace_back()));
    }
    return got;
  }

  /// What has arrived there.
  Texts arrived() {
    BOOST_REQUIRE(::shutdown(ends_[0], SHUT_WR) == 0);
    Texts texts;
    for (std::string text; other_->receive(text);) {
      texts.push_back(text);
    }
    return texts;
  }

  std::unique_ptr<Dialogues> dialogues;

 private:
  std::array<int, 2> ends_{};
  std::unique_ptr<MessageStream> other_;
};

}  // namespace

BOOST_AUTO_TEST_CASE(the_other_side_gets_each_run_when_none_is_remembered) {
  Connected connected;
  BOOST_TEST(connected.run({"a", "b"}, {"1", "2"}) == (Texts{"1", "2"}));
  BOOST_TEST(connected.run({"a", "b"}, {"3", "4"}) == (Texts{"3", "4"}));
  BOOST_TEST(connected.arrived() == (Texts{"first", "a", "b", "first", "a", "b"}));
}

BOOST_AUTO_TEST_CASE(a_run_of_before_is_answered_without_the_other_side) {
  Connected connected;
  connected.dialogues->remember();
  BOOST_TEST(connected.run({"a", "b"}, {"1", "2"}) == (Texts{"1", "2"}));
  BOOST_TEST(connected.run({"a", "b"}, {}) == (Texts{"1", "2"}));
  BOOST_TEST(connected.run({"a"}, {}) == (Texts{"1"}));
  BOOST_TEST(connected.arrived() == (Texts{"first", "a", "b"}));
}

BOOST_AUTO_TEST_CASE(at_what_is_new_the_other_side_gets_the_run_until_then) {
  Connected connected;
  connected.dialogues->remember();
  BOOST_TEST(connected.run({"a", "b"}, {"1", "2"}) == (Texts{"1", "2"}));
  BOOST_TEST(connected.run({"a", "c", "b"}, {"1", "3", "4"}) == (Texts{"1", "3", "4"}));
  BOOST_TEST(connected.run({"a", "c", "b"}, {}) == (Texts{"1", "3", "4"}));
  BOOST_TEST(connected.run({"b", "a"}, {"5", "6"}) == (Texts{"5", "6"}));
  BOOST_TEST(connected.arrived() ==
             (Texts{"first", "a", "b", "again", "a", "c", "b", "again", "b", "a"}));
}

BOOST_AUTO_TEST_CASE(after_another_answer_nothing_more_is_sent) {
  Connected connected;
  connected.dialogues->remember();
  BOOST_TEST(connected.run({"a", "b"}, {"1", "2"}) == (Texts{"1", "2"}));
  BOOST_TEST(connected.run({"a", "c", "b"}, {"other"}) == (Texts{"1"}));
  BOOST_TEST(connected.dialogues->has_changed());
  BOOST_TEST(!connected.dialogues->forget());
  BOOST_TEST(connected.run({"a"}, {"3"}) == (Texts{"3"}));
  BOOST_TEST(connected.arrived() == (Texts{"first", "a", "b", "again", "a", "first", "a"}));
}

BOOST_AUTO_TEST_CASE(what_was_forgotten_is_asked_for_anew) {
  Connected connected;
  connected.dialogues->remember();
  BOOST_TEST(connected.run({"a"}, {"1"}) == (Texts{"1"}));
  BOOST_TEST(connected.dialogues->forget());
  connected.dialogues->remember();
  BOOST_TEST(connected.run({"a"}, {"2"}) == (Texts{"2"}));
  BOOST_TEST(connected.arrived() == (Texts{"first", "a", "first", "a"}));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace watchlab::course
