#include "sim/explain/wording.hpp"

#include <fmt/format.h>

#include "sim/kernel/place_text.hpp"

namespace watchlab::sim {
namespace {

/// The verb as an order: "lock", "wait on".
std::string order_to(OperationKind kind) {
  switch (kind) {
    case OperationKind::Relock:
      return "take back";
    case OperationKind::ReadGranted:
      return "get the read lock on";
    case OperationKind::WriteGranted:
      return "get the write lock on";
    case OperationKind::Continue:
      return "go on after meeting at";
    case OperationKind::CondTimeout:
      return "give up waiting on";
    case OperationKind::TaskDone:
      return "look whether it has ended:";
    default:
      return std::string(verb_for(kind));
  }
}

/// The same about somebody: "lock" becomes "locks", "notify" "notifies", "go" "goes".
std::string third_person(const std::string& word) {
  const char last = word.back();
  const char before = word.size() > 1 ? word[word.size() - 2] : ' ';
  if (last == 'y' && std::string_view("aeiou").find(before) == std::string_view::npos) {
    return word.substr(0, word.size() - 1) + "ies";
  }
  return word + (last == 'o' || last == 'h' ? "es" : "s");
}

/// Whether a line of the program is meant: nobody writes down the end of a task.
bool has_place(const WitnessedOperation& operation) {
  return operation.kind != OperationKind::Exit && operation.here.line() != 0;
}

std::string without_kind(const std::string& object) {
  const std::size_t name = object.find('\'');
  const bool is_named = name != std::string::npos && !object.ends_with("''");
  const bool is_one = object.find(", ") == std::string::npos;
  return is_named && is_one ? object.substr(name) : object;
}

std::string with_place(std::string text, const WitnessedOperation& operation) {
  if (has_place(operation)) {
    text += fmt::format(" ({})", place_text(operation.here));
  }
  return text;
}

}  // namespace

std::string does(OperationKind kind) {
  const std::string words = order_to(kind);
  const std::size_t end = words.find(' ');
  return third_person(words.substr(0, end)) + (end == std::string::npos ? "" : words.substr(end));
}

std::string deed(const WitnessedOperation& operation) {
  std::string text = does(operation.kind);
  if (!operation.object.empty()) {
    text += " " + operation.object;
  }
  return with_place(std::move(text), operation);
}

std::string sentence_of(const Witness& witness, const WitnessedOperation& operation) {
  return witness.name(operation.actor) + " " + deed(operation);
}

std::string short_deed(const WitnessedOperation& operation) {
  std::string text = order_to(operation.kind);
  if (!operation.object.empty()) {
    text += " " + without_kind(operation.object);
  }
  return with_place(std::move(text), operation);
}

std::string with_short_places(std::string_view text) {
  std::string result;
  while (!text.empty()) {
    const std::size_t end = text.find_first_of(" (\n", 1);
    std::string_view word = text.substr(0, end);
    const std::size_t folder = word.rfind('/');
    if (folder != std::string_view::npos && word.find(".cpp:") != std::string_view::npos) {
      const bool bracket = word.front() == '(' || word.front() == ' ';
      result += word.substr(0, bracket ? 1 : 0);
      word = word.substr(folder + 1);
    }
    result += word;
    text = end == std::string_view::npos ? "" : text.substr(end);
  }
  return result;
}

std::string listed(const std::vector<std::string>& names) {
  std::string text;
  for (std::size_t i = 0; i < names.size(); ++i) {
    const char* const between = i == 0 ? "" : i + 1 == names.size() ? " and " : ", ";
    text += between + names[i];
  }
  return text;
}

std::string counted(std::size_t count, std::string_view noun) {
  return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

}  // namespace watchlab::sim
