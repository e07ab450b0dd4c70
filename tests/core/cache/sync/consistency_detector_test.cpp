#include "core/cache/sync/consistency_detector.hpp"

#include <boost/test/unit_test.hpp>

#include "core/cache/delta_fifo.hpp"
#include "core/cache/real_fifo.hpp"
#include "sim/explore/explore.hpp"
#include "tests/core/cache/scripted_server.hpp"

namespace watchlab::tests {

BOOST_AUTO_TEST_SUITE(consistency_detector_test)

namespace {

api::ObjectPtr with_uid(const std::string& key, const std::string& version) {
  api::Object made = *object(key, version);
  made.metadata.uid = "uid of " + key;
  return std::make_shared<const api::Object>(made);
}

watch::Event addition(const api::ObjectPtr& object) {
  return event(watch::EventType::Added, object);
}

/// A reflector of 0.37 that compares what is streamed with what is listed.
struct CheckingStage : ReflectorStage {
  explicit CheckingStage(runtime::Runtime& runtime_in) : ReflectorStage(runtime_in) {
    options.streams_lists = true;
    options.checks_consistency = true;
    server->stream({addition(with_uid("b", "3")), addition(with_uid("a", "2")), mark("7")});
  }
};

/// How the panic of such a reflector ends a run; "" for none.
std::string panic_of(const std::function<void(CheckingStage&)>& script) {
  const sim::ExploreResult played =
      sim::explore({.strategy = "fifo"}, [&](runtime::Runtime& runtime) {
        CheckingStage stage(runtime);
        script(stage);
        stage.run_for(1min);
      });
  return played.failure ? played.failure->sentence : "";
}

}  // namespace

// Mirrors TestReflectorDataConsistencyDetector, and TestDataConsistencyChecker and
// TestDataConsistencyCheckerRetry of util/consistencydetector.
BOOST_AUTO_TEST_CASE(a_streamed_list_is_compared_with_a_list_at_exactly_its_revision) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    CheckingStage stage(runtime);
    for (int i = 0; i < 4; ++i) {
      stage.server->answer_list(error_of_kind(api::ErrorKind::Other));
    }
    stage.server->answer_list(listing("7", {with_uid("a", "2"), with_uid("b", "3")}));
    stage.run_for(1min);
    expect_equal(stage.server->story(), "watch latest, list 7, list 7, list 7, list 7, list 7");
    const auto requests = stage.server->requests();
    for (std::size_t i = 1; i < requests.size(); ++i) {
      expect(requests[i].options ==
                 api::ListOptions{.resource_version = "7",
                                  .resource_version_match = api::ResourceVersionMatch::Exact},
             "exactly that one, and all of it");
      expect(i == 1 || requests[i].at - requests[i - 1].at == 1s,
             "a failed list is asked for again");
    }
    expect(stage.store->minutes().starts_with("replace "), "the store has taken it then");
  });
}

// Mirrors TestDataConsistencyChecker, its rows without objects and without uids.
BOOST_AUTO_TEST_CASE(an_empty_list_and_objects_without_uids_are_compared_as_well) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    for (const std::vector<api::ObjectPtr>& items :
         {std::vector<api::ObjectPtr>{}, {object("a", "1"), object("b", "1")}}) {
      ScriptedServer server(runtime);
      server.answer_list(listing("2", items));
      cache::check_data_consistency(runtime, {}, server,
                                    {.name = "test", .resource_version = "2", .items = items});
      expect_equal(server.story(), "list 2");
    }
  });
}

BOOST_AUTO_TEST_CASE(another_list_than_the_streamed_one_panics) {
  BOOST_TEST(panic_of([](CheckingStage& stage) {
               stage.server->answer_list(listing("7", {with_uid("a", "2"), with_uid("b", "4")}));
             }).find("b differs") != std::string::npos);
  BOOST_TEST(panic_of([](CheckingStage& stage) {
               stage.server->answer_list(listing("7", {with_uid("a", "2")}));
             }).find("2 objects were streamed and 1 listed") != std::string::npos);
  BOOST_TEST(panic_of([](CheckingStage& stage) {
               stage.server->answer_list(
                   listing("7", {with_uid("a", "2"), with_uid("b", "3"), with_uid("c", "4")}));
             }).find("2 objects were streamed and 3 listed") != std::string::npos);
  holds_in_every_world([](runtime::Runtime& runtime) {
    ScriptedServer server(runtime);
    server.answer_list(listing("2", {with_uid("a", "1")}));
    expect_panic(
        [&] {
          cache::check_data_consistency(runtime, {}, server,
                                        {.name = "test", .resource_version = "2"});
        },
        "0 objects were streamed and 1 listed");
    expect_equal(server.story(), "list 2");  // Asked for once.
  });
}

