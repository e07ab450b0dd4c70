#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>
#include <cstdlib>
#include <string>
#include <vector>

#include "tests/scenarios/cli/process.hpp"

using namespace watchlab::tests;

BOOST_AUTO_TEST_SUITE(draw_commands_test)

namespace {

/// A story whose expectation is wrong.
const std::string broken_story =
    "apiVersion: watchlab/v1\nname: broken\nstory: s\nclients: [{name: x, kind: informer}]\n"
    "script: [{create: demo}]\nexpect: [{store: {exactly: []}}]\n";

/// Two clients and two objects, twenty seconds apart.
const std::string two_of_each =
    "apiVersion: watchlab/v1\nname: two\nstory: s\n"
    "clients: [{name: left, kind: informer}, {name: right, kind: informer}]\n"
    "script: [{after: 1s, create: early}, {after: 20s, create: late}]\n"
    "expect: [{of: left, handler: {exactly: [add: early, add: late]}}]\n";

/// A client that is asked to stop at the moment at which its list has come.
const std::string race_story =
    "apiVersion: watchlab/v1\nname: race\nstory: s\nserver: {objects: [demo]}\n"
    "clients: [{name: x, kind: informer}]\nscript: [{at: 2ms, stop: x}]\nuntil: scripted\n"
    "expect: [{handler: {exactly: []}}]\n";

/// The picture as a graph, drawn with those options.
std::string drawn(const std::string& story, const std::vector<std::string>& options) {
  const TemporaryFolder folder;
  const std::string picture = folder.path("picture.dot");
  const std::size_t name = story.find("name: ") + 6;
  const std::string file = story.substr(name, story.find('\n', name) - name) + ".yaml";
  std::vector<std::string> words{"draw", folder.write(file, story), "-o", picture};
  words.insert(words.end(), options.begin(), options.end());
  const Finished finished = run_watchlab(words);
  BOOST_TEST(finished.exit_code == 0, finished.err);
  return read_whole(picture);
}

const std::vector<std::string> views{"spacetime", "pipeline"};

}  // namespace

BOOST_AUTO_TEST_CASE(a_picture_of_hundreds_of_objects_says_what_to_filter) {
  const TemporaryFolder folder;
  std::string story =
      "apiVersion: watchlab/v1\nname: many\nstory: s\nclients: [{name: x, kind: informer}]\n"
      "script:\n";
  for (int i = 0; i < 800; ++i) {
    story += "  - create: demo-" + std::to_string(i) + "\n";
  }
  const std::string path = folder.write("many.yaml", story);
  const std::string picture = folder.path("many.dot");
  for (const std::string view : {"spacetime", "pipeline"}) {
    const Finished all = run_watchlab({"draw", path, "--view", view, "-o", picture});
    BOOST_TEST(all.exit_code == 2);
    BOOST_TEST(says(all.err, "--clients and --keys"), all.err);
    BOOST_TEST(!says(all.err, "Graphviz"), all.err);
    const Finished one =
        run_watchlab({"draw", path, "--view", view, "--keys", "demo-17", "-o", picture});
    BOOST_TEST(one.exit_code == 0, one.err);
    BOOST_TEST(says(read_whole(picture), "demo-17"));
    BOOST_TEST(!says(read_whole(picture), "demo-200"));
    BOOST_TEST(
        run_watchlab({"draw", path, "--view", view, "--last", "50", "-o", picture}).exit_code == 0);
  }
}

BOOST_AUTO_TEST_CASE(a_layout_or_format_without_a_plugin_names_the_package_of_plugins) {
  const TemporaryFolder folder;
  const std::string file = folder.write("broken.yaml", broken_story);
  folder.write("config6a", "libgvplugin_none.so.6 none {\n\tlayout {\n\t\tnop 1\n\t}\n}\n");
  setenv("GVBINDIR", folder.path(".").c_str(), 1);
  const Finished laid = run_watchlab({"draw", file, "--view", "waits"});
  const Finished drawn = run_watchlab({"draw", file, "-o", folder.path("run.png")});
  unsetenv("GVBINDIR");
  for (const Finished& finished : {laid, drawn}) {
    BOOST_TEST(finished.exit_code == 2);
    BOOST_TEST(says(finished.err, "libgvc6"), finished.err);
    BOOST_TEST(finished.err.find('\n') + 1 == finished.err.size(), finished.err);
  }
  BOOST_TEST(says(laid.err, "the layout dot"), laid.err);
  BOOST_TEST(says(drawn.err, "the format png"), drawn.err);
}

