#include "scenarios/serve/injected_faults.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <boost/json.hpp>
#include <iterator>
#include <set>
#include <stdexcept>
#include <utility>

#include "scenarios/language/grammar.hpp"
#include "sim/apiserver/status_bodies.hpp"
#include "sim/faults/fault_catalogue.hpp"

namespace watchlab::scenarios {
namespace {

namespace json = boost::json;

api::Error refused_text(const std::string& name, std::vector<Problem> problems) {
  std::string message;
  for (const Problem& problem : problems) {
    message += (message.empty() ? "" : "\n") + describe(name, problem);
  }
  return api::error_from(sim::status_bodies::bad_request(std::move(message)));
}

/// A fault that is one word is a scalar, which no document can be.
Node fault_node(std::string_view text, Problems& problems) {
  const std::size_t first = text.find_first_not_of(" \t\r\n\"");
  const std::size_t last = text.find_last_not_of(" \t\r\n\"");
  const std::string_view word =
      first == std::string_view::npos ? "" : text.substr(first, last - first + 1);
  if (word.find_first_of(" \t\r\n:{}[]\"") == std::string_view::npos) {
    return {.place = {1, 1}, .text = std::string(word)};
  }
  return parse_document(std::string(text), problems);
}

sim::FaultRule rule_for(const sim::FaultSketch& sketch) {
  return sim::make_fault(sketch.name, trigger_of(sketch),
                         {sketch.parameters.begin(), sketch.parameters.end()});
}

/// What to say of a fault that is about the streams that are open when there is none of its client;
/// "" otherwise.
std::string waits_in_vain(sim::ServerHost& host, const sim::FaultRule& rule) {
  const std::string& client = rule.trigger.client;
  const auto is_meant = [&](const sim::Exchange& each) {
    return each.end == sim::StreamEnd::Open && (client.empty() || each.request.client == client);
  };
  if (!rule.fault->only_open_streams() || std::ranges::any_of(host.exchanges(), is_meant)) {
    return "";
  }
  const auto& entry = *std::ranges::find(sim::fault_catalogue(), rule.name, &sim::FaultEntry::name);
  const bool could_wait = std::ranges::any_of(
      entry.parameters,
      [](const sim::FaultParameter& parameter) { return parameter.name == "new_streams"; });
  return fmt::format("{} acts on streams{} that are open now: none is{}", rule.name,
                     client.empty() ? "" : " of " + client,
                     could_wait ? "; new_streams: true waits for the next" : "");
}

/// What to say of a fault of a client that has asked nothing while others have; "" otherwise.
std::string unseen_client(sim::ServerHost& host, const std::string& client) {
  std::set<std::string> seen;
  for (const sim::Exchange& each : host.exchanges()) {
    seen.insert(each.request.client);
  }
  if (client.empty() || seen.empty() || seen.contains(client)) {
    return "";
  }
  const std::string nearest = nearest_name(client, std::vector(seen.begin(), seen.end()));
  return fmt::format("no request of {} has come so far; {}", client,
                     nearest.empty() ? fmt::format("they came from {}", fmt::join(seen, ", "))
                                     : fmt::format("did you mean '{}'?", nearest));
}

std::string_view kind_name(sim::ParameterKind kind) {
  switch (kind) {
    case sim::ParameterKind::Integer:
      return "integer";
    case sim::ParameterKind::Duration:
      return "duration";
    case sim::ParameterKind::Boolean:
      return "boolean";
    case sim::ParameterKind::Failure:
      return "failure";
    case sim::ParameterKind::Key:
      return "key";
    case sim::ParameterKind::Resource:
      return "resource";
    case sim::ParameterKind::Text:
      break;
  }
  return "text";
}

}  // namespace

api::Result<sim::FaultSketch> fault_from(std::string_view text) {
  ParseContext context;
  const Node root = fault_node(text, context.problems);
  if (!context.problems.empty()) {
    return refused_text("fault", context.problems.take());
  }
  sim::FaultSketch sketch = fault_grammar().read(root, context);
  if (context.problems.empty() && sketch.choice) {
    context.problems.add({root.place, "choice", "a fault that acts: no schedule decides here", ""});
  }
  if (!context.problems.empty()) {
    return refused_text("fault", context.problems.take());
  }
  return sketch;
}

api::Result<std::string> InjectedFaults::add(std::string_view text) {
  const api::Result<sim::FaultSketch> sketch = fault_from(text);
  if (!sketch) {
    return sketch.error();
  }
  if (placed_.size() >= kFaultsMax) {
    heal_what_is_over();
  }
  if (placed_.size() >= kFaultsMax) {
    return api::error_from(api::failure(
        api::StatusReason::TooManyRequests,
        fmt::format("{} faults are in place, and no more can be at a time; heal some first",
                    placed_.size())));
  }
  Placed placed{.as = sketch->as.empty() ? sketch->name : sketch->as, .sketch = *sketch};
  const auto same = std::ranges::find(placed_, placed.as, &Placed::as);
  if (same != placed_.end() && is_over(*same)) {
    (void)heal(placed.as);
  } else if (same != placed_.end()) {
    return api::error_from(api::failure(
        api::StatusReason::Conflict,
        fmt::format("a fault named {0} is in place; heal it, or give this one a name of its own: "
                    "{{{1}: {{as: NAME}}}}",
                    placed.as, placed.sketch.name)));
  }
  std::string note;
  try {
    sim::FaultRule rule = rule_for(placed.sketch);
    note = unseen_client(*host_, rule.trigger.client);
    note = note.empty() ? waits_in_vain(*host_, rule) : note;
    placed.id = host_->add_fault(std::move(rule));
  } catch (const std::invalid_argument& failure) {
    return api::error_from(sim::status_bodies::bad_request(failure.what()));
  }
  std::string described = describe(placed, note);
  placed_.push_back(std::move(placed));
  return described;
}

bool InjectedFaults::heal(std::string_view which) {
  const auto found = std::ranges::find_if(placed_, [&](const Placed& each) {
    return each.as == which || std::to_string(each.id) == which;
  });
  if (found == placed_.end()) {
    return false;
  }
  (void)host_->remove_fault(found->id);
  placed_.erase(found);
  return true;
}

std::size_t InjectedFaults::heal_all() {
  for (const Placed& each : placed_) {
    (void)host_->remove_fault(each.id);
  }
  return std::exchange(placed_, {}).size();
}

std::vector<std::string> InjectedFaults::names() const {
  std::vector<std::string> names;
  std::ranges::transform(placed_, std::back_inserter(names), &Placed::as);
  return names;
}

void InjectedFaults::heal_what_is_over() {
  std::vector<std::string> over;
  for (const Placed& each : placed_) {
    if (is_over(each)) {
      over.push_back(each.as);
    }
  }
  for (const std::string& name : over) {
    (void)heal(name);
  }
}

bool InjectedFaults::is_over(const Placed& placed) {
  return placed.sketch.times > 0 && acted(placed) >= placed.sketch.times;
}

std::int64_t InjectedFaults::acted(const Placed& placed) {
  return sim::is_instant(placed.sketch.name) ? 1 : host_->acted(placed.id);
}

std::string InjectedFaults::describe(const Placed& placed, const std::string& note) {
  json::object made{{"id", placed.id}, {"name", placed.sketch.name}, {"as", placed.as}};
  if (const std::optional<Node> node = fault_grammar().write(placed.sketch)) {
    ParseContext context;
    made["fault"] = node->kind == Node::Kind::Mapping
                        ? json::parse(json_text("", Node::Kind::Mapping).read(*node, context))
                        : json::value(node->text);
  }
  made["acted"] = acted(placed);
  made["over"] = is_over(placed);
  if (!note.empty()) {
    made["note"] = note;
  }
  return json::serialize(made);
}

std::string InjectedFaults::list() {
  std::string items;
  for (const Placed& each : placed_) {
    items += (items.empty() ? "" : ",") + describe(each);
  }
  return fmt::format(R"({{"kind":"FaultList","apiVersion":"watchlab/v1","items":[{}]}})", items);
}

std::string InjectedFaults::catalogue() {
  json::array items;
  for (const sim::FaultEntry& entry : sim::fault_catalogue()) {
    json::array parameters;
    for (const sim::FaultParameter& parameter : entry.parameters) {
      parameters.push_back({{"name", parameter.name},
                            {"kind", kind_name(parameter.kind)},
                            {"required", !parameter.standard.has_value()},
                            {"doc", parameter.doc}});
    }
    items.push_back({{"name", entry.name},
                     {"doc", entry.doc},
                     {"legal", entry.legality == sim::Legality::Legal},
                     {"parameters", parameters}});
  }
  return json::serialize(
      json::object{{"kind", "FaultTypeList"}, {"apiVersion", "watchlab/v1"}, {"items", items}});
}

}  // namespace watchlab::scenarios
