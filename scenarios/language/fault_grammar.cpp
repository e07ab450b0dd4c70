#include <algorithm>
#include <utility>

#include "scenarios/language/grammar.hpp"
#include "scenarios/language/table.hpp"

namespace watchlab::scenarios {
namespace {

using sim::FaultSketch;
using FaultTable = Table<FaultSketch>;

FaultTable& with_client(FaultTable& table) {
  return table.optional("of", &FaultSketch::of, known_name("client"),
                        "The client that it hits; all if left out.");
}

FaultTable& with_name(FaultTable& table) {
  return table.optional("as", &FaultSketch::as, text("a name for a fault"),
                        "By what name it is healed; its own if left out.");
}

FaultTable& with_verb(FaultTable& table) {
  return table.optional("verb", &FaultSketch::verb, verb_grammar(),
                        "Which requests it hits; all if left out.");
}

FaultTable& with_times(FaultTable& table) {
  return table.optional("times", &FaultSketch::times, integer("a number of requests", 1, 1'000'000),
                        "After how many requests it is over; never if left out.");
}

std::vector<std::string> refusals() {
  std::vector<std::string> words = sim::answer_words();
  std::erase(words, "ok");
  std::erase(words, "pending");
  std::erase(words, "cancelled");
  return words;
}

Typed<FaultSketch> close_watch() {
  FaultTable table("close_watch", "Ends the open watches in an orderly way.");
  return with_client(table).typed();
}

Typed<FaultSketch> cut_watch() {
  FaultTable table("cut_watch", "Breaks the connections of the open watches.");
  return with_client(table).typed();
}

Typed<FaultSketch> evict_watch_window() {
  FaultTable table("evict_watch_window", "The watch cache forgets all its history.");
  return table.typed();
}

Typed<FaultSketch> refuse_connections() {
  FaultTable table("refuse_connections", "Nobody listens: each new request is refused.");
  return with_times(with_verb(with_name(with_client(table)))).typed();
}

Typed<FaultSketch> delay() {
  FaultTable table("delay", "Answers come late.");
  table.required("by", &FaultSketch::by, duration(), "How late.");
  return with_times(with_verb(with_name(with_client(table)))).typed();
}

Typed<FaultSketch> fail_list() {
  FaultTable table("fail_list", "Lists are answered with a failure.");
  table.required("answer", &FaultSketch::answer, word("a failure", refusals()), "Which failure.");
  return with_times(with_name(with_client(table))).typed();
}

/// The catalogue: adding a fault means adding its line here.
std::vector<std::pair<std::string, Typed<FaultSketch>>> catalogue() {
  return {{"close_watch", close_watch()},
          {"cut_watch", cut_watch()},
          {"evict_watch_window", evict_watch_window()},
          {"refuse_connections", refuse_connections()},
          {"delay", delay()},
          {"fail_list", fail_list()}};
}

bool needs_nothing(const Shape& shape) {
  return std::none_of(shape.fields.begin(), shape.fields.end(),
                      [](const FieldShape& field) { return field.presence == Presence::Required; });
}

void define(const FaultSketch& fault, Place place, Reading& reading) {
  reading.defines("fault", fault.as.empty() ? fault.name : fault.as, place);
}

}  // namespace

Typed<FaultSketch> fault_grammar() {
  FaultTable table("a fault", "What goes wrong, with its details.");
  std::vector<std::string> without_details;
  for (auto& [name, details] : catalogue()) {
    if (needs_nothing(*details.shape)) {
      without_details.push_back(name);
    }
    const std::string doc = details.shape->doc;
    table.one_of_with(
        name, std::move(details),
        [name = name](FaultSketch& fault, FaultSketch read) {
          fault = std::move(read);
          fault.name = name;
        },
        doc);
  }
  table.finally(define);
  const Typed<std::string> name = word("a fault", without_details);
  auto read = [name](const Node& node, Reading& reading) {
    FaultSketch fault;
    fault.name = name.read(node, reading);
    define(fault, node.place, reading);
    return fault;
  };
  return or_short({name.shape, std::move(read)}, table.typed());
}

Typed<std::string> verb_grammar() { return word("a verb", {"LIST", "WATCH"}); }

}  // namespace watchlab::scenarios