BOOST_AUTO_TEST_CASE(draw_has_views_of_who_waits_and_of_what_was_explored) {
  const TemporaryFolder folder;
  const std::string file = folder.write("broken.yaml", broken_story);
  const std::string waits = folder.path("waits.svg");
  BOOST_TEST(run_watchlab({"draw", file, "--view", "waits", "-o", waits}).exit_code == 0);
  BOOST_TEST(says(read_whole(waits), "Who waits for whom, just before step"));
  const std::string explored = folder.path("explored.svg");
  const Finished finished = run_watchlab(
      {"draw", file, "--view", "explored", "--schedules", "20", "--nodes", "10", "-o", explored});
  BOOST_TEST(finished.exit_code == 0, finished.err);
  BOOST_TEST(says(read_whole(explored), "20 runs by random: 20 fail"));
  BOOST_TEST(run_watchlab({"draw", file, "--view", "waits", "--step", "999999"}).exit_code == 2);
}

BOOST_AUTO_TEST_CASE(a_run_that_continues_waits_for_a_timer_in_readable_words) {
  const TemporaryFolder folder;
  const std::string waits = folder.path("waits.dot");
  BOOST_TEST(run_watchlab({"draw", "missed_delete", "--view", "waits", "-o", waits}).exit_code ==
             0);
  const std::string text = read_whole(waits);
  BOOST_TEST(says(text, " wait, until a timer is due"), text);
  BOOST_TEST(!says(text, "is left that would"), text);
  BOOST_TEST(says(text, "label=\"main/informer/reflector/watch informer"), text);
}

BOOST_AUTO_TEST_CASE(draw_writes_an_svg) {
  const TemporaryFolder folder;
  const std::string path = folder.path("out.svg");
  const Finished finished =
      run_watchlab({"draw", "missed_delete", "--view", "spacetime", "-o", path});
  BOOST_TEST(finished.exit_code == 0, finished.err);
  const std::string svg = read_whole(path);
  BOOST_TEST(says(svg, "<svg"));
  BOOST_TEST(says(svg, "</svg>"));
  BOOST_TEST(says(svg, "informer"));
}

BOOST_AUTO_TEST_CASE(draw_writes_what_the_name_of_the_file_asks_for) {
  const TemporaryFolder folder;
  const std::string png = folder.path("out.png");
  const Finished drawn = run_watchlab({"draw", "missed_delete", "-o", png});
  BOOST_TEST(drawn.exit_code == 0, drawn.err);
  BOOST_TEST(read_whole(png).substr(1, 3) == "PNG");

  const std::string unknown = folder.path("out.jpg");
  const Finished refused = run_watchlab({"draw", "missed_delete", "-o", unknown});
  BOOST_TEST(refused.exit_code == 2);
  BOOST_TEST(says(refused.err, "expected .svg, .png, .pdf or .dot"), refused.err);
  BOOST_TEST(read_whole(unknown) == "");
}

BOOST_AUTO_TEST_CASE(a_picture_of_many_clients_says_what_to_filter) {
  const TemporaryFolder folder;
  std::string story = "apiVersion: watchlab/v1\nname: many\nstory: s\nclients:\n";
  for (int i = 0; i < 80; ++i) {
    story += "  - {name: c" + std::to_string(i) + ", kind: informer}\n";
  }
  story += "script: [{create: demo}]\n";
  const std::string path = folder.write("many.yaml", story);
  const Finished all = run_watchlab({"draw", path, "-o", folder.path("all.dot")});
  BOOST_TEST(all.exit_code == 2);
  BOOST_TEST(says(all.err, "161 columns"), all.err);
  const Finished two =
      run_watchlab({"draw", path, "--clients", "c3,c4", "-o", folder.path("two.dot")});
  BOOST_TEST(two.exit_code == 0, two.err);
}

BOOST_DATA_TEST_CASE(a_picture_has_the_clients_that_are_asked_for, views, view) {
  const std::string all = drawn(two_of_each, {"--view", view});
  BOOST_TEST((says(all, "left") && says(all, "right")), all);
  const std::string one = drawn(two_of_each, {"--view", view, "--clients", "left"});
  BOOST_TEST((says(one, "left") && !says(one, "right")), one);
  BOOST_TEST(says(one, "ADDED configmaps rv=3 default/early"), one);
}

