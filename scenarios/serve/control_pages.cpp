#include <fmt/format.h>

#include <boost/json.hpp>
#include <charconv>
#include <memory>
#include <utility>

#include "core/api/json.hpp"
#include "scenarios/serve/fault_desk.hpp"
#include "scenarios/serve/served_story.hpp"
#include "sim/apiserver/status_bodies.hpp"

namespace watchlab::scenarios {
namespace {

namespace json = boost::json;
using sim::HttpPage;
using sim::HttpRequest;
using sim::Target;

constexpr std::int32_t kCreated = 201;

HttpPage list_page(std::string_view kind, std::string_view items) {
  return {.body = fmt::format(R"({{"kind":"{}","apiVersion":"watchlab/v1","items":[{}]}})", kind,
                              items)};
}

HttpPage unknown_page() { return sim::page_of(sim::status_bodies::unknown_resource()); }

HttpPage wrong_method() {
  return sim::page_of(
      api::failure(api::StatusReason::MethodNotAllowed,
                   "the server does not allow this method on the requested resource"));
}

HttpPage faults_page(FaultDesk& desk, const HttpRequest& http, const Target& target) {
  const std::string which = target.path.size() > 3 ? target.path[3] : "";
  if (http.method == "GET" && which.empty()) {
    return {.body = desk.list()};
  }
  if (http.method == "POST" && which.empty()) {
    const api::Result<std::string> added = desk.add(http.body);
    return added ? HttpPage{.code = kCreated, .body = *added} : sim::page_of(added.error().status);
  }
  if (http.method != "DELETE") {
    return wrong_method();
  }
  if (which.empty()) {
    return {.body = fmt::format(R"({{"healed":{}}})", desk.heal_all())};
  }
  if (desk.heal(which)) {
    return {.body = R"({"healed":1})"};
  }
  return sim::page_of(api::failure(api::StatusReason::NotFound,
                                   fmt::format("there is no fault {} in place", which)));
}

std::uint64_t number_in(const Target& target, std::string_view name) {
  const std::string_view text = sim::value_in(target.query, name).value_or("");
  std::uint64_t number = 0;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

double seconds_of(runtime::TimePoint moment) {
  return std::chrono::duration<double>(moment.time_since_epoch()).count();
}

json::object exchange_json(const sim::Exchange& exchange) {
  json::object made{{"number", exchange.number},
                    {"client", exchange.request.client},
                    {"verb", sim::to_string(exchange.request.verb)},
                    {"resource", sim::qualified_name(exchange.request.resource)},
                    {"namespace", exchange.request.namespace_},
                    {"name", exchange.request.name},
                    {"request", sim::request_text(exchange.request)},
                    {"sent", seconds_of(exchange.sent)},
                    {"answer", sim::to_string(exchange.answer)},
                    {"code", exchange.code},
                    {"resourceVersion", exchange.answer_revision}};
  if (exchange.end) {
    made["end"] = sim::to_string(exchange.end);
    made["endCause"] = exchange.end_cause;
    made["events"] = exchange.events;
    made["lost"] = exchange.lost;
  }
  return made;
}

/// What clients have asked: `?client=` of one of them, `?after=N` those with higher numbers.
HttpPage exchanges_page(sim::HttpFront& front, const Target& target) {
  const std::string_view client = sim::value_in(target.query, "client").value_or("");
  const std::uint64_t after = number_in(target, "after");
  std::string items;
  for (const sim::Exchange& exchange : front.host()->exchanges()) {
    if (exchange.number > after && (client.empty() || exchange.request.client == client)) {
      items += (items.empty() ? "" : ",") + json::serialize(exchange_json(exchange));
    }
  }
  return list_page("ExchangeList", items);
}

/// What the store holds: `?resource=` of one collection, by its plural name.
HttpPage objects_page(sim::HttpFront& front, const Target& target) {
  const std::string_view wanted = sim::value_in(target.query, "resource").value_or("");
  std::string items;
  front.host()->look([&](sim::ControlPlane& servers) {
    const sim::ObjectStore& store = servers.store();
    for (const api::GroupVersionResource& resource : store.resources()) {
      if (!wanted.empty() && resource.resource != wanted) {
        continue;
      }
      store.visit(resource, {}, store.revision(),
                  [&](const std::string&, const api::ObjectPtr& object) {
                    items += (items.empty() ? "" : ",") + api::to_json(*object);
                    return true;
                  });
    }
  });
  return list_page("ObjectList", items);
}

/// The answer below /clients/NAME when the story has no such client.
HttpPage unknown_client(const std::string& name, const ServedStory* story) {
  std::string known;
  if (story != nullptr) {
    for (const sim::StoryClientOptions& client : external_clients(story->scenario())) {
      known += (known.empty() ? "" : ", ") + client.name;
    }
  }
  return sim::page_of(api::failure(
      api::StatusReason::NotFound,
      fmt::format("there is no external client '{}'; there {}", name,
                  known.empty() ? "is none, as no story is played" : "are: " + known)));
}

}  // namespace

sim::PageSource control_pages(sim::HttpFront& front, const ServedStory* story) {
  const auto desk = std::make_shared<FaultDesk>(front.host());
  return [&front, desk, story](const HttpRequest& http,
                               const Target& target) -> std::optional<HttpPage> {
    const std::vector<std::string>& path = target.path;
    if (!path.empty() && path[0] == "clients") {
      return unknown_client(path.size() > 1 ? path[1] : "", story);
    }
    if (path.size() < 2 || path[0] != "watchlab" || path[1] != "v1") {
      return std::nullopt;
    }
    const std::string page = path.size() > 2 ? path[2] : "";
    if (page == "faults" && path.size() <= 4) {
      return faults_page(*desk, http, target);
    }
    if (path.size() != 3) {
      return unknown_page();
    }
    if (http.method != "GET") {
      return wrong_method();
    }
    if (page == "fault-types") {
      return HttpPage{.body = FaultDesk::catalogue()};
    }
    if (page == "exchanges") {
      return exchanges_page(front, target);
    }
    if (page == "stories") {
      return list_page("StoryList", story != nullptr ? story->describe() : "");
    }
    return page == "objects" ? objects_page(front, target) : unknown_page();
  };
}

}  // namespace watchlab::scenarios
