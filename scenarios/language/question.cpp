#include "scenarios/language/question.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "scenarios/language/table.hpp"

namespace watchlab::scenarios {
namespace {

/// A part of a record that can be asked about.
struct Layer {
  std::string name;
  std::vector<std::string> verbs;
  std::vector<std::string> panels;  ///< of a page, in which it is seen
};

const std::vector<Layer>& layers() {
  static const std::vector<Layer> all{
      {"requests", {"LIST", "WATCH"}, {"wire", "reflector"}},
      {"deltas",
       {"Added", "Updated", "Deleted", "Replaced", "Sync", "ReplacedAll", "SyncAll", "Bookmark"},
       {"queue"}},
      {"calls", {"add", "update", "delete"}, {"handlers"}}};
  return all;
}

const Layer* find_layer(const std::string& name) {
  const auto found = std::ranges::find(layers(), name, &Layer::name);
  return found == layers().end() ? nullptr : &*found;
}

void check_verb(const Measure& measure, Place place, ParseContext& context) {
  const Layer* const layer = find_layer(measure.layer);
  if (layer != nullptr && !measure.verb.empty() &&
      std::ranges::find(layer->verbs, measure.verb) == layer->verbs.end()) {
    context.problems.add({place, fmt::format("no {} are a '{}'", layer->name, measure.verb),
                          one_of(layer->verbs), nearest_name(measure.verb, layer->verbs)});
  }
}

/// One entry, whatever its layer.
struct Line {
  runtime::TimePoint at;
  std::string of;
  std::string also_of;
  std::string verb;
  std::string key;
};

std::vector<Line> lines_of(const sim::Record& record, const std::string& layer) {
  std::vector<Line> lines;
  if (layer == "requests") {
    for (const sim::RequestRecord& entry : record.requests) {
      lines.push_back({entry.at, entry.client, "", std::string(to_string(entry.verb)), ""});
    }
  } else if (layer == "deltas") {
    for (const sim::DeltaRecord& entry : record.deltas) {
      lines.push_back({entry.at, entry.client, "", std::string(to_string(entry.type)), entry.key});
    }
  } else {
    for (const sim::CallRecord& entry : record.calls) {
      const std::string type(to_string(entry.type));
      lines.push_back({entry.at, entry.client, entry.handler, type, entry.key});
    }
  }
  return lines;
}

bool is_meant(const Measure& measure, const Line& line, runtime::Duration since) {
  return since >= measure.from && since <= measure.until &&
         (measure.verb.empty() || measure.verb == line.verb) &&
         (measure.of.empty() || measure.of == line.of || measure.of == line.also_of);
}

}  // namespace

Codec<Measure> measure_grammar(Codec<std::string> of) {
  std::vector<std::string> names;
  for (const Layer& layer : layers()) {
    names.push_back(layer.name);
  }
  Table<Measure> table("a measure", "What to measure in the run for the answer.");
  table
      .required("layer", &Measure::layer, word("a layer", std::move(names)),
                "What to measure: requests, popped deltas, or handler calls.")
      .optional("of", &Measure::of, std::move(of), "Which client's; default: all.")
      .optional("verb", &Measure::verb, text("a verb"),
                "Which ones: LIST, Sync, update and so on; default: all.")
      .optional("from", &Measure::from, duration(), "From when; default: the start.")
      .optional("until", &Measure::until, duration(), "Until when; default: the end.")
      .optional("show", &Measure::show, word("a form", {"count", "lines"}),
                "count: how many. lines: which ones, in order.");
  return checked<Measure>(table.codec(), check_verb);
}

Codec<Question> question_grammar() {
  Table<Question> table("a question", "What a page asks before it shows the answer.");
  table.required("ask", &Question::ask, text("a question"), "In words.")
      .required("measure", &Question::measure, measure_grammar(known_name("client")),
                "What to measure in the run for the answer.");
  return table.codec();
}

std::string measured_by(const Measure& measure, const sim::Record& record) {
  std::size_t count = 0;
  std::string lines;
  for (const Line& line : lines_of(record, measure.layer)) {
    if (is_meant(measure, line, line.at - record.began)) {
      ++count;
      lines += (lines.empty() ? "" : ", ") + line.verb + (line.key.empty() ? "" : " " + line.key);
    }
  }
  return measure.show == "count" ? std::to_string(count) : lines;
}

std::vector<std::string> verbs_of(const Measure& measure) {
  const Layer* const layer = find_layer(measure.layer);
  return layer == nullptr ? std::vector<std::string>() : layer->verbs;
}

bool shows_keys(const Measure& measure) { return measure.layer != "requests"; }

std::vector<std::string> panels_of(const Measure& measure) {
  const Layer* const layer = find_layer(measure.layer);
  return layer == nullptr ? std::vector<std::string>() : layer->panels;
}

}  // namespace watchlab::scenarios