BOOST_DATA_TEST_CASE(a_picture_has_the_keys_that_are_asked_for, views, view) {
  for (const std::string key : {"early", "default/early"}) {
    const std::string one = drawn(two_of_each, {"--view", view, "--keys", key});
    BOOST_TEST((says(one, "add: early") && !says(one, "late")), one);
  }
}

BOOST_DATA_TEST_CASE(a_picture_has_the_moments_that_are_asked_for, views, view) {
  const std::string end = drawn(two_of_each, {"--view", view, "--from", "10s"});
  BOOST_TEST((says(end, "add: late") && !says(end, "add: early")), end);
  const std::string beginning = drawn(two_of_each, {"--view", view, "--to", "10s"});
  BOOST_TEST((says(beginning, "add: early") && !says(beginning, "add: late")), beginning);
  const std::string steps = drawn(two_of_each, {"--view", "tasks", "--from", "3", "--to", "5"});
  BOOST_TEST((says(steps, "label=3,") && says(steps, "label=5,")), steps);
  BOOST_TEST((!says(steps, "label=2,") && !says(steps, "label=6,")), steps);
}

BOOST_AUTO_TEST_CASE(a_part_that_is_none_is_refused_in_one_sentence) {
  const TemporaryFolder folder;
  const std::string path = folder.write("two.yaml", two_of_each);
  const Finished client = run_watchlab({"draw", path, "--clients", "middle"});
  BOOST_TEST(client.exit_code == 2);
  BOOST_TEST(says(client.err, "there is no such client; there is left and right"), client.err);
  const Finished moment = run_watchlab({"draw", path, "--from", "soon"});
  BOOST_TEST(moment.exit_code == 2);
  BOOST_TEST(says(moment.err, "--from takes the number of a step, or a time"), moment.err);
}

BOOST_AUTO_TEST_CASE(what_a_picture_would_ignore_is_refused) {
  const TemporaryFolder folder;
  const std::string path = folder.write("two.yaml", two_of_each);
  const std::vector<std::pair<std::vector<std::string>, std::string>> refused{
      {{"--view", "tasks", "--keys", "early"},
       "--keys does not go with the view tasks; it goes with spacetime or pipeline"},
      {{"--view", "waits", "--last", "3"}, "--last does not go with the view waits"},
      {{"--view", "waits", "--brief"}, "--brief does not go with the view waits"},
      {{"--strategy", "dfs"}, "--strategy does not go with the view spacetime"},
      {{"--step", "3"}, "--step does not go with the view spacetime; it goes with waits"},
      {{"--view", "explored", "--schedule", "w1:0"},
       "--schedule does not go with the view explored"},
      {{"--keys", "erly"}, "--keys erly: this run has no such object; did you mean \""},
      {{"--object", "nobody"}, "--object nobody: nothing in this run has that name"},
      {{"--from", "20s", "--to", "10s"}, "--from 20s is behind --to 10s"},
      {{"--from", "30", "--to", "20"}, "--from 30 is behind --to 20"},
      {{"--view", "tasks", "--from", "99999"}, "--from 99999: the run has ended by then"},
      {{"--brief"}, "--brief draws what decides how a run fails, and this run holds"},
      {{"--view", "explored", "--schedules", "0"}, "--schedules: 0 is less than 1"}};
  for (const auto& [options, message] : refused) {
    std::vector<std::string> words{"draw", path, "-o", folder.path("picture.dot")};
    words.insert(words.end(), options.begin(), options.end());
    const Finished finished = run_watchlab(words);
    BOOST_TEST(finished.exit_code == 2, message);
    BOOST_TEST(says(finished.err, message), finished.err);
  }
}

BOOST_AUTO_TEST_CASE(a_run_that_fails_is_marked_where_it_fails) {
  for (const std::string view : {"spacetime", "pipeline", "tasks"}) {
    const std::string failing = drawn(broken_story, {"--view", view});
    BOOST_TEST(says(failing, "✗ violation: "), failing);
  }
  BOOST_TEST(!says(drawn(two_of_each, {}), "✗"));
}

