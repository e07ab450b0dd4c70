#include "core/client/wait_for_operation.hpp"

#include <boost/test/unit_test.hpp>
#include <deque>

#include "core/api/status.hpp"
#include "core/runtime/task.hpp"
#include "tests/support/campaign.hpp"
#include "tests/support/objects.hpp"

namespace watchlab::tests {

BOOST_AUTO_TEST_SUITE(wait_for_operation_test)

namespace {

using namespace std::chrono_literals;
using client::Answer;

/// A server that gives its answers one after the other, and what it was asked when.
struct Operations {
  explicit Operations(runtime::Runtime& runtime_in)
      : runtime(runtime_in), stop(runtime), began(runtime.now()) {}

  api::Result<Answer> wait(Answer first) {
    return client::wait_for_operation(
        runtime, stop.token(), std::move(first),
        {.ask =
             [this](const std::string& operation) {
               const auto seconds = (runtime.now() - began) / 1s;
               questions += operation + "@" + std::to_string(seconds) + " ";
               api::Result<Answer> answer = std::move(answers.front());
               answers.pop_front();
               return answer;
             },
         .period = period});
  }

  runtime::Runtime& runtime;
  runtime::StopSource stop;
  runtime::TimePoint began;
  runtime::Duration period = 2s;
  std::deque<api::Result<Answer>> answers;
  std::string questions;
};

std::string to_string(const api::Result<Answer>& answer) {
  return std::get<api::ObjectPtr>(answer.value())->metadata.name;
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_working_answer_is_asked_about_until_the_object_is_there) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    Operations operations(runtime);
    operations.answers = {Answer(api::working("17")), Answer(api::working("18")),
                          Answer(object("demo"))};
    const auto answer = operations.wait(api::working("17"));
    expect_equal(to_string(answer), "demo");
    expect_equal(operations.questions, "17@2 17@4 18@6 ");
  });
}

BOOST_AUTO_TEST_CASE(a_final_answer_is_given_back_without_a_question) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    Operations operations(runtime);
    expect_equal(to_string(operations.wait(object("demo"))), "demo");
    api::Status success;
    success.status = "Success";
    const auto answer = operations.wait(success);
    expect(std::get<api::Status>(answer.value()) == success, "a success is no error");
    expect_equal(operations.questions, "");
  });
}

BOOST_AUTO_TEST_CASE(an_operation_that_fails_later_is_an_error) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    Operations operations(runtime);
    operations.answers = {Answer(api::failure(api::StatusReason::Conflict, "too late"))};
    const auto answer = operations.wait(api::working("17"));
    expect(!answer.ok() && api::is_conflict(answer.error()), "the failure's own reason");
    expect_equal(answer.error().message, "too late");
  });
}

BOOST_AUTO_TEST_CASE(a_question_that_fails_ends_the_wait) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    Operations operations(runtime);
    operations.answers = {api::Error{.kind = api::ErrorKind::ConnectionRefused}};
    const auto answer = operations.wait(api::working("17"));
    expect(answer.error().kind == api::ErrorKind::ConnectionRefused, "the question's error");
  });
}

BOOST_AUTO_TEST_CASE(an_operation_without_a_way_to_ask_about_it_is_an_error_with_its_status) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    Operations operations(runtime);
    const auto nameless = operations.wait(api::working(""));
    expect_equal(nameless.error().status.code, 202);
    operations.period = 0s;
    const auto unasked = operations.wait(api::working("17"));
    expect_equal(unasked.error().status.details.name, "17");
    expect_equal(operations.questions, "");
  });
}

BOOST_AUTO_TEST_CASE(a_word_that_is_no_state_is_no_success) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    Operations operations(runtime);
    api::Status odd;
    odd.status = "Pondering";
    expect(!operations.wait(odd).ok(), "it is not known how it ended");
  });
}

BOOST_AUTO_TEST_CASE(a_stop_ends_the_pause_between_two_questions) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    Operations operations(runtime);
    const auto task = runtime::spawn(runtime, "stopper", [&] {
      runtime::sleep_for(runtime, 1s);
      operations.stop.stop();
    });
    const auto answer = operations.wait(api::working("17"));
    task.join();
    expect(answer.error().kind == api::ErrorKind::Cancelled, "it was stopped");
    expect_equal(operations.questions, "");
  });
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace watchlab::tests
