#include "sim/trace/pictures.hpp"

#include <boost/test/unit_test.hpp>
#include <chrono>
#include <regex>
#include <set>
#include <string>
#include <vector>

#include "core/runtime/channel.hpp"
#include "tests/sim/trace/stories.hpp"

namespace watchlab::tests {

BOOST_AUTO_TEST_SUITE(pictures_test)

namespace {

/// A node of a graph: where it is, and its label.
struct Node {
  double x = 0;
  double y = 0;
  double height = 0;  ///< in inches, of bars
  std::string label;
  std::string attributes;
};

std::vector<Node> nodes_in(const std::string& dot) {
  static const std::regex node("  n\\d+ \\[pos=\"(-?\\d+),(-?\\d+)\", (.*label=\"(.*)\")\\]");
  static const std::regex height("height=([0-9.]+)");
  std::vector<Node> nodes;
  for (std::sregex_iterator found(dot.begin(), dot.end(), node), end; found != end; ++found) {
    Node& made = nodes.emplace_back();
    made.x = std::stod((*found)[1]);
    made.y = std::stod((*found)[2]);
    made.attributes = (*found)[3];
    made.label = (*found)[4];
    std::smatch tall;
    if (std::regex_search(made.attributes, tall, height)) {
      made.height = std::stod(tall[1]);
    }
  }
  return nodes;
}

Node node_with(const std::string& dot, const std::string& label) {
  for (const Node& node : nodes_in(dot)) {
    if (node.label == label) {
      return node;
    }
  }
  BOOST_FAIL("no node has the label " + label);
  return {};
}

sim::NoteRecord note_of(std::string kind, std::string subject, std::string text) {
  sim::NoteRecord note;
  note.task = "main/app";
  note.kind = std::move(kind);
  note.subject = std::move(subject);
  note.text = std::move(text);
  return note;
}

std::string spacetime_of(const std::vector<sim::NoteRecord>& notes) {
  sim::RunResult run;
  run.notes = notes;
  return sim::spacetime_dot(run, {.title = "story"});
}

}  // namespace

BOOST_AUTO_TEST_CASE(no_arrow_runs_through_a_label) {
  const std::string dot = spacetime_of({note_of("send", "m1", "app server LIST rv=0"),
                                        note_of("receive", "m1", "app server LIST rv=0")});
  // Lines are drawn first; the label stands on the middle of its own, on a white ground.
  BOOST_TEST(says(dot, "outputorder=edgesfirst"), dot);
  const Node label = node_with(dot, "LIST rv=0");
  BOOST_TEST(says(label.attributes, "fillcolor=white"), label.attributes);
  BOOST_TEST(label.y == -45);
}

BOOST_AUTO_TEST_CASE(no_label_stands_on_another) {
  // The second message is sent and received while the first is on its way.
  const std::string dot =
      spacetime_of({note_of("send", "m1", "server app ADDED default/a rv=3"),
                    note_of("send", "m2", "server app ADDED default/b rv=4"),
                    note_of("receive", "m2", "server app ADDED default/b rv=4"),
                    note_of("receive", "m1", "server app ADDED default/a rv=3")});
  const Node first = node_with(dot, "ADDED default/a rv=3");
  const Node second = node_with(dot, "ADDED default/b rv=4");
  BOOST_TEST(std::abs(first.y - second.y) >= 12);
}

BOOST_AUTO_TEST_CASE(a_call_has_a_bar_from_its_row_to_that_where_it_returns) {
  const std::string dot =
      spacetime_of({note_of("handler", "app", "add: a"),
                    note_of("write", "default/a", "MODIFIED configmaps rv=4"),
                    note_of("print", "app", "x"), note_of("returns", "app", "add: a")});
  const auto nodes = nodes_in(dot);
  const auto bar = std::ranges::find_if(
      nodes, [](const Node& node) { return says(node.attributes, "fixedsize=true"); });
  BOOST_REQUIRE(bar != nodes.end());
  BOOST_TEST(bar->height * 72 == 3 * sim::Canvas::kRowHeight, boost::test_tools::tolerance(0.01));
  BOOST_TEST(bar->x == node_with(dot, "add: a").x);
}

BOOST_AUTO_TEST_CASE(each_handler_has_a_column_with_its_name) {
  const auto call = [](const char* kind, const char* handler) {
    sim::NoteRecord note = note_of(kind, "app", "add: a");
    note.by = handler;
    return note;
  };
  const std::string dot = spacetime_of({call("handler", "slow"), call("handler", "fast"),
                                        call("returns", "slow"), call("handler", "")});
  for (const char* head : {"app handler slow", "app handler fast", "app handler"}) {
    BOOST_TEST(says(node_with(dot, head).attributes, "fontsize=12"), head);
  }
  const auto nodes = nodes_in(dot);
  const auto bar = std::ranges::find_if(
      nodes, [](const Node& node) { return says(node.attributes, "fixedsize=true"); });
  BOOST_REQUIRE(bar != nodes.end());
  BOOST_TEST(bar->x == node_with(dot, "app handler slow").x);
}

BOOST_AUTO_TEST_CASE(what_is_full_what_starts_and_what_failed_have_rows) {
  const std::string dot = spacetime_of(
      {note_of("reflector", "app", "start"), note_of("full", "app", "channel 'result' is full"),
       note_of("reflector", "app", "stop"), note_of("reconcile", "app", "default/a"),
       note_of("story", "end", ""), note_of("write", "default/a", "ADDED configmaps rv=3"),
       note_of("failure", "", "violation: lost")});
  const double start = node_with(dot, "starts").y;
  BOOST_TEST(node_with(dot, "channel 'result' is full").y == start - sim::Canvas::kRowHeight);
  BOOST_TEST(node_with(dot, "stops").y == start - 2 * sim::Canvas::kRowHeight);
  BOOST_TEST(node_with(dot, "reconciles default/a").y == start - 3 * sim::Canvas::kRowHeight);
  BOOST_TEST(node_with(dot, "✗ violation: lost").y == start - 4 * sim::Canvas::kRowHeight);
  BOOST_TEST(!says(dot, "ADDED"), "what comes after the end");
}

BOOST_AUTO_TEST_CASE(a_program_has_columns_for_tasks_and_bars_for_locks) {
  const sim::Witness witness = witness_of(failing_schedule(two_orders), two_orders);
  const std::string dot = sim::tasks_dot(witness, {.failure = "deadlock"}, {.title = "orders"});
  for (const char* head : {"main", "other"}) {
    BOOST_TEST(says(node_with(dot, head).attributes, "fontsize=12"), head);
  }
  std::size_t bars = 0;
  std::size_t stuck = 0;
  for (const Node& node : nodes_in(dot)) {
    bars += says(node.attributes, "fixedsize=true, width=0.097") ? 1 : 0;
    stuck += node.label.starts_with("stuck: lock '") ? 1 : 0;
  }
  BOOST_TEST(bars == 2U, "each task holds a lock to the end");
  BOOST_TEST(stuck == 2U);
  BOOST_TEST(says(dot, "✗ deadlock"));
}

BOOST_AUTO_TEST_CASE(steps_that_are_left_out_are_counted_and_those_that_decide_marked) {
  const sim::Witness witness = witness_of(default_schedule(two_orders), two_orders);
  const std::string dot =
      sim::tasks_dot(witness, {.steps = {2, 3, 7}, .marks = {{3, "this decides"}}}, {.title = "x"});
  BOOST_TEST(node_with(dot, "2").y > node_with(dot, "3").y);
  BOOST_TEST(says(dot, "… 1 step\""), dot);
  BOOST_TEST(says(dot, "… 3 steps"), dot);
  BOOST_TEST(says(dot, "\\nthis decides"), dot);
}

BOOST_AUTO_TEST_CASE(a_wait_that_ends_is_not_said_to_be_without_help) {
  const auto receives = [](runtime::Runtime& runtime) {
    runtime::Channel<int> values(runtime, 0, "values");
    const runtime::Task reader = runtime::spawn(runtime, "reader", [&] { (void)values.receive(); });
    runtime::sleep_for(runtime, std::chrono::seconds(1));
    values.send(1);
    reader.join();
  };
  const std::string dot =
      sim::tasks_dot(witness_of(default_schedule(receives), receives), {}, {.title = "x"});
  BOOST_TEST(says(dot, "waits: receive from 'values'"), dot);
  BOOST_TEST(!says(dot, "is left that would"), dot);
}

BOOST_AUTO_TEST_CASE(a_step_that_decides_has_a_row_of_its_own) {
  const std::string dot = spacetime_of({note_of("write", "default/a", "ADDED configmaps rv=3"),
                                        note_of("turn", "", "step 7 decides: main locks"),
                                        note_of("write", "default/b", "ADDED configmaps rv=4")});
  const double first = node_with(dot, "ADDED configmaps rv=3 default/a").y;
  BOOST_TEST(node_with(dot, "◆ step 7 decides: main locks").y == first - sim::Canvas::kRowHeight);
  BOOST_TEST(node_with(dot, "◆ step 7 decides: main locks").x >
             node_with(dot, "ADDED configmaps rv=3 default/a").x + sim::Canvas::kLaneWidth / 2);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace watchlab::tests