/// A run that passes unless two steps change places: both views of it name them.
BOOST_AUTO_TEST_CASE(steps_that_decide_are_marked_in_each_view) {
  const TemporaryFolder folder;
  const std::string path = folder.write("race.yaml", race_story);
  const Finished failed =
      run_watchlab({"explore", path, "--strategy", "random", "--schedules", "200"});
  const std::string said = failed.out + failed.err;
  const std::size_t at = said.find("--schedule '") + 12;
  BOOST_TEST_REQUIRE(failed.exit_code == 1, said);
  const std::string schedule = said.substr(at, said.find('\'', at) - at);
  const std::size_t step = said.find("What makes the difference:\n  step ");
  BOOST_TEST_REQUIRE(step != std::string::npos, said);
  const std::string first = said.substr(step + 34, said.find(':', step + 34) - step - 34);
  const std::string waits = folder.path("waits.dot");
  BOOST_TEST(run_watchlab({"draw", path, "--schedule", schedule, "--view", "waits", "--step", first,
                           "-o", waits})
                 .exit_code == 0);
  BOOST_TEST(says(read_whole(waits), "◆ this step decides"), first);
  const Finished explained = run_watchlab({"explain", path, "--schedule", schedule});
  BOOST_TEST(says(explained.out, "◆ this decides: main"), explained.out);
  for (const std::string view : {"spacetime", "pipeline", "tasks"}) {
    const std::string picture = folder.path(view + ".dot");
    const Finished finished =
        run_watchlab({"draw", path, "--schedule", schedule, "--view", view, "-o", picture});
    BOOST_TEST(finished.exit_code == 0, finished.err);
    BOOST_TEST(says(read_whole(picture), view == "tasks" ? "this decides" : " decides: "), view);
  }
}

BOOST_AUTO_TEST_CASE(a_call_has_a_bar_up_to_where_it_returns) {
  const std::string slow =
      "apiVersion: watchlab/v1\nname: slow\nstory: s\n"
      "clients: [{name: x, kind: informer, handlers: [{name: h, takes: 5s}]}]\n"
      "script: [{after: 1s, create: demo}, {after: 2s, create: other}]\n"
      "expect: [{handler: {exactly: [add: demo, add: other]}}]\n";
  const std::string with_bars = drawn(slow, {});
  BOOST_TEST(says(with_bars, "fixedsize=true"), with_bars);
  BOOST_TEST(says(with_bars, "label=\"6.00"), with_bars);
  BOOST_TEST(!says(drawn(two_of_each, {}), "fixedsize=true"));
}

BOOST_AUTO_TEST_CASE(starts_stops_and_reconciling_are_drawn) {
  const TemporaryFolder folder;
  const std::string picture = folder.path("picture.dot");
  BOOST_TEST(run_watchlab({"draw", "pod_runs_on_two_nodes", "-o", picture}).exit_code == 0);
  const std::string text = read_whole(picture);
  BOOST_TEST(says(text, "label=starts"), "starts");
  BOOST_TEST(says(text, "label=\"reconciles "), "reconciles");
}

BOOST_AUTO_TEST_CASE(a_program_is_drawn_by_its_tasks) {
  const TemporaryFolder folder;
  const std::string picture = folder.path("picture.dot");
  const Finished finished = run_watchlab(
      {"draw", "scenarios/museum/stop_behind_a_full_queue/scenario.yaml", "-o", picture});
  BOOST_TEST(finished.exit_code == 0, finished.err);
  const std::string text = read_whole(picture);
  BOOST_TEST(says(text, "label=\"broadcaster.loop\""), text);
  BOOST_TEST(says(text, "waits: "), text);
}

BOOST_AUTO_TEST_CASE(a_program_without_a_story_is_not_drawn_as_a_story) {
  const std::string path = "scenarios/museum/stop_behind_a_full_queue/scenario.yaml";
  const TemporaryFolder folder;
  for (const std::string& view : views) {
    const Finished finished =
        run_watchlab({"draw", path, "--view", view, "-o", folder.path("picture.dot")});
    BOOST_TEST(finished.exit_code == 2);
    BOOST_TEST(says(finished.err,
                    "is a program of which the view " + view + " shows nothing; --view tasks"),
               finished.err);
  }
}

BOOST_AUTO_TEST_CASE(a_picture_of_too_many_steps_of_tasks_says_what_to_filter) {
  const TemporaryFolder folder;
  const Finished all = run_watchlab({"draw", "duplicates_from_a_stale_store", "--view", "tasks",
                                     "-o", folder.path("picture.dot")});
  BOOST_TEST(all.exit_code == 2);
  BOOST_TEST(
      says(all.err, "rows, and 1500 can be drawn; --from and --to draw some steps, --last N"),
      all.err);
  BOOST_TEST(!says(all.err, "--brief"), all.err);
}

