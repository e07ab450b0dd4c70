#include <fmt/format.h>

#include <filesystem>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include "scenarios/cli/commands.hpp"
#include "scenarios/cli/pasted_line.hpp"
#include "scenarios/cli/report.hpp"
#include "scenarios/command_line/interrupt.hpp"
#include "scenarios/command_line/output_file.hpp"
#include "scenarios/language/catalogue.hpp"
#include "scenarios/language/document.hpp"
#include "scenarios/language/plain_text.hpp"
#include "scenarios/language/schema.hpp"

// Commands about scenario files as texts; none of them plays.
namespace watchlab::scenarios {
namespace {

struct ValidateArguments {
  CommonOptions common;
  std::vector<std::string> paths;
};

int validate(const ValidateArguments& arguments, Console& console) {
  Report report(arguments.common, "validate");
  const std::vector<CatalogueEntry> entries = load_named(arguments.paths);
  std::size_t looked_at = 0;
  for (; looked_at < entries.size() && !Interrupt::requested(); ++looked_at) {
    const CatalogueEntry& entry = entries[looked_at];
    const std::string text = problem_text(entry);
    if (!text.empty()) {
      console.report_error(text);
    }
    for (const Problem& note : entry.parsed.notes) {
      console.report_error(describe(entry.path, note));
    }
    report.add({.name = display_name(entry.path),
                .path = entry.path,
                .held = text.empty(),
                .sentence = text});
  }
  if (entries.empty()) {
    console.report_error("watchlab validate: there is no .yaml file in what was named");
    return kExitUsage;
  }
  add_unplayed(report, entries, looked_at);
  const std::string invalid = fmt::format("{} invalid", report.failed());
  console.note(Console::good(fmt::format("{} valid", report.held())) + ", " +
               (report.failed() > 0 ? Console::bad(invalid) : invalid));
  const bool is_written = report.write(console);
  if (Interrupt::requested() && looked_at < entries.size()) {
    remark_stopped("validate", entries.size() - looked_at, entries.size(), console);
    return kExitInterrupted;
  }
  return report.failed() > 0 ? kExitUsage : is_written ? kExitHeld : kExitFound;
}

struct MigrateArguments {
  CommonOptions common;
  std::vector<std::string> paths;
  bool only_checks = false;
};

/// What came of a file that can be read: whether it had nothing old, and what is said of it.
ReportEntry migrate_file(const CatalogueEntry& entry, bool only_checks, Console& console) {
  ReportEntry migrated_one{
      .name = display_name(entry.path), .path = entry.path, .held = true, .sentence = {}};
  const std::vector<Renaming>& renamings = entry.parsed.renamings;
  if (renamings.empty()) {
    return migrated_one;
  }
  Problems problems;
  const std::string text = migrated(read_text_file(entry.path, problems), renamings);
  const Parsed after = parse_scenario(text);
  if (!after.scenario || !after.renamings.empty()) {
    throw std::logic_error(entry.path + ": what is old in it cannot be replaced");
  }
  for (const Renaming& renaming : renamings) {
    migrated_one.sentence +=
        (migrated_one.sentence.empty() ? "" : "\n") + describe(entry.path, note_of(renaming));
  }
  if (only_checks) {
    console.report_error(migrated_one.sentence);
    migrated_one.held = false;
    return migrated_one;
  }
  console.note(migrated_one.sentence);
  migrated_one.sentence.clear();
  if (const std::string problem = write_file(entry.path, text); !problem.empty()) {
    console.report_error(problem);
    migrated_one.held = false;
    migrated_one.kind = "output";
    migrated_one.sentence = problem;
  } else if (after.scenario->hash != entry.parsed.scenario->hash) {
    console.note(
        fmt::format("{}: schedules for it begin with w1:{:016x} now, before with w1:{:016x}",
                    entry.path, after.scenario->hash, entry.parsed.scenario->hash));
  }
  return migrated_one;
}

int migrate(const MigrateArguments& arguments, Console& console) {
  Report report(arguments.common, "migrate");
  const std::vector<CatalogueEntry> entries = load_named(arguments.paths);
  bool unreadable = entries.empty();
  std::size_t old = 0;
  std::size_t looked_at = 0;
  for (; looked_at < entries.size() && !Interrupt::requested(); ++looked_at) {
    const CatalogueEntry& entry = entries[looked_at];
    const std::string problem = problem_text(entry);
    if (!problem.empty()) {
      console.report_error(problem);
    }
    ReportEntry result = problem.empty() ? migrate_file(entry, arguments.only_checks, console)
                                         : bad_input_entry(entry.path, problem);
    const bool is_old = problem.empty() && !entry.parsed.renamings.empty();
    old += is_old && result.kind != "output" ? 1 : 0;
    unreadable = unreadable || result.kind == "input";
    report.add(std::move(result));
  }
  if (entries.empty()) {
    console.report_error("watchlab migrate: there is no .yaml file in what was named");
  }
  console.note(fmt::format("{} {}, {} as they are", old,
                           arguments.only_checks ? "to migrate" : "migrated", looked_at - old));
  add_unplayed(report, entries, looked_at);
  const bool is_written = report.write(console);
  if (Interrupt::requested() && looked_at < entries.size()) {
    remark_stopped("migrate", entries.size() - looked_at, entries.size(), console);
    return kExitInterrupted;
  }
  return unreadable ? kExitUsage : is_written && report.failed() == 0 ? kExitHeld : kExitFound;
}

/// A story that holds, with one of everything, to be changed into another.
constexpr std::string_view kScaffold = R"(apiVersion: watchlab/v1
name: {}
story: |
  Say what happens.
  Say what comes of it, and why.

server:
  objects: [existing]
  rv_as: listed

clients:
  - name: informer
    kind: informer

script:
  - when: {{watching: informer}}
    after: 1s
    create: {{name: demo, data: {{color: red}}, rv_as: born}}
  - after: 1s
    delete: demo

expect:
  - requests:
      exactly:
        - LIST: {{rv: "0"}}
        - WATCH: {{rv: $listed, delay: immediate}}
  - handler:
      exactly:
        - add: {{name: existing, initial: true}}
        - add: {{name: demo, rv: $born}}
        - delete: demo
  - store:
      exactly: [existing]
)";

struct NewArguments {
  std::string name;
};

/// The comment by which an editor finds the schema of the file at `path`: the schema that is
/// installed, or the one that was built beside the program. A path from the file where both are in
/// one tree; "" if there is no schema.
std::string schema_line(const std::filesystem::path& path) {
  namespace fs = std::filesystem;
  std::error_code failure;
  const fs::path home =
      fs::absolute(scenarios_of_the_program(), failure).lexically_normal().parent_path();
  const fs::path program = fs::read_symlink("/proc/self/exe", failure).parent_path();
  const fs::path folder = fs::absolute(path, failure).lexically_normal().parent_path();
  for (const fs::path& schema : {home / "scenario.schema.json", program / "scenario.schema.json"}) {
    if (fs::exists(schema, failure)) {
      const bool is_inside = folder.native().starts_with(home.native());
      const fs::path named = is_inside ? schema.lexically_relative(folder) : schema;
      return fmt::format("# yaml-language-server: $schema={}\n", named.string());
    }
  }
  return "";
}

int refuse_new(const std::string& problem, Console& console) {
  console.report_error("watchlab new: " + visible_line(problem));
  return kExitUsage;
}

int make_new(const NewArguments& arguments, Console& console) {
  namespace fs = std::filesystem;
  fs::path path(arguments.name);
  if (path.extension() != ".yaml") {
    path += ".yaml";
  }
  std::error_code failure;
  if (fs::exists(fs::symlink_status(path, failure))) {
    return refuse_new(path.string() + ": the file exists; expected a new name", console);
  }
  const std::string text = schema_line(path) + fmt::format(kScaffold, path.stem().string());
  const Parsed parsed = parse_scenario(text);
  if (!parsed.scenario) {
    console.report_error(problem_text({path.string(), parsed}));
    return kExitUsage;
  }
  if (path.has_parent_path()) {
    fs::create_directories(path.parent_path(), failure);
  }
  if (const std::string problem = write_problem(path.string()); !problem.empty()) {
    return refuse_new(problem, console);
  }
  if (const int status = write_output(path.string(), text, console); status != kExitHeld) {
    return status;
  }
  console.line(fmt::format("{} is there and holds; try: {}", visible_line(path.string()),
                           run_line(path.string())));
  return kExitHeld;
}

struct SchemaArguments {
  std::string output;
};

int schema(const SchemaArguments& arguments, Console& console) {
  const std::string text = scenario_schema_text();
  if (!arguments.output.empty()) {
    return write_output(arguments.output, text, console);
  }
  console.line(std::string_view(text).substr(0, text.rfind('\n')));
  return kExitHeld;
}

}  // namespace

