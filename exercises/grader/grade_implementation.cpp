#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <utility>

#include "exercises/grader/grade_tests.hpp"
#include "exercises/programs/trusted_program.hpp"

namespace watchlab::course {
namespace {

using Outcome = CaseRun::Outcome;

std::string outcome_word(Outcome outcome) {
  constexpr std::array words{"not_run", "pass", "fail", "hang", "crash"};
  return words.at(static_cast<std::size_t>(outcome));
}

GradeCase line_of(const CaseRun& run, bool hidden, std::size_t number) {
  GradeCase line{.id = hidden ? fmt::format("hidden test {}", number) : run.name,
                 .kind = hidden ? "hidden" : "visible",
                 .variant = hidden ? run.name : "",
                 .outcome = outcome_word(run.outcome),
                 .hidden = hidden};
  if (run.outcome != Outcome::Passed) {
    line.message =
        fmt::format("it {}: {}", to_string(run.outcome), run.text.substr(0, run.text.find('\n')));
    line.narration = run.text;
    line.schedule = run.schedule;
  }
  return line;
}

}  // namespace

ImplementationRuns run_implementation(const CommandContext& context, Stage& stage,
                                      const std::filesystem::path& program,
                                      const SuiteOptions& options) {
  stage.bring({library_host(context), context.toolchain.suite_runner()});
  stage.set_judge(program);
  TestProgram tests(context, stage, Tests::OfCourse);
  std::map<std::string, CaseRun> worst;
  ImplementationRuns runs;
  for (const std::uint64_t seed : options.seeds) {
    // What has failed under one seed has failed.
    std::vector<std::string> failed;
    for (const auto& [name, kept] : worst) {
      if (kept.outcome != Outcome::Passed && kept.outcome != Outcome::NotRun) {
        failed.push_back(name);
      }
    }
    const TestRun run =
        tests.run({.seed = seed,
                   .schedules = static_cast<std::size_t>(context.exercise.schedules),
                   .schedule = options.schedule,
                   .cases = options.cases,
                   .left_out = std::move(failed)});
    require_cases(run, options.cases);
    runs.forged = runs.forged || run.forged;
    runs.trouble = runs.trouble.empty() ? run.trouble : runs.trouble;
    for (const CaseRun& entry : run.cases) {
      CaseRun& kept = worst.try_emplace(entry.name, entry).first->second;
      if (kept.outcome == Outcome::Passed || kept.outcome == Outcome::NotRun) {
        kept = entry.outcome == Outcome::NotRun ? kept : entry;
      }
    }
    if (!run.trouble.empty()) {
      // What was not run counts as failed, whatever came of it before, and would only take its time
      // again.
      for (const CaseRun& entry : run.cases) {
        CaseRun& kept = worst.at(entry.name);
        kept = entry.outcome == Outcome::NotRun && kept.outcome == Outcome::Passed ? entry : kept;
      }
      break;
    }
  }
  for (auto& [name, run] : worst) {
    if (options.cases.empty() || std::ranges::find(options.cases, name) != options.cases.end()) {
      runs.cases.push_back(std::move(run));
    }
  }
  return runs;
}

void put_implementation(Grade& grade, const ImplementationRuns& visible,
                        const ImplementationRuns& hidden) {
  const std::size_t all = visible.cases.size() + hidden.cases.size();
  std::size_t passed = 0;
  for (const auto* runs : {&visible, &hidden}) {
    for (std::size_t i = 0; i < runs->cases.size(); ++i) {
      GradeCase line = line_of(runs->cases[i], runs == &hidden, i + 1);
      line.points_max = grade.points_max / static_cast<double>(all);
      if (line.outcome == "pass") {
        line.points = line.points_max;
        ++passed;
      }
      grade.cases.push_back(std::move(line));
    }
  }
  grade.summary =
      hidden.cases.empty()
          ? fmt::format("{} of {} visible tests pass; grading runs hidden ones, too.", passed, all)
          : fmt::format("{} of {} tests pass.", passed, all);
  grade.summary += visible.trouble.empty() ? "" : "\n" + visible.trouble;
  // Neither its output nor its status: the library may have written there what it was asked.
  grade.summary +=
      hidden.trouble.empty() ? "" : "\nNot all hidden tests could be run to their end.";
  if (visible.forged || hidden.forged) {
    grade.summary +=
        "\n"
        "Something wrote false reports; they do not count.";
  }
}

}  // namespace watchlab::course