BOOST_AUTO_TEST_CASE(trace_writes_what_other_tools_read) {
  const TemporaryFolder folder;
  const std::string path = folder.path("run");
  BOOST_TEST(run_watchlab({"trace", "missed_delete", "--format", "chrome", "-o", path}).exit_code ==
             0);
  BOOST_TEST(read_whole(path).starts_with("{\"traceEvents\""), read_whole(path));
  const Finished nowhere = run_watchlab({"trace", "missed_delete", "--format", "perfetto"});
  BOOST_TEST(nowhere.exit_code == 2);
  BOOST_TEST(says(nowhere.err, "-o run.pftrace"), nowhere.err);
  const Finished other = run_watchlab({"trace", "missed_delete", "--format", "pcap"});
  BOOST_TEST(other.exit_code == 2);
  BOOST_TEST(says(other.err, "perfetto"), other.err);
}

/// Updates that differ in nothing else.
BOOST_AUTO_TEST_CASE(calls_show_what_changed_of_metadata) {
  const std::string changes =
      "apiVersion: watchlab/v1\nname: changes\nstory: s\n"
      "server: {objects: [{name: web, labels: {a: b}, finalizers: [example.com/k]}]}\n"
      "clients: [{name: app, kind: informer, handlers: [{name: slow, takes: 1s}]}]\n"
      "script:\n"
      "  - {at: 5s, update: {name: web, labels: {a: c}}}\n"
      "  - {at: 10s, update: {name: web, annotations: {n: \"x\\n\\e[31m\"}}}\n"
      "  - {at: 15s, delete: web}\n"
      "  - {at: 20s, update: {name: web, finalizers: []}}\n"
      "expect: [{handler: {in_order: [add: web, add: web]}}]\n";
  const TemporaryFolder folder;
  const std::string story = folder.write("changes.yaml", changes);
  const std::string page = folder.path("changes.html");
  BOOST_TEST(run_watchlab({"report", story, "-o", page}).exit_code == 0);
  const std::vector<std::string> shown{drawn(changes, {}), drawn(changes, {"--view", "pipeline"}),
                                       run_watchlab({"explain", story}).out, read_whole(page)};
  for (const std::string& each : shown) {
    for (const char* const part :
         {" labels {a=b} finalizers [example.com/k]", " labels {a=b} → {a=c}",
          " annotations none → {n=x", " deletionTimestamp none → "}) {
      BOOST_TEST(says(each, part), part << " in " << each.substr(0, 2000));
    }
    BOOST_TEST(!says(each, "\033"));
  }
  // The call ends where it returns, whatever its text says besides.
  BOOST_TEST(says(drawn(changes, {}), "6.0"));
}

BOOST_AUTO_TEST_CASE(what_an_object_holds_neither_begins_a_line_nor_reaches_a_terminal_as_it_is) {
  const TemporaryFolder folder;
  const std::string story = folder.write(
      "lines.yaml",
      "apiVersion: watchlab/v1\nname: lines\nstory: s\n"
      "server: {objects: [{name: demo, data: {a: \"x\\nreplay it: evil\\r\\e[31m\"}}]}\n"
      "clients: [{name: app, kind: informer}]\n"
      "expect: [{handler: {exactly: []}}]\n");
  for (const std::vector<std::string>& words :
       std::vector<std::vector<std::string>>{{"run", story},
                                             {"trace", story},
                                             {"explain", story},
                                             {"trace", story, "--format", "chrome"}}) {
    const Finished finished = run_watchlab(words);
    BOOST_TEST(!says(finished.out + finished.err, "\nreplay it: evil"), finished.out);
    BOOST_TEST(!says(finished.out + finished.err, "\033"), finished.out);
    BOOST_TEST(!says(finished.out, "\r"), finished.out);
  }
}

BOOST_AUTO_TEST_CASE(a_list_that_comes_as_a_stream_is_a_list_in_the_pipeline) {
  const std::string streamed = drawn(two_of_each, {"--view", "pipeline", "--machine", "modern",
                                                   "--keys", "early", "--clients", "left"});
  BOOST_TEST(says(streamed, "list rv=2 as a stream"), streamed);
  BOOST_TEST(says(streamed, "ReplacedAll of all objects"), "of each key: " + streamed);
  BOOST_TEST(!says(drawn(two_of_each, {"--view", "pipeline"}), "as a stream"));
}

BOOST_AUTO_TEST_SUITE_END()
