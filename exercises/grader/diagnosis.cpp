#include "exercises/grader/diagnosis.hpp"

#include <fmt/format.h>

#include <utility>

#include "exercises/programs/builder.hpp"
#include "exercises/programs/texts.hpp"
#include "exercises/programs/variant.hpp"
#include "exercises/sandbox/processes.hpp"
#include "scenarios/language/table.hpp"
#include "sim/kernel/schedule.hpp"

namespace watchlab::course {
namespace {

namespace fs = std::filesystem;
using scenarios::text;

constexpr double kShareOfSchedule = 0.7;
constexpr double kShareOfLongSchedule = 0.8;
constexpr int kExitFailed = 1;

/// Runs a command of the player, with the libraries of the folder in place of the correct ones.
ProcessEnd play(const CommandContext& context, const fs::path& libraries,
                const std::vector<std::string>& words) {
  // What a bundle's program needs beside a broken library lies in `lib`; elsewhere it knows itself.
  std::vector<std::string> all{"/usr/bin/env",
                               fmt::format("LD_LIBRARY_PATH={}:{}", libraries.string(),
                                           (context.toolchain.root / "lib").string()),
                               context.toolchain.player().string()};
  all.insert(all.end(), words.begin(), words.end());
  return run_plainly(all, context.toolchain.root);
}

fs::path story_of(const CommandContext& context, const DiagnosedCase& diagnosed) {
  return context.exercise.folder / diagnosed.scenario;
}

/// What is wrong with a schedule as a reproduction; "" when nothing is.
std::string reason_against(const CommandContext& context, const DiagnosedCase& diagnosed,
                           const std::string& schedule) {
  const std::string story = story_of(context, diagnosed).string();
  const std::vector<std::string> strictly{"replay", story, "--schedule", schedule};
  const fs::path broken = broken_build(context, diagnosed);
  const ProcessEnd first = play(context, broken, strictly);
  if (first.status != 0 && first.status != kExitFailed) {
    return fmt::format("it cannot be replayed:\n{}", first.output);
  }
  if (first.status != kExitFailed) {
    return fmt::format("on the broken build the schedule does not fail:\n{}", first.output);
  }
  for (int i = 0; i < 2; ++i) {
    if (play(context, broken, strictly).output != first.output) {
      return "it does not fail the same way each time";
    }
  }
  const ProcessEnd fixed = play(context, {}, {"replay", story, "--schedule", schedule, "--guided"});
  return fixed.status == 0 ? ""
                           : fmt::format("it fails on the correct build too:\n{}", fixed.output);
}

/// What a schedule takes for itself that its case does not give; "" when it takes nothing.
std::string excess_of(const sim::Schedule& schedule, const scenarios::Exploration& own) {
  if (static_cast<std::int64_t>(schedule.steps_max) != own.steps) {
    return fmt::format("its step limit is {}; the case's is {}", schedule.steps_max, own.steps);
  }
  return schedule.early_advances_max > own.early_advances
             ? fmt::format("it allows {} early jumps of time; the case allows {}",
                           schedule.early_advances_max, own.early_advances)
             : "";
}

double share_of(const CommandContext& context, const DiagnosedCase& diagnosed,
                const std::string& schedule, std::string& message) {
  if (schedule.empty()) {
    message = "no schedule";
    return 0;
  }
  try {
    const sim::Schedule parsed = sim::Schedule::parse(schedule);
    const auto deviations = static_cast<std::int64_t>(parsed.deviations.size());
    message = excess_of(parsed, read_story(story_of(context, diagnosed)).explore);
    message = message.empty() ? reason_against(context, diagnosed, schedule) : message;
    if (!message.empty()) {
      return 0;
    }
    if (deviations > diagnosed.deviations_max) {
      message =
          fmt::format("it has {} deviations; {} are enough", deviations, diagnosed.deviations_max);
      return kShareOfSchedule * kShareOfLongSchedule;
    }
    return kShareOfSchedule;
  } catch (const sim::InvalidSchedule& invalid) {
    message = invalid.what();
    return 0;
  }
}

const Diagnosis& find(const Diagnoses& diagnoses, const std::string& id) {
  static const Diagnosis nothing;
  const auto found = diagnoses.find(id);
  return found == diagnoses.end() ? nothing : found->second;
}

}  // namespace

fs::path builds_folder(const CommandContext& context) {
  return context.toolchain.is_bundle()
             ? context.exercise.folder / "built"
             : context.toolchain.tree / "exercises/variants" / context.exercise.slug() / "cases";
}

fs::path broken_build(const CommandContext& context, const DiagnosedCase& diagnosed) {
  const Toolchain& toolchain = context.toolchain;
  const fs::path folder = builds_folder(context) / diagnosed.id;
  if (toolchain.is_bundle()) {
    return folder;
  }
  const fs::path patch = toolchain.root / diagnosed.patch;
  const Stamp stamp(folder / "stamp", read_whole(patch) + state_of(toolchain.libraries));
  if (!stamp.is_current()) {
    context.notify(fmt::format("building {}", diagnosed.id));
    fs::remove_all(folder);
    fs::create_directories(folder);
    build_patched_libraries(toolchain, patch, folder);
    stamp.write();
  }
  return folder;
}

bool holds_undisturbed(const CommandContext& context, const DiagnosedCase& diagnosed) {
  const fs::path broken = broken_build(context, diagnosed);
  return play(context, broken, {"run", story_of(context, diagnosed).string()}).status == 0;
}

std::vector<DiagnosedCase> read_cases(const Exercise& exercise) {
  struct File {
    std::vector<DiagnosedCase> cases;
  };
  scenarios::Table<DiagnosedCase> entry("a case", "A build with a bug.");
  entry.required("id", &DiagnosedCase::id, text("a name"), "Its name.")
      .optional("patch", &DiagnosedCase::patch, text("a file"), "The bug; not in a bundle.")
      .required("scenario", &DiagnosedCase::scenario, text("a file"), "The story.")
      .optional("points", &DiagnosedCase::points, scenarios::integer("points", 1, 1000), "Worth.")
      .optional("deviations_max", &DiagnosedCase::deviations_max,
                scenarios::integer("deviations", 0, 1000), "How long a schedule may be.");
  scenarios::Table<File> table("cases", "The cases of an exercise.");
  table.required("cases", &File::cases, list_of("a list of cases", entry.codec()), "All.");
  return read_by(table.codec(), exercise.folder / "cases.yaml").cases;
}

Diagnoses read_diagnoses(const fs::path& file) {
  scenarios::Table<Diagnosis> entry("a diagnosis", "What is said about a case.");
  entry.optional("clause", &Diagnosis::clause, text("a clause"), "The broken clause.")
      .optional("schedule", &Diagnosis::schedule, text("a schedule"), "What makes it fail.");
  const auto each = entry.codec();
  scenarios::ParseContext context;
  const auto root = scenarios::parse_document(read_whole(file), context.problems);
  Diagnoses diagnoses;
  if (const scenarios::Node* const cases = root.find("cases")) {
    for (const scenarios::Node::Entry& found : cases->entries) {
      diagnoses[found.key] = each.read(found.value, context);
    }
  }
  if (!context.problems.empty()) {
    throw BadInput(scenarios::describe(file.string(), context.problems.take().front()));
  }
  return diagnoses;
}

void put_diagnoses(Grade& grade, const CommandContext& context, const Diagnoses& given,
                   const Diagnoses& right) {
  const std::vector<DiagnosedCase> cases = read_cases(context.exercise);
  double all = 0;
  for (const DiagnosedCase& diagnosed : cases) {
    all += static_cast<double>(diagnosed.points);
  }
  std::size_t reproduced = 0;
  for (const DiagnosedCase& diagnosed : cases) {
    const Diagnosis& diagnosis = find(given, diagnosed.id);
    GradeCase line{.id = diagnosed.id, .kind = "diagnose", .schedule = diagnosis.schedule};
    line.points_max = grade.points_max * static_cast<double>(diagnosed.points) / all;
    const double share = share_of(context, diagnosed, diagnosis.schedule, line.message);
    const bool named =
        !diagnosis.clause.empty() && diagnosis.clause == find(right, diagnosed.id).clause;
    line.points = line.points_max * (share + (named ? 1 - kShareOfSchedule : 0));
    line.outcome = line.points >= line.points_max - 1e-9 ? "pass" : "fail";
    line.message += named ? "" : fmt::format("\nthe clause is not {}", diagnosis.clause);
    reproduced += share > 0 ? 1 : 0;
    grade.cases.push_back(std::move(line));
  }
  grade.summary = fmt::format("{} of {} cases are reproduced.", reproduced, cases.size());
}

}  // namespace watchlab::course
