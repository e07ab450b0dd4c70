#include "tests/sim/explore/oracle/programs.hpp"

#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <new>
#include <stdexcept>

namespace watchlab::sim::oracle {
namespace {

constexpr std::uint64_t kAtATime = 500;
/// A program takes milliseconds; one that takes so long does not end.
constexpr unsigned kSecondsMax = 120;

/// What a child tells while it works.
struct Told {
  std::uint64_t seed = 0;  ///< that it has begun with
  ProgramSums sums;
};

/// A page that a child shares with its parent.
class SharedPage {
 public:
  SharedPage()
      : page_(mmap(nullptr, sizeof(Told), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1,
                   0)) {
    if (page_ == MAP_FAILED) {
      throw std::runtime_error("no memory to share");
    }
    new (page_) Told();
  }
  SharedPage(const SharedPage&) = delete;
  SharedPage& operator=(const SharedPage&) = delete;
  ~SharedPage() { munmap(page_, sizeof(Told)); }
  Told& told() { return *static_cast<Told*>(page_); }

 private:
  void* page_;
};

void print(const Program& program, const Judgement& judgement) {
  fmt::print("{}", to_string(program));
  for (const std::string& line : judgement.lost) {
    fmt::print("    LOST {}\n", line);
  }
  for (const std::string& line : judgement.wrong) {
    fmt::print("    FALSE {}\n", line);
  }
  for (const std::string& line : judgement.hidden) {
    fmt::print("    hidden by a failure or a long loop: {}\n", line);
  }
  std::fflush(stdout);
}

void judge_in_child(const Theme& theme, std::uint64_t last, const JudgementCosts& costs,
                    Told& told) {
  for (;; ++told.seed) {
    alarm(kSecondsMax);
    const Program program = write_program(theme, told.seed);
    const Judgement judgement = judge(program, costs);
    told.sums.add(judgement);
    if (!judgement.lost.empty() || !judgement.wrong.empty()) {
      print(program, judgement);
      alarm(kSecondsMax);
      const Program small = shrink(program, costs);
      fmt::print("  made small: ");
      print(small, judge(small, costs));
    }
    if (told.seed == last) {
      return;
    }
  }
}

}  // namespace

void ProgramSums::add(const Judgement& judgement) {
  ++programs;
  lost += judgement.lost.empty() ? 0 : 1;
  wrong += judgement.wrong.empty() ? 0 : 1;
  hidden += judgement.hidden.empty() ? 0 : 1;
  skipped += judgement.skipped ? 1 : 0;
  modelled += judgement.modelled ? 1 : 0;
  brute += judgement.brute ? 1 : 0;
  runs += judgement.runs;
}

void ProgramSums::add(const ProgramSums& more) {
  programs += more.programs;
  lost += more.lost;
  wrong += more.wrong;
  hidden += more.hidden;
  skipped += more.skipped;
  modelled += more.modelled;
  brute += more.brute;
  runs += more.runs;
  crashes += more.crashes;
}

std::string ProgramSums::to_string() const {
  return fmt::format(
      "{} programs, {} lost, {} false, {} hidden by failures, {} skipped, {} crashes ({} judged by "
      "the state machine, {} by brute force, {} runs)",
      programs, lost, wrong, hidden, skipped, crashes, modelled, brute, runs);
}

ProgramSums judge_seeds(const Theme& theme, std::uint64_t first, std::uint64_t last,
                        const JudgementCosts& costs) {
  ProgramSums sums;
  for (std::uint64_t seed = first; seed <= last;) {
    SharedPage page;
    page.told().seed = seed;
    std::fflush(stdout);
    const pid_t child = fork();
    if (child < 0) {
      throw std::runtime_error("cannot start a process");
    }
    if (child == 0) {
      judge_in_child(theme, std::min(last, seed + kAtATime - 1), costs, page.told());
      std::fflush(stdout);
      _exit(0);
    }
    int status = 0;
    waitpid(child, &status, 0);
    sums.add(page.told().sums);
    seed = page.told().seed + 1;
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) {
      ++sums.crashes;
      fmt::print("the process ended:\n{}", to_string(write_program(theme, page.told().seed)));
    }
  }
  return sums;
}

int judge_one(const Theme& theme, std::uint64_t seed, const JudgementCosts& costs) {
  const Program program = write_program(theme, seed);
  const Judgement judgement = judge(program, costs);
  print(program, judgement);
  fmt::print("{} runs, {}, {}{}\n", judgement.runs,
             judgement.modelled ? "judged by the state machine" : "not by the state machine",
             judgement.brute ? "by brute force" : "not by brute force",
             judgement.skipped ? "; skipped" : "");
  for (const std::string& outcome : judgement.outcomes) {
    fmt::print("  there is: {}\n", outcome);
  }
  return judgement.lost.empty() && judgement.wrong.empty() ? 0 : 1;
}

}  // namespace watchlab::sim::oracle