BOOST_AUTO_TEST_CASE(a_stop_ends_the_comparison_and_a_revision_of_zero_needs_none) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    CheckingStage stopped(runtime);
    stopped.server->answer_list(refused());
    stopped.run_for(10'500ms);
    expect_equal(stopped.server->requests().back().at.count(),
                 std::chrono::nanoseconds(10s).count());
    cache::check_data_consistency(runtime, {}, *stopped.server,
                                  {.name = "test", .resource_version = "0"});
    expect_equal(static_cast<std::int64_t>(stopped.server->requests().size()), 12);
  });
}

// What was collected went through the queue's transformer, so what is listed goes through it, too.
BOOST_AUTO_TEST_CASE(what_is_listed_is_transformed_as_what_was_streamed) {
  const auto relabel = [](const api::ObjectPtr& given) {
    api::Object object = *given;
    object.metadata.labels["seen"] = "yes";
    return api::Result<api::ObjectPtr>(std::make_shared<const api::Object>(object));
  };
  const auto holds_with = [](const cache::TransformFunction& transformer, bool in_order) {
    holds_in_every_world([&](runtime::Runtime& runtime) {
      const auto server = std::make_shared<ScriptedServer>(runtime);
      server->answer_list(listing("7", {with_uid("a", "2")}));
      server->stream({addition(with_uid("a", "2")), mark("7")});
      std::shared_ptr<cache::Queue> queue = std::make_shared<cache::DeltaFIFO>(
          runtime, cache::DeltaFIFOOptions{.emit_replaced = true, .transformer = transformer});
      if (in_order) {
        queue = std::make_shared<cache::RealFIFO>(
            runtime, cache::RealFIFOOptions{.transformer = transformer, .atomic_events = true});
      }
      cache::Reflector reflector(runtime, server, queue,
                                 {.streams_lists = true, .checks_consistency = true});
      runtime::StopSource stop(runtime);
      const runtime::Task task =
          runtime::spawn(runtime, "reflector", [&] { reflector.run(stop.token()); });
      runtime::sleep_for(runtime, 1s);
      stop.stop();
      task.join();
      expect_equal(reflector.last_sync_resource_version(), "7");
      expect_equal(server->story(), "watch latest, list 7");
    });
  };
  for (const bool in_order : {false, true}) {
    holds_with(nullptr, in_order);
    holds_with(relabel, in_order);
  }
}

// Mirrors TestIsUnsupportedTableObject and the cases of Tables in TestReflectorListAndWatch.
BOOST_AUTO_TEST_CASE(a_table_is_no_list_and_no_object) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    const auto table = [](const char* api_version) {
      return event(watch::EventType::Added, std::make_shared<const api::Object>(api::Object{
                                                .api_version = api_version, .kind = "Table"}));
    };
    for (const bool refuses : {true, false}) {
      ReflectorStage stage(runtime);
      stage.options.refuses_tables = refuses;
      api::ObjectList answer = listing("5");
      answer.api_version = "meta.k8s.io/v1";
      answer.kind = "Table";
      stage.server->answer_list(answer);
      stage.server->answer_list(listing("6"));
      stage.server->stream({table("meta.k8s.io/v1beta1"), table("meta.k8s.io/v1"),
                            table("custom.group/v1"), added("a", "7")});
      stage.run_for(10s);
      expect_equal(stage.server->story(), refuses ? "list 0, list 0, watch 6" : "list 0, watch 5");
      expect(stage.store->minutes().ends_with(refuses ? "replace rv 6, add @, add a@7"
                                                      : "add @, add @, add @, add a@7"),
             stage.store->minutes());
    }
  });
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace watchlab::tests