std::vector<Command> file_commands() {
  return {
      command<ValidateArguments>(
          {.name = "validate",
           .group = "Play",
           .summary = "Checks story files without playing them.",
           .footer = "Examples:\n  watchlab validate scenarios\n  watchlab validate my_story.yaml",
           .shares = {.json = true, .junit = true, .quiet = true},
           .heeds_signals = true,
           .arguments = [](ValidateArguments& to) -> std::vector<Argument> {
             return {{.name = "PATH",
                      .target = &to.paths,
                      .help = "Scenario files, or folders of them",
                      .required = true}};
           },
           .run = validate}),
      command<MigrateArguments>({.name = "migrate",
                                 .summary = "Rewrites older story files in the current syntax.",
                                 .footer = "Keeps comments and layout.\n"
                                           "Examples:\n"
                                           "  watchlab migrate my_story.yaml\n"
                                           "  watchlab migrate --check stories",
                                 .shares = {.json = true, .junit = true, .quiet = true},
                                 .heeds_signals = true,
                                 .arguments = [](MigrateArguments& to) -> std::vector<Argument> {
                                   return {{.name = "PATH",
                                            .target = &to.paths,
                                            .help = "Scenario files, or folders of them",
                                            .required = true},
                                           {"--check", &to.only_checks,
                                            "Writes nothing; the exit status is 1 if a file uses "
                                            "old syntax"}};
                                 },
                                 .run = migrate}),
      command<NewArguments>({.name = "new",
                             .group = "Play",
                             .summary = "Writes a story to start from.",
                             .footer = "Examples:\n  watchlab new my_story",
                             .arguments = [](NewArguments& to) -> std::vector<Argument> {
                               return {{.name = "NAME",
                                        .target = &to.name,
                                        .help = "The file to write; .yaml is added if it is "
                                                "missing",
                                        .required = true}};
                             },
                             .run = make_new}),
      command<SchemaArguments>({.name = "schema",
                                .summary = "Prints the JSON Schema of story files.",
                                .footer = "Examples:\n  watchlab schema\n"
                                          "  watchlab schema -o scenario.schema.json",
                                .arguments = [](SchemaArguments& to) -> std::vector<Argument> {
                                  return {output_argument(to.output,
                                                          "Writes the schema to this file "
                                                          "instead")};
                                },
                                .run = schema})};
}

}  // namespace watchlab::scenarios
