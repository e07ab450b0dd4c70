#include <boost/test/unit_test.hpp>

#include "tests/core/cache/scripted_server.hpp"

namespace watchlab::tests {

BOOST_AUTO_TEST_SUITE(reflector_list_test)

namespace {

using api::StatusReason;

api::Error too_large_today() {
  api::Status status = api::failure(StatusReason::Timeout, "scripted");
  status.details.causes.push_back({.reason = "ResourceVersionTooLarge", .message = "too new"});
  return api::error_from(status);
}

api::Error too_large_in_1_17() {
  api::Status status = api::failure(StatusReason::Timeout, "scripted");
  status.details.causes.push_back({.reason = "", .message = "Too large resource version"});
  return api::error_from(status);
}

api::Error too_large_before_1_17() {
  return api::error_from(
      api::failure(StatusReason::Timeout, "Timeout: Too large resource version: 10, current: 9"));
}

/// The limits of all lists, in order.
std::string limits_of(const ScriptedServer& server) {
  std::string text;
  for (const ScriptedServer::Request& request : server.requests()) {
    if (!request.is_watch) {
      text += fmt::format("{}{}", text.empty() ? "" : " ", request.options.limit);
    }
  }
  return text;
}

/// The tokens of all lists, in order; "-" for none.
std::string tokens_of(const ScriptedServer& server) {
  std::string text;
  for (const ScriptedServer::Request& request : server.requests()) {
    if (!request.is_watch) {
      const std::string& token = request.options.continue_token;
      text += (text.empty() ? "" : " ") + (token.empty() ? "-" : token);
    }
  }
  return text;
}

/// One cycle that ends because its watch sees a 410, which is no error.
void one_cycle(ReflectorStage& stage) {
  stage.server->stream({error_event(StatusReason::Expired)});
  const runtime::StopSource stop(stage.runtime);
  expect(stage.reflector().list_and_watch(stop.token()).ok(), "the cycle ends without an error");
}

/// Two objects of a list of four, with their keys in order.
std::vector<api::ObjectPtr> first_half() { return {object("a", "1"), object("b", "2")}; }
std::vector<api::ObjectPtr> second_half() { return {object("c", "3"), object("d", "4")}; }
std::vector<api::ObjectPtr> all_four() {
  return {object("a", "1"), object("b", "2"), object("c", "3"), object("d", "4")};
}

}  // namespace

// Mirrors TestReflectorResyncWithResourceVersion.
BOOST_AUTO_TEST_CASE(a_second_list_asks_for_the_revision_of_the_first) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    ReflectorStage stage(runtime);
    stage.server->answer_list(listing("10", first_half()));
    stage.server->answer_list(listing("11", all_four()));
    one_cycle(stage);
    one_cycle(stage);
    expect_equal(stage.server->story(), "list 0, watch 10, list 10, watch 11");
    expect_equal(stage.store->minutes(), "replace a@1 b@2 rv 10, replace a@1 b@2 c@3 d@4 rv 11");
  });
}

// Mirrors TestReflectorExpiredExactResourceVersion.
BOOST_AUTO_TEST_CASE(an_expired_list_is_asked_again_at_once_for_the_latest) {
  for (const StatusReason reason : {StatusReason::Expired, StatusReason::Gone}) {
    holds_in_every_world([reason](runtime::Runtime& runtime) {
      ReflectorStage stage(runtime);
      stage.server->answer_list(listing("10", first_half()));
      one_cycle(stage);
      const runtime::TimePoint start = runtime.now();
      stage.server->answer_list(status_error(reason));
      stage.server->answer_list(listing("20", all_four()));
      one_cycle(stage);
      expect(runtime.now() == start, "no pause lies between the two lists");
      one_cycle(stage);
      expect_equal(stage.server->story(),
                   "list 0, watch 10, list 10, list latest, watch 20, list 20, watch 20");
      expect_equal(stage.store->minutes(),
                   "replace a@1 b@2 rv 10, replace a@1 b@2 c@3 d@4 rv 20, "
                   "replace a@1 b@2 c@3 d@4 rv 20");
    });
  }
}

// Kubernetes issue 133810: a server answers a list that names a revision and a limit at that very
// revision, until its store has compacted it.
BOOST_AUTO_TEST_CASE(a_list_in_pages_comes_back_to_the_revision_that_is_too_old_to_watch) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    ReflectorStage stage(runtime);
    stage.options.watch_list_page_size = 4;
    for (int i = 0; i < 3; ++i) {
      stage.server->answer_list(listing("10", first_half()));
    }
    stage.server->answer_list(status_error(StatusReason::Expired));
    stage.server->answer_list(listing("20", all_four()));
    for (int i = 0; i < 4; ++i) {
      one_cycle(stage);
    }
    expect_equal(stage.server->story(),
                 "list 0, watch 10, list 10, watch 10, list 10, watch 10, list 10, list latest, "
                 "watch 20");
    expect_equal(limits_of(*stage.server), "4 4 4 4 4");
  });
}

