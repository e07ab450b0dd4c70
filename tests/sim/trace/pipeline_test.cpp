#include <boost/test/unit_test.hpp>
#include <string>
#include <vector>

#include "sim/trace/pictures.hpp"
#include "tests/sim/trace/stories.hpp"

namespace watchlab::tests {

BOOST_AUTO_TEST_SUITE(pipeline_test)

/// A run of the notes alone, each at the task that would make it.
sim::RunResult run_of(const std::vector<sim::NoteRecord>& notes) {
  sim::RunResult run;
  run.notes = notes;
  return run;
}

sim::NoteRecord note(std::string task, std::string kind, std::string subject, std::string text) {
  sim::NoteRecord record;
  record.task = std::move(task);
  record.kind = std::move(kind);
  record.subject = std::move(subject);
  record.text = std::move(text);
  return record;
}

/// The name of the node with that label, as in `n4 [pos="…", …, label="ADDED"]`; "" without one.
std::string node_of(const std::string& dot, const std::string& label) {
  const std::size_t at = dot.find("label=\"" + label + "\"]");
  if (at == std::string::npos) {
    return "";
  }
  const std::size_t line = dot.rfind("\n  ", at) + 3;
  return dot.substr(line, dot.find(' ', line) - line);
}

bool leads(const std::string& dot, const std::string& from, const std::string& to) {
  return says(dot, "  " + node_of(dot, from) + " -> " + node_of(dot, to) + " [");
}

BOOST_AUTO_TEST_CASE(a_change_is_followed_from_the_server_to_the_handler) {
  const std::string dot = sim::pipeline_dot(
      run_of({note("main", "write", "default/a", "ADDED configmaps rv=3"),
              note("main/app/reflector", "receive", "m1", "server app ADDED default/a rv=3"),
              note("main/app/reflector", "delta", "default/a", "Added"),
              note("main/app", "pop", "default/a", "Added"),
              note("main/app/processor/listener-run", "handler", "app", "add: a rv \"3\"")}),
      {.clients = {"app"}}, {.title = "life"});
  BOOST_TEST(leads(dot, "ADDED configmaps rv=3 default/a", "ADDED default/a rv=3"), dot);
  BOOST_TEST(leads(dot, "ADDED default/a rv=3", "Added default/a"), dot);
  BOOST_TEST(says(dot, "-> " + node_of(dot, "add: a rv \\\"3\\\"") + " ["), dot);
  BOOST_TEST(says(dot, "label=\"app: delivered\""), dot);
}

BOOST_AUTO_TEST_CASE(events_that_wait_for_the_queue_lead_to_their_own_deltas) {
  const std::string dot = sim::pipeline_dot(
      run_of({note("main/app/reflector", "receive", "m1", "server app ADDED default/a rv=3"),
              note("main/app/reflector", "receive", "m2", "server app MODIFIED default/a rv=4"),
              note("main/app/reflector", "delta", "default/a", "Added"),
              note("main/app/reflector", "delta", "default/a", "Updated"),
              note("main/app", "pop", "default/a", "Added Updated")}),
      {.clients = {"app"}}, {.title = "two"});
  BOOST_TEST(leads(dot, "ADDED default/a rv=3", "Added default/a"), dot);
  BOOST_TEST(leads(dot, "MODIFIED default/a rv=4", "Updated default/a"), dot);
  BOOST_TEST(leads(dot, "Added default/a", "Added Updated default/a"), dot);
  BOOST_TEST(leads(dot, "Updated default/a", "Added Updated default/a"), dot);
}

BOOST_AUTO_TEST_CASE(what_a_relist_finds_comes_from_the_list_and_a_resync_from_nothing) {
  const std::string dot = sim::pipeline_dot(
      run_of({note("main", "write", "default/a", "DELETED configmaps rv=4"),
              note("main/app/reflector/list", "receive", "m1", "server app 200 rv=4"),
              note("main/app/reflector", "delta", "default/a", "Deleted"),
              note("main/app/reflector", "delta", "default/b", "Sync"),
              note("main", "story", "end", ""), note("main/app", "pop", "default/b", "Sync")}),
      {.clients = {"app"}}, {.title = "relist"});
  BOOST_TEST(leads(dot, "list rv=4", "Deleted default/a"), dot);
  BOOST_TEST(!says(dot, "-> " + node_of(dot, "Sync default/b") + " ["), dot);
  BOOST_TEST(!says(dot, node_of(dot, "DELETED configmaps rv=4 default/a") + " ->"), dot);
  BOOST_TEST(dot.find("Sync default/b") == dot.rfind("Sync default/b"), "what comes after the end");
}

/// Two changes of an object, of which only what comes after the first is drawn.
BOOST_AUTO_TEST_CASE(a_part_of_a_run_has_the_arrows_of_the_whole) {
  const std::vector<sim::NoteRecord> notes{
      note("main/app/reflector", "receive", "m1", "server app MODIFIED default/a rv=3"),
      note("main/app/reflector", "receive", "m2", "server app MODIFIED default/a rv=4"),
      note("main/app/reflector", "delta", "default/a", "Updated"),
      note("main/app", "pop", "default/a", "Updated"),
      note("main/app/reflector", "delta", "default/a", "Updated")};
  std::vector<sim::NoteRecord> shown(notes.begin() + 1, notes.end());
  sim::NoteRecord mark;
  mark.kind = "turn";
  mark.text = "step 7 decides";
  shown.insert(shown.begin() + 1, mark);
  shown.erase(shown.end() - 2);
  const std::string dot =
      sim::pipeline_dot(run_of(notes), {.clients = {"app"}, .shown = shown}, {.title = "a part"});
  const std::string event = node_of(dot, "MODIFIED default/a rv=4");
  const std::size_t first = dot.find("label=\"Updated default/a\"]");
  const std::size_t second = dot.rfind("label=\"Updated default/a\"]");
  BOOST_TEST_REQUIRE(first < second);
  const std::size_t arrow = dot.find("  " + event + " -> ");
  BOOST_TEST(arrow != std::string::npos, dot);
  BOOST_TEST(arrow > second, "the first Updated is of an event that is not drawn: " + dot);
  BOOST_TEST(!says(dot, "rv=3"), dot);
  BOOST_TEST(says(dot, "◆ step 7 decides"), dot);
}

BOOST_AUTO_TEST_CASE(a_resync_comes_from_no_event_and_a_new_stream_forgets_the_old_one) {
  const std::string dot = sim::pipeline_dot(
      run_of({note("main/app/reflector", "receive", "m1", "server app MODIFIED default/a rv=3"),
              note("main/app/reflector/resync", "delta", "default/a", "Sync"),
              note("main/app/reflector", "receive", "m2", "server app 200"),
              note("main/app/reflector", "receive", "m3", "server app MODIFIED default/a rv=4"),
              note("main/app/reflector", "delta", "default/a", "Updated")}),
      {.clients = {"app"}}, {.title = "resync"});
  BOOST_TEST(!says(dot, "  " + node_of(dot, "MODIFIED default/a rv=3") + " ->"), dot);
  BOOST_TEST(leads(dot, "MODIFIED default/a rv=4", "Updated default/a"), dot);
}

/// Core of today: a list comes as events of a watch, and is one change of the queue.
BOOST_AUTO_TEST_CASE(a_list_as_one_change_has_its_events_before_it_and_its_calls_behind_it) {
  const std::string dot = sim::pipeline_dot(
      run_of({note("main/app/reflector", "receive", "m1", "server app ADDED default/a rv=3"),
              note("main/app/reflector", "receive", "m2", "server app ADDED default/b rv=4"),
              note("main/app/reflector", "streamed", "app", "listed 2 items rv=4"),
              note("main/app/reflector", "delta", "*", "ReplacedAll"),
              note("main/app/reflector", "delta", "*", "SyncAll"),
              note("main/app", "pop", "*", "ReplacedAll"),
              note("main/app/processor/listener-run", "handler", "app", "add: a rv \"3\""),
              note("main/app", "pop", "*", "SyncAll"),
              note("main/app/processor/listener-run", "handler", "app", "add: b rv \"4\""),
              note("main/app/processor/listener-run", "handler", "app", "update: b rv \"4\"")}),
      {.clients = {"app"}}, {.title = "one change"});
  const std::string list = "list rv=4 as a stream";
  BOOST_TEST(leads(dot, "ADDED default/a rv=3", list), dot);
  BOOST_TEST(leads(dot, "ADDED default/b rv=4", list), dot);
  const auto arrow_to = [&](const std::string& label) {
    const std::size_t at = dot.find(" -> " + node_of(dot, label) + " [");
    return at == std::string::npos
               ? ""
               : dot.substr(dot.rfind("  ", at) + 2, at - dot.rfind("  ", at) - 2);
  };
  const auto popped = [&](const std::string& label) {
    const std::size_t line = dot.rfind("\n  ", dot.rfind("label=\"" + label + "\"]")) + 3;
    return dot.substr(line, dot.find(' ', line) - line);
  };
  BOOST_TEST(arrow_to("ReplacedAll of all objects") == node_of(dot, list), dot);
  BOOST_TEST(says(dot, "  " + node_of(dot, "ReplacedAll of all objects") + " -> " +
                           popped("ReplacedAll of all objects")),
             dot);
  BOOST_TEST(says(dot, "  " + node_of(dot, "SyncAll of all objects") + " -> " +
                           popped("SyncAll of all objects")),
             dot);
  BOOST_TEST(!says(dot, "  " + node_of(dot, "SyncAll of all objects") + " -> " +
                            popped("ReplacedAll of all objects")),
             dot);
  BOOST_TEST(arrow_to("add: a rv \\\"3\\\"") == popped("ReplacedAll of all objects"), dot);
  BOOST_TEST(arrow_to("add: b rv \\\"4\\\"") == popped("ReplacedAll of all objects"), dot);
  BOOST_TEST(arrow_to("update: b rv \\\"4\\\"") == popped("SyncAll of all objects"), dot);
}

/// A program's reflector is a task beside its own, and names may have blanks.
BOOST_AUTO_TEST_CASE(calls_of_a_slow_handler_come_from_their_own_pops) {
  const std::string slow = "main/app/processor/listener-run#2";
  const std::string dot =
      sim::pipeline_dot(run_of({note("main/app", "pop", "default/a", "Replaced"),
                                note("main/app", "pop", "default/a", "Sync"),
                                note("main/app", "pop", "default/a", "Updated"),
                                note("main/app", "pop", "default/a", "Deleted"),
                                note(slow, "handler", "app", "add: a rv 3"),
                                note(slow, "handler", "app", "update: a rv 4 from rv 3"),
                                note(slow, "handler", "app", "delete: a rv 4")}),
                        {.clients = {"app"}}, {.title = "slow"});
  BOOST_TEST(leads(dot, "Replaced default/a", "add: a rv 3"), dot);
  BOOST_TEST(leads(dot, "Updated default/a", "update: a rv 4 from rv 3"), dot);
  BOOST_TEST(leads(dot, "Deleted default/a", "delete: a rv 4"), dot);
  BOOST_TEST(!leads(dot, "Deleted default/a", "add: a rv 3"), dot);
}

BOOST_AUTO_TEST_CASE(each_handler_has_a_lane_with_its_name) {
  const auto call = [](const std::string& task, const char* kind, const char* handler) {
    sim::NoteRecord made = note(task, kind, "app", "add: a rv 3");
    made.by = handler;
    return made;
  };
  const std::string dot = sim::pipeline_dot(
      run_of({note("main/app", "pop", "default/a", "Replaced"),
              call("main/app/1", "handler", "slow"), call("main/app/2", "handler", "fast"),
              call("main/app/2", "returns", "fast")}),
      {.clients = {"app"}}, {.title = "two"});
  const auto fast = dot.find("label=\"app: delivered to fast\"");
  const auto slow = dot.find("label=\"app: delivered to slow\"");
  BOOST_TEST(fast != std::string::npos, dot);
  BOOST_TEST((slow != std::string::npos && fast < slow), dot);
  BOOST_TEST(!says(dot, "label=\"app: delivered\""), dot);
}

BOOST_AUTO_TEST_CASE(all_tasks_of_a_client_are_one_client) {
  const std::string dot = sim::pipeline_dot(
      run_of(
          {note("main/my%20app-reflector", "receive", "m1", "server my_app ADDED default/a rv=3"),
           note("main/my%20app-reflector", "delta", "default/a", "Added"),
           note("main/my%20app", "pop", "default/a", "Added"),
           note("main/my%20app", "handler", "my app", "add: a rv \"3\"")}),
      {.clients = {"my app"}}, {.title = "program"});
  BOOST_TEST(says(dot, "label=\"my app: queued\""), dot);
  BOOST_TEST(!says(dot, "reflector"), dot);
  BOOST_TEST(!says(dot, "my_app"), dot);
  BOOST_TEST(leads(dot, "ADDED default/a rv=3", "Added default/a"), dot);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace watchlab::tests
