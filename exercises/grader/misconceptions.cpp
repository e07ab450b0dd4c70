#include "exercises/grader/misconceptions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "exercises/grader/judge_suite.hpp"
#include "exercises/programs/texts.hpp"
#include "exercises/toolkit/protocol.hpp"
#include "scenarios/language/table.hpp"
#include "scenarios/language/values.hpp"
#include "sim/faults/fault_catalogue.hpp"

namespace watchlab::course {
namespace {

namespace fs = std::filesystem;
using scenarios::text;

constexpr std::string_view kBetween = "…";

std::string without_blanks(std::string_view text) {
  std::string out;
  std::ranges::copy_if(text, std::back_inserter(out), [](char letter) {
    return letter != ' ' && letter != '\t' && letter != '\n' && letter != '\r';
  });
  return out;
}

/// A test begins with a macro at the beginning of a line: BOOST_AUTO_TEST_CASE, a fixture's … In Go
/// it is a function.
std::size_t next_test(const std::string& source, std::size_t from) {
  if (const std::size_t at = source.find("\nfunc Test", from); at != std::string::npos) {
    return at;
  }
  for (std::size_t at = source.find("\nBOOST_", from); at != std::string::npos;
       at = source.find("\nBOOST_", at + 1)) {
    if (source.substr(at, source.find('(', at) - at).find("TEST") != std::string::npos) {
      return at;
    }
  }
  return source.size();
}

/// What a test did that says nothing of the library, and so nothing of what it believes; "" for
/// none.
std::string misuse_in(const CaseRun& run) {
  const std::string line = run.text.substr(0, run.text.find('\n'));
  const std::size_t wrongly = line.find(kUsedWrongly);
  if (wrongly != std::string::npos) {
    return line.substr(wrongly);
  }
  constexpr std::string_view leak = "leak: ";
  if (line.starts_with(leak)) {
    return "the test leaves a task behind: " + line.substr(leak.size());
  }
  return line.find(kLeftRunning) != std::string::npos ? "the test leaves a task behind: " + line
                                                      : "";
}

/// Whether a test injects what no correct server and no correct network does.
bool injects_what_is_illegal(const std::string& test) {
  return std::ranges::any_of(sim::fault_catalogue(), [&](const sim::FaultEntry& fault) {
    return fault.legality == sim::Legality::Illegal &&
           has_pieces(test, fmt::format("inject(\"{}\"", fault.name));
  });
}

}  // namespace

std::vector<Misconception> read_misconceptions(const Exercise& exercise) {
  struct File {
    std::vector<Misconception> rows;
  };
  const fs::path file = exercise.folder / "misconceptions.yaml";
  if (!fs::exists(file)) {
    return {};
  }
  scenarios::Table<Misconception> row("a misconception", "A wrong belief.");
  row.required("clause", &Misconception::clause, text("a clause"), "What says otherwise.")
      .optional("code", &Misconception::code, text("pieces"), "What stands in the test.")
      .optional("fails", &Misconception::fails, text("pieces"), "How it fails.")
      .optional("illegal", &Misconception::illegal, scenarios::boolean(),
                "Whether it injects an illegal fault.")
      .required("say", &Misconception::say, text("a sentence"), "What is promised instead.");
  scenarios::Table<File> table("misconceptions", "What students believe.");
  table.required("misconceptions", &File::rows, list_of("a list of misconceptions", row.codec()),
                 "The first that fits is shown.");
  return read_by(table.codec(), file).rows;
}

bool has_pieces(std::string_view text, std::string_view pattern) {
  const std::string where = without_blanks(text);
  const std::string pieces = without_blanks(pattern);
  std::string_view rest = pieces;
  std::size_t at = 0;
  while (true) {
    const std::string_view piece = rest.substr(0, rest.find(kBetween));
    at = where.find(piece, at);
    if (at == std::string::npos) {
      return false;
    }
    at += piece.size();
    if (piece.size() == rest.size()) {
      return true;
    }
    rest.remove_prefix(piece.size() + kBetween.size());
  }
}

std::string test_in(const std::string& source, const std::string& name) {
  for (const auto& [begin, end] : {std::pair{"(", ")"}, {"(", ","}, {"func ", "("}}) {
    const std::size_t at = source.find(begin + name + end);
    if (at != std::string::npos) {
      return source.substr(at, next_test(source, at) - at);
    }
  }
  return "";
}

const Misconception* find_misconception(const std::vector<Misconception>& rows,
                                        const std::string& test, const std::string& failure) {
  if (test.empty()) {
    return nullptr;
  }
  const auto found = std::ranges::find_if(rows, [&](const Misconception& row) {
    return has_pieces(test, row.code) && has_pieces(failure, row.fails) &&
           (!row.illegal || injects_what_is_illegal(test));
  });
  return found == rows.end() ? nullptr : &*found;
}

void name_misconceptions(SuiteRuns& suite, const Exercise& exercise, const std::string& source) {
  const std::vector<Misconception> rows = read_misconceptions(exercise);
  for (SuiteRuns::Test& test : suite.tests) {
    // Whatever else a test is refused for, such as a clock, matters more than what it believes.
    if (!test.reason.ends_with(kNotPromised)) {
      continue;
    }
    if (const std::string misuse = misuse_in(test.run); !misuse.empty()) {
      test.reason = misuse;
      test.run.text.clear();  // steps say nothing of it that its sentence does not say
      test.run.schedule.clear();
    } else if (test.run.outcome != CaseRun::Outcome::Crashed) {
      const Misconception* const row =
          find_misconception(rows, test_in(source, test.name), test.run.text);
      if (row != nullptr) {
        test.reason.resize(test.reason.size() - kNotPromised.size());
        test.reason += fmt::format(", against {}: {}", row->clause, row->say);
      }
    }
  }
}

}  // namespace watchlab::course