// Mirrors TestReflectorFullListIfTooLarge.
BOOST_AUTO_TEST_CASE(a_too_large_revision_of_any_server_generation_leads_to_the_latest) {
  for (const api::Error& error :
       {too_large_today(), too_large_in_1_17(), too_large_before_1_17()}) {
    holds_in_every_world([&error](runtime::Runtime& runtime) {
      ReflectorStage stage(runtime);
      stage.server->answer_list(listing("10"));
      one_cycle(stage);
      stage.server->answer_list(error);
      stage.server->answer_list(listing("9"));
      one_cycle(stage);
      expect_equal(stage.server->story(), "list 0, watch 10, list 10, list latest, watch 9");
    });
  }
}

// Mirrors TestReflectorFullListIfTooLarge, its one reflector.
BOOST_AUTO_TEST_CASE(each_too_large_revision_leads_to_the_latest_anew) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    ReflectorStage stage(runtime);
    stage.server->answer_list(listing("20"));
    one_cycle(stage);
    int revision = 30;
    for (const api::Error& error :
         {too_large_today(), too_large_in_1_17(), too_large_before_1_17()}) {
      stage.server->answer_list(error);
      stage.server->answer_list(listing(std::to_string(revision)));
      one_cycle(stage);
      revision += 10;
    }
    expect_equal(stage.server->story(),
                 "list 0, watch 20, list 20, list latest, watch 30, list 30, list latest, "
                 "watch 40, list 40, list latest, watch 50");
  });
}

BOOST_AUTO_TEST_CASE(a_plain_timeout_is_not_taken_for_a_too_large_revision) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    ReflectorStage stage(runtime);
    stage.server->answer_list(status_error(StatusReason::Timeout));
    const runtime::StopSource stop(runtime);
    expect(!stage.reflector().list_and_watch(stop.token()).ok(), "the cycle fails");
    expect_equal(stage.server->story(), "list 0");
  });
}

BOOST_AUTO_TEST_CASE(when_the_latest_fails_too_the_next_cycle_begins_with_the_latest) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    ReflectorStage stage(runtime);
    stage.server->answer_list(status_error(StatusReason::Expired));
    stage.server->answer_list(status_error(StatusReason::InternalError));
    stage.server->answer_list(listing("30"));
    const runtime::StopSource stop(runtime);
    const api::Result<void> cycle = stage.reflector().list_and_watch(stop.token());
    expect(!cycle.ok(), "the cycle fails");
    expect_equal(cycle.error().message, "failed to list <unspecified>: scripted");
    one_cycle(stage);
    expect_equal(stage.server->story(), "list 0, list latest, list latest, watch 30");
  });
}

// Mirrors TestReflectorFullListIfExpired.
BOOST_AUTO_TEST_CASE(a_page_that_expires_leads_to_one_full_list_at_the_same_revision) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    ReflectorStage stage(runtime);
    stage.options.watch_list_page_size = 4;
    stage.server->answer_list(listing("10", {object("a")}, "more"));
    stage.server->answer_list(status_error(StatusReason::Expired));
    stage.server->answer_list(listing("11", {object("a"), object("b")}));
    one_cycle(stage);
    const auto requests = stage.server->requests();
    expect(requests[1].options == api::ListOptions{.limit = 4, .continue_token = "more"},
           "the second page names no revision");
    expect(requests[2].options == api::ListOptions{.resource_version = "0"},
           "the full list has the first page's revision and no limit");
    expect_equal(stage.store->minutes(), "replace a@1 b@1 rv 11");
  });
}

// Mirrors TestReflectorFullListIfExpired.
BOOST_AUTO_TEST_CASE(a_page_of_a_second_list_that_expires_leads_to_one_full_list_at_its_revision) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    ReflectorStage stage(runtime);
    stage.options.watch_list_page_size = 2;
    stage.server->answer_list(listing("10", first_half()));
    one_cycle(stage);
    stage.server->answer_list(listing("11", first_half(), "more"));
    stage.server->answer_list(status_error(StatusReason::Expired));
    stage.server->answer_list(listing("11", all_four()));
    one_cycle(stage);
    std::vector<api::ListOptions> lists;
    for (const ScriptedServer::Request& request : stage.server->requests()) {
      if (!request.is_watch) {
        lists.push_back(request.options);
      }
    }
    const std::vector<api::ListOptions> expected{{.resource_version = "0", .limit = 2},
                                                 {.resource_version = "10", .limit = 2},
                                                 {.limit = 2, .continue_token = "more"},
                                                 {.resource_version = "10"}};
    expect(lists == expected, "four lists, with these options");
    expect_equal(stage.store->minutes(), "replace a@1 b@2 rv 10, replace a@1 b@2 c@3 d@4 rv 11");
  });
}

