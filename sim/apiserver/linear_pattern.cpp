#include "sim/apiserver/linear_pattern.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "sim/apiserver/pattern_parser.hpp"
#include "sim/kernel/utf8.hpp"

namespace watchlab::sim {

namespace {

using Instruction = LinearPattern::Instruction;
using Operation = LinearPattern::Operation;
using Program = LinearPattern::Program;
using Ranges = LinearPattern::Ranges;

constexpr std::uint32_t kNone = 0xFFFFFFFF;  // before the text, and behind it

bool has(const Ranges& ranges, std::uint32_t code) {
  const auto behind = std::ranges::upper_bound(ranges, code, {}, &LinearPattern::Range::first);
  return behind != ranges.begin() && code <= std::prev(behind)->last;
}

bool is_word(std::uint32_t code) {
  return (code >= '0' && code <= '9') || (code >= 'A' && code <= 'Z') || code == '_' ||
         (code >= 'a' && code <= 'z');
}

bool holds(Assertion assertion, std::uint32_t before, std::uint32_t behind) {
  switch (assertion) {
    case Assertion::TextBegins:
      return before == kNone;
    case Assertion::TextEnds:
      return behind == kNone;
    case Assertion::LineBegins:
      return before == kNone || before == '\n';
    case Assertion::LineEnds:
      return behind == kNone || behind == '\n';
    case Assertion::Word:
      return is_word(before) != is_word(behind);
    case Assertion::NoWord:
      return is_word(before) == is_word(behind);
  }
  return false;
}

/// The threads of a program that wait for one character, each at another instruction.
class Threads {
 public:
  Threads(const Program& program, std::size_t& steps)
      : program_(program), steps_(steps), seen_(program.size(), 0) {}

  /// Before the next character. Every set of threads has a number of its own.
  void begin() {
    ++round_;
    waiting_.clear();
  }

  /// Adds a thread there, and those that it splits into. True when one of them matches.
  bool add(std::size_t start, std::uint32_t before, std::uint32_t behind) {
    pending_.push_back(start);
    bool matches = false;
    while (!pending_.empty()) {
      const std::size_t at = pending_.back();
      pending_.pop_back();
      if (std::exchange(seen_[at], round_) == round_) {
        continue;
      }
      steps_ -= std::min<std::size_t>(steps_, 1);
      const Instruction& each = program_[at];
      const auto target = static_cast<std::size_t>(static_cast<std::ptrdiff_t>(at) + each.operand);
      switch (each.operation) {
        case Operation::Character:
          waiting_.push_back(at);
          break;
        case Operation::Split:
          pending_.push_back(target);
          pending_.push_back(at + 1);
          break;
        case Operation::Jump:
          pending_.push_back(target);
          break;
        case Operation::Assertion:
          if (holds(static_cast<Assertion>(each.operand), before, behind)) {
            pending_.push_back(at + 1);
          }
          break;
        case Operation::Match:
          matches = true;
          break;
      }
    }
    return matches;
  }

  [[nodiscard]] const std::vector<std::size_t>& waiting() const { return waiting_; }

 private:
  const Program& program_;
  std::size_t& steps_;
  std::size_t round_ = 0;
  std::vector<std::size_t> seen_;  ///< in which round each instruction was last reached
  std::vector<std::size_t> waiting_;
  std::vector<std::size_t> pending_;
};

/// A byte that is of no character counts as U+FFFD.
Character next_of(std::string_view text) {
  if (text.empty()) {
    return {kNone, 0};
  }
  const Character character = first_character(text);
  return character.size == 0 ? Character{0xFFFD, 1} : character;
}

}  // namespace

LinearPattern::LinearPattern(std::string_view pattern) {
  try {
    CompiledPattern compiled = compiled_pattern(pattern);
    sets_ = std::move(compiled.sets);
    program_ = std::move(compiled.program);
    program_.push_back({Operation::Match});
  } catch (const std::runtime_error& failure) {
    mistake_ = failure.what();
  }
}

std::optional<bool> LinearPattern::is_found_in(std::string_view text, std::size_t& steps) const {
  if (program_.empty()) {
    return false;
  }
  constexpr std::size_t kInstructionsOfStep = 16;  // that only get room
  steps -= std::min(steps, program_.size() / kInstructionsOfStep);
  Threads one(program_, steps);
  Threads other(program_, steps);
  Threads* now = &one;
  Threads* next = &other;
  std::uint32_t before = kNone;
  Character character = next_of(text);
  now->begin();
  while (true) {
    if (now->add(0, before, character.code)) {  // a match may begin at every character
      return true;
    }
    if (character.code == kNone) {
      return false;
    }
    steps -= std::min(steps, now->waiting().size());
    if (steps == 0) {
      return std::nullopt;
    }
    text.remove_prefix(character.size);
    const Character behind = next_of(text);
    next->begin();
    for (const std::size_t at : now->waiting()) {
      const auto set = static_cast<std::size_t>(program_[at].operand);
      if (has(sets_[set], character.code) && next->add(at + 1, character.code, behind.code)) {
        return true;
      }
    }
    std::swap(now, next);
    before = character.code;
    character = behind;
  }
}

}  // namespace watchlab::sim
