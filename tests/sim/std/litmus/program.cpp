#include "tests/sim/std/litmus/program.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <sstream>
#include <stdexcept>
#include <utility>

namespace watchlab::litmus {

namespace {

using enum std::memory_order;

constexpr std::string_view kLocations = "xyzw";
constexpr std::string_view kRegisters = "abcdefghijklm";
constexpr std::array<std::pair<std::memory_order, std::string_view>, 5> kOrders = {
    {{relaxed, "rlx"}, {acquire, "acq"}, {release, "rel"}, {acq_rel, "acq_rel"}, {seq_cst, "sc"}}};

[[noreturn]] void refuse(const std::string& what) {
  throw std::invalid_argument("no litmus test: " + what);
}

std::memory_order order_named(const std::string& name) {
  for (const auto& [order, text] : kOrders) {
    if (text == name) {
      return order;
    }
  }
  refuse("memory order '" + name + "'");
}

std::string to_string(std::memory_order order) {
  for (const auto& [known, text] : kOrders) {
    if (known == order) {
      return std::string(text);
    }
  }
  refuse("an order without a name");
}

int index_in(std::string_view names, char name) {
  const std::size_t at = names.find(name);
  if (at == std::string_view::npos) {
    refuse(std::string("name '") + name + "'");
  }
  return static_cast<int>(at);
}

/// Reads `a=x+1`, without spaces and orders.
void read_access(const std::string& text, Instruction& into) {
  std::istringstream in(text);
  char first = 0;
  char equals = 0;
  in >> first >> equals;
  if (kLocations.find(first) != std::string_view::npos) {
    into.op = Op::Store;
    into.location = index_in(kLocations, first);
    in >> into.value;
    return;
  }
  into.reg = index_in(kRegisters, first);
  char location = 0;
  in >> location;
  into.location = index_in(kLocations, location);
  char sign = 0;
  if (!(in >> sign)) {
    in.clear();
    into.op = Op::Load;
  } else if (sign == '+') {
    into.op = Op::Add;
    in >> into.value;
  } else if (sign == '<') {
    into.op = Op::Exchange;
    in.ignore() >> into.value;
  } else if (sign == '?' || sign == '~') {
    into.op = sign == '?' ? Op::Strong : Op::Weak;
    in >> into.expected;
    in.ignore() >> into.value;
  } else {
    refuse(text);
  }
  if (!in) {
    refuse(text);
  }
}

Instruction instruction_of(const std::string& text) {
  std::istringstream in(text);
  Instruction read;
  std::string word;
  in >> word;
  if (word == "if") {
    in >> word;
    read.guard = index_in(kRegisters, word.at(0));
    read.guard_value = std::stoi(word.substr(2));
    in >> word;
  }
  if (word == "fence") {
    read.op = Op::Fence;
  } else {
    read_access(word, read);
  }
  in >> word;
  read.order = order_named(word);
  if (read.op == Op::Strong || read.op == Op::Weak) {
    in >> word;
    read.failure = order_named(word);
  }
  return read;
}

std::vector<std::string> parts(std::string_view text, std::string_view between) {
  std::vector<std::string> found;
  for (std::size_t at = text.find(between); at != std::string_view::npos; at = text.find(between)) {
    found.emplace_back(text.substr(0, at));
    text.remove_prefix(at + between.size());
  }
  found.emplace_back(text);
  return found;
}

/// One character for each value: A is ten.
char digit(int value) {
  if (value < 0) {
    return value == kFailed ? 'f' : '-';
  }
  return static_cast<char>(value < 10 ? '0' + value : 'A' + (value - 10));
}

std::string text_of(const Instruction& one) {
  std::string text;
  if (one.guard != kUnset) {
    text += std::string("if ") + kRegisters[static_cast<std::size_t>(one.guard)] + "=" +
            digit(one.guard_value) + " ";
  }
  if (one.op == Op::Fence) {
    return text + "fence " + to_string(one.order);
  }
  const char location = kLocations[static_cast<std::size_t>(one.location)];
  if (one.op == Op::Store) {
    return text + location + "=" + digit(one.value) + " " + to_string(one.order);
  }
  text += std::string(1, kRegisters[static_cast<std::size_t>(one.reg)]) + "=" + location;
  if (one.op == Op::Add) {
    text += std::string("+") + digit(one.value);
  } else if (one.op == Op::Exchange) {
    text += std::string("<-") + digit(one.value);
  } else if (one.op != Op::Load) {
    text += std::string(1, one.op == Op::Strong ? '?' : '~') + digit(one.expected) + ":" +
            digit(one.value);
  }
  text += " " + to_string(one.order);
  return one.op == Op::Strong || one.op == Op::Weak ? text + " " + to_string(one.failure) : text;
}

}  // namespace

Program parsed(std::string_view text) {
  Program program;
  for (const std::string& thread : parts(text, "||")) {
    program.threads.emplace_back();
    for (const std::string& one : parts(thread, ";")) {
      const Instruction instruction = instruction_of(one);
      program.registers = std::max(program.registers, instruction.reg + 1);
      program.locations = std::max(program.locations, instruction.location + 1);
      program.threads.back().push_back(instruction);
    }
  }
  return program;
}

std::string to_string(const Program& program) {
  std::string text;
  for (const auto& thread : program.threads) {
    text += text.empty() ? "" : " || ";
    std::string instructions;
    for (const Instruction& one : thread) {
      instructions += (instructions.empty() ? "" : "; ") + text_of(one);
    }
    text += instructions;
  }
  return text;
}

std::string outcome(const std::vector<int>& registers, const std::vector<int>& memory) {
  std::string text;
  for (const int value : registers) {
    text += digit(value);
  }
  text += '|';
  for (const int value : memory) {
    text += digit(value);
  }
  return text;
}

bool writes(const Instruction& instruction, int value) {
  switch (instruction.op) {
    case Op::Load:
    case Op::Fence:
      return false;
    case Op::Store:
    case Op::Add:
    case Op::Exchange:
      return true;
    case Op::Strong:
    case Op::Weak:
      return value == instruction.expected;
  }
  return false;
}

int written(const Instruction& instruction, int value) {
  return instruction.op == Op::Add ? value + instruction.value : instruction.value;
}

bool runs(const Instruction& instruction, const std::vector<int>& registers) {
  return instruction.guard == kUnset ||
         registers[static_cast<std::size_t>(instruction.guard)] == instruction.guard_value;
}

}  // namespace watchlab::litmus
