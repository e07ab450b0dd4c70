#include "scenarios/cli/scenario_command.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <iterator>
#include <map>
#include <memory>
#include <stdexcept>
#include <utility>

#include "core/features/release_profile.hpp"
#include "scenarios/cli/last_failure.hpp"
#include "scenarios/cli/pasted_line.hpp"
#include "scenarios/cli/report.hpp"
#include "scenarios/command_line/child_process.hpp"
#include "scenarios/command_line/go_programs.hpp"
#include "scenarios/fuzz/blank_story.hpp"
#include "scenarios/language/document.hpp"
#include "scenarios/language/plain_text.hpp"
#include "scenarios/language/play.hpp"
#include "scenarios/language/runner.hpp"
#include "sim/explain/explain.hpp"
#include "sim/kernel/schedule.hpp"
#include "sim/story/client_kinds.hpp"

namespace watchlab::scenarios {
namespace {

/// Says that the name means no scenario, and of a piece of the museum in Go what plays that.
Problem no_scenario(const std::string& name, const std::string& nearest) {
  const std::string slug = name.substr(name.starts_with("museum/") ? 7 : 0);
  const std::filesystem::path races = std::filesystem::path(shipped_scenarios()) / "museum" / "go";
  if (!slug.empty() && std::filesystem::is_regular_file(races / slug / "race_test.go")) {
    return {{},
            "a race in Go, not a scenario",
            in_a_checkout("run" + for_shell({slug})) + ", which plays it",
            ""};
  }
  if (std::filesystem::is_directory(name)) {
    return {{}, "a folder, where one story belongs", "the path or the name of a story", ""};
  }
  if (name == "-") {
    return {{}, "standard input, of which no story is read", "the path or the name of one", ""};
  }
  return {{}, "there is no such scenario", "the path or the name of one", nearest};
}

/// Where a path below `scenarios` is that is not here: that of the shipped ones; "" for any other.
std::string shipped_path(const std::string& name) {
  const std::filesystem::path path(name);
  if (std::filesystem::exists(path) || path.empty() || *path.begin() != "scenarios") {
    return "";
  }
  const std::filesystem::path shipped =
      scenarios_of_the_program() / path.lexically_relative("scenarios");
  return std::filesystem::exists(shipped) ? shipped.lexically_normal().string() : "";
}

/// What stands in the folder of a path and is called nearly so; "" for nothing.
std::string nearest_path(const std::string& name) {
  const std::filesystem::path path(name);
  const std::filesystem::path folder = path.parent_path();
  const bool has_ending = path.extension() == ".yaml";
  std::map<std::string, std::string> files;  // by what they may be called
  std::error_code failure;
  for (const std::filesystem::path& place : {folder, std::filesystem::path(shipped_path(folder))}) {
    for (std::filesystem::directory_iterator entry(place.empty() ? "." : place, failure), end;
         !failure && entry != end; entry.increment(failure)) {
      const std::filesystem::path& file = entry->path();
      if (entry->is_directory(failure) || file.extension() == ".yaml") {
        files[(has_ending ? file.filename() : file.stem()).string()] = file.filename().string();
      }
    }
  }
  std::vector<std::string> known;
  for (const auto& [called, file] : files) {
    known.push_back(called);
  }
  const std::string nearest = nearest_name(path.filename().string(), known);
  return nearest.empty() ? "" : (folder / files.at(nearest)).string();
}

/// Says of a piece of the museum that was named, whose bug is not in core, that core holds it.
void note_piece(const std::string& command, const std::string& name, const std::string& path,
                Console& console) {
  const std::filesystem::path folder = std::filesystem::path(path).parent_path();
  const bool is_piece = name != path && std::filesystem::exists(folder / "defect.patch");
  if (is_piece && std::getenv("WATCHLAB_VARIANT") == nullptr) {
    const std::string slug = folder.filename().string();
    console.note(fmt::format(
        "{} is a bug of the museum, and this plays core as it is, without "
        "the bug; {} plays the broken variant{}",
        slug,
        in_a_checkout(fmt::format("{} {}", plays_variants(command) ? command : "explain",
                                  word_for_shell(slug))),
        is_installed()
            ? fmt::format(", {} prints its patch", as_typed("museum show" + for_shell({slug})))
            : ""));
  }
}

}  // namespace

std::filesystem::path installed_scenarios() {
  std::error_code failure;
  const std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe", failure);
  return program.parent_path().parent_path() / "share" / "watchlab" / "scenarios";
}

std::string scenarios_of_the_program() {
  const std::string here = "scenarios";
  if (const char* const home = std::getenv("WATCHLAB_HOME")) {  // set by the launcher
    return (std::filesystem::path(home) / here).string();
  }
  std::error_code failure;
  const std::filesystem::path installed = installed_scenarios();
  return std::filesystem::is_directory(installed, failure) ? installed.string() : here;
}

std::string shipped_scenarios() {
  const std::string here = "scenarios";
  return std::filesystem::is_directory(here) ? here : scenarios_of_the_program();
}

std::string find_named(const std::string& name, std::string& nearest) {
  if (std::string shipped = shipped_path(name); !shipped.empty()) {
    return shipped;
  }
  const std::string found = find_scenario(shipped_scenarios(), name, nearest);
  std::string other_nearest;
  std::string other =
      found.empty() ? find_scenario(scenarios_of_the_program(), name, other_nearest) : found;
  if (other.empty() && std::filesystem::is_regular_file(name + ".yaml")) {
    nearest = name + ".yaml";
  } else if (other.empty() && nearest.empty()) {
    nearest = nearest_path(name);
  }
  return other;
}

namespace {

/// The file or folder that a name means; "" when there is none, and then `nearest` is one that was
/// perhaps meant.
std::string path_of(const std::string& name, std::string& nearest) {
  return std::filesystem::exists(name) ? name : find_named(name, nearest);
}

}  // namespace

std::vector<CatalogueEntry> load_named(const std::vector<std::string>& names) {
  std::vector<CatalogueEntry> entries;
  for (const std::string& name : names) {
    std::string nearest;
    const bool is_path = name.ends_with(".yaml") && shipped_path(name).empty();
    const std::string path = is_path ? name : path_of(name, nearest);
    if (path.empty()) {
      entries.push_back({name, {.problems = {no_scenario(name, nearest)}}});
      continue;
    }
    std::ranges::move(load_catalogue({path}), std::back_inserter(entries));
    if (!std::filesystem::exists(path) && !entries.back().parsed.problems.empty()) {
      entries.back().parsed.problems.front().nearest = nearest_path(path);
    }
  }
  return entries;
}

namespace {

/// Where the file says that of a client.
Place place_in(const CatalogueEntry& entry, const std::string& client, const std::string& key) {
  Problems none;
  const Node root = parse_document(read_text_file(entry.path, none), none);
  const Node* const clients = root.find("clients");
  for (const Node& each : clients != nullptr ? clients->items : std::vector<Node>()) {
    const Node* const name = each.find("name");
    const auto found = std::ranges::find(each.entries, key, &Node::Entry::key);
    if (name != nullptr && name->text == client && found != each.entries.end()) {
      return found->place;
    }
  }
  return {.line = 1, .column = 1};
}

/// What is made of a file that has something else for clients than the command plays.
void refuse(CatalogueEntry& entry, Problem problem) {
  entry.parsed.problems.push_back(std::move(problem));
  entry.parsed.scenario.reset();
}

/// Clients from outside come over real HTTP, in real time.
void refuse_external(CatalogueEntry& entry) {
  if (!entry.parsed.scenario) {
    return;
  }
  const auto external = external_clients(*entry.parsed.scenario);
  if (!external.empty()) {
    const std::string& name = external.front().name;
    refuse(entry, {.place = place_in(entry, name, "kind"),
                   .what = fmt::format(
                       "the client '{}' is external, so this is played in real time", name),
                   .expected = line_to_paste("serve", *entry.parsed.scenario),
                   .nearest = ""});
  }
}

/// Programs on the story's clock cannot live in real time.
void refuse_program(CatalogueEntry& entry) {
  if (!entry.parsed.scenario) {
    return;
  }
  const auto& clients = entry.parsed.scenario->clients;
  const auto program = std::ranges::find_if(clients, [](const sim::StoryClientOptions& client) {
    return traits_of(client.kind).in_lockstep;
  });
  if (program != clients.end()) {
    refuse(entry,
           {.place = place_in(entry, program->name, "kind"),
            .what = fmt::format("the client '{}' lives on the story's clock, and here time is real",
                                program->name),
            .expected = line_to_paste("run", *entry.parsed.scenario),
            .nearest = ""});
  }
}

/// The programs that a story starts, each with its client, as a shell takes them.
std::vector<std::pair<std::string, std::string>> programs_of(const CatalogueEntry& entry) {
  std::vector<std::pair<std::string, std::string>> programs;
  if (entry.parsed.scenario && std::getenv("WATCHLAB_GO_PROGRAM") == nullptr) {
    for (const sim::StoryClientOptions& client : entry.parsed.scenario->clients) {
      if (traits_of(client.kind).in_lockstep && !client.run.empty()) {
        programs.emplace_back(client.name, for_shell(client.run).substr(1));
      }
    }
  }
  return programs;
}

/// Only a blank story can be told in any weather, and of another no program is started.
void refuse_unless_blank(CatalogueEntry& entry) {
  const std::string problem = entry.parsed.scenario ? blank_problem(*entry.parsed.scenario) : "";
  if (!problem.empty()) {
    refuse(entry, {.place = {}, .what = problem, .expected = "", .nearest = ""});
  }
}

/// A story may come from elsewhere, and its programs do what they like: they are started when the
/// caller has named just this file to a command that plays, or has said so.
bool may_start(const std::string& command, bool is_named_file, const Console& console) {
  const char* const said = std::getenv("WATCHLAB_ALLOW_RUN");
  if (console.allows_run() || (said != nullptr && std::string_view(said) == "1")) {
    return true;
  }
  const bool is_forbidden = said != nullptr && std::string_view(said) == "0";
  return is_named_file && !is_forbidden && starts_programs_of_a_file(command);
}

Problem stories_left_out(std::size_t count, const std::string& command) {
  return {.place = {},
          .what = fmt::format("{} {} that start{} a program {} not played", count,
                              count == 1 ? "story" : "stories", count == 1 ? "s" : "",
                              count == 1 ? "was" : "were"),
          .expected = same_call_with_allow_run(command),
          .nearest = ""};
}

/// Builds the story's programs where they have to be built, and says which will be started; where
/// `command` may not start them the entry gets a problem instead.
void admit_programs(CatalogueEntry& entry, const std::string& command, bool is_named_file,
                    Console& console) {
  const auto programs = programs_of(entry);
  if (!programs.empty() && !may_start(command, is_named_file, console)) {
    const auto& [client, program] = programs.front();
    refuse(entry,
           {.place = place_in(entry, client, "run"),
            .what = fmt::format("the story starts a program ({}), and {} starts none unasked",
                                program, command),
            .expected = same_call_with_allow_run(command),
            .nearest = ""});
    return;
  }
  for (const auto& [client, program] : programs) {
    console.remark(fmt::format("{} starts {}", entry.path, program));
  }
  build_go_programs(entry);
}

}  // namespace

void note_museum(const std::string& command, const std::vector<std::string>& names,
                 Console& console) {
  for (const std::string& name : names) {
    std::string nearest;
    const std::string path = std::filesystem::exists(name) ? "" : find_named(name, nearest);
    if (!path.empty()) {
      note_piece(command, name, path, console);
    }
  }
}

std::vector<CatalogueEntry> load_played(const std::string& command,
                                        const std::vector<std::string>& names, Console& console) {
  // A name that means nothing is found before anything is played.
  std::vector<CatalogueEntry> entries;
  for (const std::string& name : names) {
    if (std::string nearest; path_of(name, nearest).empty()) {
      std::ranges::move(load_named({name}), std::back_inserter(entries));
    }
  }
  if (!entries.empty()) {
    return entries;
  }
  for (const std::string& name : names) {
    const bool is_file = std::filesystem::is_regular_file(name);
    std::size_t left_out = 0;
    for (CatalogueEntry& entry : load_named({name})) {
      refuse_external(entry);
      const bool starts = !programs_of(entry).empty();
      if (starts && !is_file && !may_start(command, is_file, console)) {
        ++left_out;
        continue;
      }
      admit_programs(entry, command, is_file, console);
      entries.push_back(std::move(entry));
    }
    if (left_out > 0) {
      entries.push_back({name, {.problems = {stories_left_out(left_out, command)}}});
    }
  }
  return entries;
}

std::vector<CatalogueEntry> load_served(const std::string& folder) {
  std::vector<CatalogueEntry> entries = load_catalogue({folder});
  std::ranges::for_each(entries, refuse_program);
  return entries;
}

int unless_refused(const std::string& command, Console& console, const std::function<int()>& work) {
  try {
    return work();
  } catch (const std::invalid_argument& refused) {
    console.report_error(fmt::format("watchlab {}: {}", command, visible_line(refused.what())));
    return kExitUsage;
  }
}

namespace {

/// The scenario that a command's argument means, or why it is not played.
struct NamedScenario {
  CatalogueEntry entry;
  std::string problem = {};  ///< "" for none
};

NamedScenario load_named(const std::string& command, const std::string& name, Console& console) {
  std::string nearest;
  const std::string path = find_named(name, nearest);
  if (path.empty()) {
    return {.entry = {name, {}}, .problem = describe(name, no_scenario(name, nearest))};
  }
  if (command != "show") {
    note_piece(command, name, path, console);
  }
  CatalogueEntry entry{path, load_scenario(path)};
  if (command == "serve") {
    refuse_program(entry);
  } else if (command != "show") {
    refuse_external(entry);
    if (command == "fuzz") {
      refuse_unless_blank(entry);
    }
    admit_programs(entry, command, std::filesystem::is_regular_file(name), console);
  }
  const std::string problem = entry.parsed.scenario ? "" : problem_text(entry);
  return {.entry = std::move(entry), .problem = problem};
}

}  // namespace

int with_scenario(Report& report, const std::string& name, Console& console,
                  const std::function<int(const Scenario&)>& work) {
  const NamedScenario named = load_named(report.suite(), name, console);
  if (!named.problem.empty()) {
    console.report_error(named.problem);
    report.add(bad_input_entry(named.entry.path, named.problem));
    (void)report.write(console);
    return kExitUsage;
  }
  return unless_refused(report.suite(), console, [&] {
    try {
      return work(*named.entry.parsed.scenario);
    } catch (const std::exception& refused) {
      report.add_result(bad_input_entry(named.entry.path, refused.what()));
      (void)report.write(console);
      throw;
    }
  });
}

int with_scenario(const std::string& command, const CommonOptions& options, const std::string& name,
                  Console& console, const std::function<int(const Scenario&)>& work) {
  Report report(options, command);
  return with_scenario(report, name, console, work);
}

int with_scenario(const std::string& command, const std::string& name, Console& console,
                  const std::function<int(const Scenario&)>& work) {
  return with_scenario(command, {}, name, console, work);
}

Scenario over_the_named(const std::string& transport, Scenario scenario) {
  if (transport.empty()) {
    return scenario;
  }
  return over(transport == "wire" ? sim::Transport::Wire : sim::Transport::Direct,
              std::move(scenario));
}

std::vector<std::pair<std::string, std::string>> releases_as_machines() {
  return {{"0.32", "classic"}, {"0.37", "modern"}};
}

std::vector<std::string> machines_named(const std::string& argument) {
  const std::vector<std::string> names = features::machine_names();
  if (argument == "all") {
    return names;
  }
  std::vector<std::string> machines;
  for (std::size_t from = 0; !argument.empty() && from <= argument.size();) {
    const std::size_t end = std::min(argument.find(',', from), argument.size());
    machines.push_back(argument.substr(from, end - from));
    for (const auto& [release, machine] : releases_as_machines()) {
      machines.back() = machines.back() == release ? machine : machines.back();
    }
    from = end + 1;
  }
  for (const std::string& machine : machines) {
    if (std::ranges::find(names, machine) == names.end()) {
      throw std::invalid_argument(
          describe("--machine", {{},
                                 fmt::format("there is no machine '{}'", machine),
                                 one_of(names) + ", or several with commas between",
                                 machine == "0.32" ? "classic" : nearest_name(machine, names)}));
    }
  }
  return machines;
}

Scenario on_the_named_machine(const std::string& machine, Scenario scenario) {
  if (machine.empty()) {
    return scenario;
  }
  Scenario moved = on_machine(machine, std::move(scenario));
  for (const sim::StoryClientOptions& client : moved.clients) {
    if (const std::string problem = machine_problem(client); !problem.empty()) {
      throw std::invalid_argument(fmt::format("--machine {}: {}", machine, problem));
    }
  }
  return moved;
}

void refuse_schedule_of_another_machine(const std::string& machine, const Scenario& scenario,
                                        const std::string& schedule) {
  if (machine.empty() || unless_default(schedule).empty()) {
    return;
  }
  const std::string text = schedule_text(schedule);
  const auto made_for = sim::Schedule::parse(text).scenario;
  const Scenario moved = on_the_named_machine(machine, scenario);
  const Scenario scheduled = as_scheduled(scenario, text);
  if (scheduled.hash != made_for || scheduled.clients == moved.clients) {
    return;
  }
  std::vector<std::string> machines;
  for (const sim::StoryClientOptions& client : scheduled.clients) {
    if (std::ranges::find(machines, client.machine) == machines.end()) {
      machines.push_back(client.machine);
    }
  }
  throw std::invalid_argument(fmt::format(
      "--machine {}: the schedule was made on {}, and an order of steps does not carry over to "
      "another machine; --schedule default plays {} in its default order",
      machine, fmt::join(machines, " and "), machine));
}

std::string unless_default(const std::string& schedule) {
  return schedule == "default" ? "" : schedule;
}

std::string schedule_text(const std::string& argument) {
  if (!argument.starts_with('@')) {
    std::error_code failure;
    if (argument.find(':') == std::string::npos && std::filesystem::exists(argument, failure)) {
      throw sim::InvalidSchedule(fmt::format(
          "{} is a file, not a schedule; expected @{} to read one from it", argument, argument));
    }
    return argument;
  }
  Problems problems;
  const std::string text = read_text_file(argument.substr(1), problems);
  std::vector<Problem> found = problems.take();
  if (!found.empty()) {
    if (found.front().place == Place{}) {  // it is the file as a whole
      found.front().expected = "the path of a file whose first line is a schedule";
    }
    throw sim::InvalidSchedule(describe(argument.substr(1), found.front()));
  }
  std::string line = text.substr(0, text.find_first_of("\r\n"));
  if (line.size() >= 2 && line.front() == '\'' && line.back() == '\'') {  // as in lines to paste
    line = line.substr(1, line.size() - 2);
  }
  return line;
}

Scenario scenario_for(const Scenario& scenario, const std::string& schedule, Console& console) {
  if (schedule.empty()) {
    return scenario;
  }
  Scenario scheduled = as_scheduled(scenario, schedule_text(schedule));
  const bool is_wire = scheduled.transport == sim::Transport::Wire;
  if (is_wire != (scenario.transport == sim::Transport::Wire)) {
    console.note(fmt::format("the schedule was made on the {} transport, and is played there",
                             is_wire ? "wire" : "direct"));
  }
  if (scheduled.clients != scenario.clients) {
    console.note(fmt::format("the schedule was made with all clients on the machine {}, as here",
                             scheduled.clients.front().machine));
  }
  return scheduled;
}

void refuse_overwriting(const std::string& output, const Scenario& scenario) {
  const std::string problem = overwriting(output, scenario.path);
  if (!problem.empty()) {
    throw std::invalid_argument(problem);
  }
}

void refuse_other_endings(const std::string& output, const std::vector<std::string>& endings) {
  const std::string ending = std::filesystem::path(output).extension().string();
  if (!ending.empty() && std::ranges::find(endings, ending) == endings.end()) {
    throw std::invalid_argument(fmt::format("{}: nothing here is written as '{}'; expected {}",
                                            output, ending, one_of(endings)));
  }
}

std::string schedule_of_last_failure(const std::string& command, const Scenario& scenario,
                                     Console& console) {
  const std::optional<LastFailure> last = last_failure(scenario);
  if (!last) {
    return "";
  }
  console.remark(
      fmt::format("{}: playing the last failure that was found, kept in {}; --schedule default "
                  "plays the default order",
                  command, last->path));
  return last->schedule;
}

std::string schedule_or_default(const Scenario& scenario, const std::string& argument) {
  return argument.empty() ? run_scenario(scenario).result.schedule
                          : schedule_for(scenario, schedule_text(argument)).to_string();
}

sim::Witness witness_scenario(const Scenario& scenario, const std::string& argument) {
  sim::Numbering objects;
  return sim::witness(schedule_or_default(scenario, argument), body_of(scenario, Scope::AnyOrder),
                      objects);
}

std::function<void(runtime::Runtime&)> counted(std::function<void(runtime::Runtime&)> body,
                                               std::size_t most, std::string words,
                                               Console& console) {
  return [body = std::move(body), most, words = std::move(words), &console,
          runs = std::make_shared<std::size_t>(0)](runtime::Runtime& runtime) {
    console.count(++*runs, most, words);
    body(runtime);
  };
}

std::string why_in_short(const Scenario& scenario, const std::string& schedule, Console* console) {
  std::function<void(runtime::Runtime&)> body = body_of(scenario, Scope::AnyOrder);
  if (console != nullptr) {
    body = counted(std::move(body), sim::kQuickRuns,
                   "runs at most, to find what makes the difference", *console);
  }
  return sim::explain_in_short(schedule, body);
}

}  // namespace watchlab::scenarios
