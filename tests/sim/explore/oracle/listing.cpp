#include "tests/sim/explore/oracle/listing.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <sstream>
#include <stdexcept>

namespace watchlab::sim::oracle {
namespace {

constexpr std::array<std::string_view, 37> kNames{
    "load",         "store",     "add",         "exchange",   "cas",         "lock",
    "unlock",       "try_lock",  "touch",       "read_lock",  "read_unlock", "write_lock",
    "write_unlock", "wait",      "wait_for",    "notify_one", "notify_all",  "send",
    "receive",      "try_send",  "try_receive", "close",      "size",        "select",
    "poll",         "group_add", "group_done",  "group_wait", "timer_stop",  "timer_reset",
    "sleep",        "yield",     "choose",      "order",      "spawn",       "join",
    "ended"};

bool stands_alone(Verb verb) {
  return verb == Verb::Yield || verb == Verb::Order || verb == Verb::GroupDone ||
         verb == Verb::GroupWait || (verb >= Verb::ReadLock && verb <= Verb::WriteUnlock);
}

bool selects(Verb verb) { return verb == Verb::Select || verb == Verb::Poll; }

std::string to_string(const Instruction& instruction) {
  std::string text(kNames.at(static_cast<std::size_t>(instruction.verb)));
  switch (instruction.verb) {
    case Verb::Select:
    case Verb::Poll:
      for (const Arm& arm : instruction.arms) {
        text += fmt::format(" {}{}", arm.sends ? 's' : 'r', arm.channel);
      }
      return text;
    case Verb::Sleep:
      return text + fmt::format(" {}", instruction.delay);
    case Verb::Wait:
    case Verb::Cas:
      return text + fmt::format(" {} {}", instruction.object, instruction.number);
    case Verb::WaitFor:
      return text +
             fmt::format(" {} {} {}", instruction.object, instruction.number, instruction.delay);
    case Verb::TimerReset:
      return text + fmt::format(" {} {}", instruction.object, instruction.delay);
    default:
      return stands_alone(instruction.verb) ? text : text + fmt::format(" {}", instruction.object);
  }
}

/// The parts between separators, without blanks around them.
std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> parts;
  std::istringstream in{std::string(text)};
  for (std::string part; std::getline(in, part, separator);) {
    const std::size_t first = part.find_first_not_of(" \n\t");
    const std::size_t last = part.find_last_not_of(" \n\t");
    parts.push_back(first == std::string::npos ? "" : part.substr(first, last - first + 1));
  }
  return parts;
}

int number_from(std::istringstream& words) {
  int number = 0;
  if (!(words >> number)) {
    throw std::invalid_argument("an instruction lacks a number");
  }
  return number;
}

Instruction parse_instruction(const std::string& text) {
  std::istringstream words(text);
  std::string name;
  words >> name;
  const auto found = std::ranges::find(kNames, name);
  if (found == kNames.end()) {
    throw std::invalid_argument("no instruction is called '" + name + "'");
  }
  Instruction instruction{.verb = static_cast<Verb>(found - kNames.begin())};
  const Verb verb = instruction.verb;
  if (selects(verb)) {
    for (std::string arm; words >> arm;) {
      instruction.arms.push_back({.sends = arm.at(0) == 's', .channel = std::stoi(arm.substr(1))});
    }
    return instruction;
  }
  if (stands_alone(verb)) {
    return instruction;
  }
  if (verb == Verb::Sleep) {
    instruction.delay = number_from(words);
    return instruction;
  }
  instruction.object = number_from(words);
  if (verb == Verb::Wait || verb == Verb::WaitFor || verb == Verb::Cas) {
    instruction.number = number_from(words);
  }
  if (verb == Verb::WaitFor || verb == Verb::TimerReset) {
    instruction.delay = number_from(words);
  }
  return instruction;
}

}  // namespace

bool Listing::has(Verb verb) const {
  return std::ranges::any_of(tasks, [&](const std::vector<Instruction>& instructions) {
    return std::ranges::count(instructions, verb, &Instruction::verb) > 0;
  });
}

bool Listing::is_spawned(std::size_t task) const {
  for (const auto& instructions : tasks) {
    for (const Instruction& instruction : instructions) {
      if (instruction.verb == Verb::Spawn && instruction.object == static_cast<int>(task)) {
        return true;
      }
    }
  }
  return false;
}

int Listing::count(Verb first, Verb last) const {
  int count = 0;
  for (const auto& instructions : tasks) {
    for (const Instruction& instruction : instructions) {
      if (instruction.verb >= first && instruction.verb <= last) {
        count = std::max(count, instruction.object + 1);
      }
    }
  }
  return count;
}

int Listing::group_count() const {
  int count = 0;
  for (const auto& instructions : tasks) {
    count +=
        static_cast<int>(std::ranges::count(instructions, Verb::GroupDone, &Instruction::verb));
  }
  return count;
}

Listing Listing::released() const {
  Listing released = *this;
  for (auto& instructions : released.tasks) {
    const std::size_t size = instructions.size();
    for (std::size_t i = 0; i < size; ++i) {
      const Verb verb = instructions[i].verb;
      if (verb == Verb::Lock || verb == Verb::TryLock) {
        instructions.push_back({.verb = Verb::Unlock, .object = instructions[i].object});
      } else if (verb == Verb::ReadLock || verb == Verb::WriteLock) {
        instructions.push_back({.verb = Verb::ReadUnlock});
        instructions.push_back({.verb = Verb::WriteUnlock});
      }
    }
  }
  return released;
}

std::size_t Listing::size() const {
  std::size_t size = 0;
  for (const auto& instructions : tasks) {
    size += instructions.size();
  }
  return size;
}

std::string to_string(const Listing& listing) {
  std::string text;
  if (std::ranges::any_of(listing.timers, [](int delay) { return delay > 0; })) {
    text = fmt::format("timers {} {} | ", listing.timers.at(0), listing.timers.at(1));
  }
  for (std::size_t i = 0; i < listing.tasks.size(); ++i) {
    text += i > 0 ? " | " : "";
    for (std::size_t j = 0; j < listing.tasks[i].size(); ++j) {
      text += (j > 0 ? "; " : "") + to_string(listing.tasks[i][j]);
    }
  }
  return text;
}

Listing parse_listing(std::string_view text) {
  Listing listing;
  for (const std::string& part : split(text, '|')) {
    if (part.starts_with("timers")) {
      std::istringstream words(part.substr(6));
      for (int& delay : listing.timers) {
        delay = number_from(words);
      }
      continue;
    }
    listing.tasks.emplace_back();
    for (const std::string& instruction : split(part, ';')) {
      if (!instruction.empty()) {
        listing.tasks.back().push_back(parse_instruction(instruction));
      }
    }
  }
  return listing;
}

}  // namespace watchlab::sim::oracle