// Mirrors TestReflectorWatchListPageSize.
BOOST_AUTO_TEST_CASE(pages_are_merged_under_the_first_ones_revision) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    ReflectorStage stage(runtime);
    stage.options.watch_list_page_size = 2;
    stage.server->answer_list(listing("10", {object("a"), object("b")}, "second"));
    stage.server->answer_list(listing("15", {object("c"), object("d")}, "third"));
    stage.server->answer_list(listing("20", {object("e")}));
    one_cycle(stage);
    expect_equal(stage.store->minutes(), "replace a@1 b@1 c@1 d@1 e@1 rv 10");
    expect_equal(limits_of(*stage.server), "2 2 2");
    expect_equal(stage.server->story(), "list 0, list latest, list latest, watch 10");
    expect_equal(tokens_of(*stage.server), "- second third");
    // A page size that was asked for holds for lists at a definite revision too.
    stage.server->answer_list(listing("20", first_half(), "fourth"));
    stage.server->answer_list(listing("20", second_half()));
    one_cycle(stage);
    expect_equal(limits_of(*stage.server), "2 2 2 2 2");
    expect_equal(tokens_of(*stage.server), "- second third - fourth");
    expect_equal(stage.server->story(),
                 "list 0, list latest, list latest, watch 10, list 10, list latest, watch 20");
    expect_equal(stage.store->minutes(),
                 "replace a@1 b@1 c@1 d@1 e@1 rv 10, replace a@1 b@2 c@3 d@4 rv 20");
  });
}

// Mirrors TestReflectorNotPaginatingNotConsistentReads.
BOOST_AUTO_TEST_CASE(a_list_at_a_definite_revision_has_no_limit) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    ReflectorStage stage(runtime);
    stage.server->answer_list(listing("10"));
    stage.server->answer_list(listing("10", all_four()));
    one_cycle(stage);
    one_cycle(stage);
    expect_equal(limits_of(*stage.server), "500 0");
    expect_equal(stage.server->story(), "list 0, watch 10, list 10, watch 10");
    expect_equal(stage.store->minutes(), "replace rv 10, replace a@1 b@2 c@3 d@4 rv 10");
  });
}

// Mirrors TestReflectorPaginatingNonConsistentReadsIfWatchCacheDisabled.
BOOST_AUTO_TEST_CASE(once_a_list_for_zero_came_in_pages_all_lists_ask_for_pages) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    ReflectorStage stage(runtime);
    for (int i = 0; i < 2; ++i) {
      stage.server->answer_list(listing("10", first_half(), "more"));
      stage.server->answer_list(listing("10", second_half()));
      one_cycle(stage);
    }
    expect_equal(limits_of(*stage.server), "500 500 500 500");
    expect_equal(tokens_of(*stage.server), "- more - more");
    expect_equal(stage.server->story(),
                 "list 0, list latest, watch 10, list 10, list latest, watch 10");
    expect_equal(stage.store->minutes(),
                 "replace a@1 b@2 c@3 d@4 rv 10, replace a@1 b@2 c@3 d@4 rv 10");
  });
}

BOOST_AUTO_TEST_CASE(pages_of_a_list_for_the_latest_say_nothing_about_the_servers_cache) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    ReflectorStage stage(runtime);
    stage.server->answer_list(listing("10"));
    one_cycle(stage);
    stage.server->answer_list(status_error(StatusReason::Expired));
    stage.server->answer_list(listing("20", {object("a")}, "more"));
    stage.server->answer_list(listing("20", {object("b")}));
    one_cycle(stage);
    one_cycle(stage);
    expect_equal(limits_of(*stage.server), "500 0 0 0 0");
  });
}

BOOST_AUTO_TEST_CASE(the_error_handler_is_notified_of_failed_cycles_only) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    ReflectorStage stage(runtime);
    std::string received;
    stage.options.watch_error_handler = [&](cache::Reflector&, const api::Error& error) {
      received += error.message + "; ";
    };
    stage.server->answer_list(status_error(StatusReason::Forbidden));
    stage.server->answer_list(listing("10"));
    stage.server->refuse_watch(status_error(StatusReason::Gone));
    stage.server->stream({error_event(StatusReason::Expired)});
    stage.server->stream({}, Ending::Closed);
    stage.run_for(10min);
    expect_equal(received, "failed to list <unspecified>: scripted; scripted; ");
    expect_equal(stage.server->story(),
                 "list 0, list 0, watch 10, list 10, watch 10, list 10, watch 10, list 10, "
                 "watch 10");
  });
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace watchlab::tests
