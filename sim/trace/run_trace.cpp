#include "sim/trace/run_trace.hpp"

#include <fmt/format.h>

#include <boost/json.hpp>
#include <stdexcept>

#include "sim/explain/wording.hpp"
#include "sim/kernel/path_text.hpp"
#include "sim/kernel/plain_text.hpp"

namespace watchlab::sim {
namespace {

std::int64_t since_start(runtime::TimePoint at, const Witness& witness) {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(at - witness.result.started).count();
}

boost::json::object line_of(const TraceStep& step) {
  return {{"step", step.step}, {"at", step.at},       {"task", step.task},
          {"does", step.does}, {"place", step.place}, {"handover", step.handover}};
}

boost::json::object line_of(const TraceNote& note) {
  boost::json::object line{{"note", note.kind}, {"step", note.step},       {"at", note.at},
                           {"task", note.task}, {"subject", note.subject}, {"text", note.text}};
  if (!note.by.empty()) {
    line["by"] = note.by;
  }
  return line;
}

/// A trace may come from elsewhere, and its texts are rows for people.
std::string text_in(const boost::json::object& line, std::string_view key) {
  return visible_line(std::string_view(line.at(key).as_string()));
}

void read_line(const boost::json::object& line, RunTrace& trace) {
  if (line.contains("trace")) {
    trace.name = text_in(line, "trace");
    trace.schedule = text_in(line, "schedule");
    trace.digest = text_in(line, "digest");
    trace.outcome = std::string(std::string_view(line.at("outcome").as_string()));
    return;
  }
  const auto step = line.at("step").to_number<std::size_t>();
  const auto at = line.at("at").to_number<std::int64_t>();
  if (line.contains("note")) {
    trace.notes.push_back({step, at, text_in(line, "task"), text_in(line, "note"),
                           text_in(line, "subject"), text_in(line, "text"),
                           line.contains("by") ? text_in(line, "by") : ""});
  } else {
    trace.steps.push_back({step, at, text_in(line, "task"), text_in(line, "does"),
                           text_in(line, "place"), text_in(line, "handover")});
  }
}

}  // namespace

RunTrace trace_of(const Witness& witness, std::string name) {
  RunTrace trace{.name = std::move(name),
                 .schedule = witness.result.schedule,
                 .digest = fmt::format("{:016x}", witness.result.digest)};
  if (const auto& failure = witness.result.failure) {
    trace.outcome = failure->kind + ": " + with_short_places(failure->sentence);
  }
  for (const WitnessedStep& step : witness.steps) {
    const WitnessedOperation& done = step.done;
    const bool has_place = done.kind != OperationKind::Exit && done.here.line() != 0;
    trace.steps.push_back({.step = step.step,
                           .at = since_start(step.at, witness),
                           .task = witness.actors[done.actor].path,
                           .does = does(done.kind) + (done.object.empty() ? "" : " " + done.object),
                           .place = has_place ? place_text(done.here) : "",
                           .handover = handover_text(witness, step)});
  }
  for (const NoteRecord& note : witness.result.notes) {
    trace.notes.push_back({.step = note.step,
                           .at = since_start(note.at, witness),
                           .task = note.task,
                           .kind = note.kind,
                           .subject = note.subject,
                           .text = note.text,
                           .by = note.by});
  }
  return trace;
}

std::string RunTrace::to_lines() const {
  std::string lines = boost::json::serialize(boost::json::object{
      {"trace", name}, {"schedule", schedule}, {"digest", digest}, {"outcome", outcome}});
  lines += '\n';
  std::size_t note = 0;
  const auto write_notes_before = [&](std::size_t step) {
    for (; note < notes.size() && notes[note].step < step; ++note) {
      lines += boost::json::serialize(line_of(notes[note])) + "\n";
    }
  };
  for (const TraceStep& step : steps) {
    write_notes_before(step.step);
    lines += boost::json::serialize(line_of(step)) + "\n";
  }
  write_notes_before(SIZE_MAX);
  return lines;
}

RunTrace RunTrace::parse(std::string_view lines) {
  RunTrace trace;
  for (std::size_t number = 1; !lines.empty(); ++number) {
    const std::size_t end = std::min(lines.find('\n'), lines.size());
    const std::string_view line = lines.substr(0, end);
    lines.remove_prefix(std::min(end + 1, lines.size()));
    try {
      const boost::json::object parsed = boost::json::parse(line).as_object();
      if ((number == 1) != parsed.contains("trace")) {
        throw std::invalid_argument("a trace begins with a line that says \"trace\"");
      }
      read_line(parsed, trace);
    } catch (const std::exception& wrong) {
      throw std::invalid_argument(
          fmt::format("line {} is no line of a trace: {}", number, wrong.what()));
    }
  }
  return trace;
}

}  // namespace watchlab::sim
