#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <boost/json.hpp>
#include <charconv>
#include <memory>
#include <utility>

#include "scenarios/language/document.hpp"
#include "scenarios/serve/injected_faults.hpp"
#include "scenarios/serve/posted_stories.hpp"
#include "scenarios/serve/served_story.hpp"
#include "sim/apiserver/status_bodies.hpp"

namespace watchlab::scenarios {
namespace {

namespace json = boost::json;
using sim::HttpPage;
using sim::HttpRequest;
using sim::Target;

constexpr std::int32_t kCreated = 201;
constexpr std::int32_t kAccepted = 202;

HttpPage list_page(std::string_view kind, std::string_view items) {
  return {.body = fmt::format(R"({{"kind":"{}","apiVersion":"watchlab/v1","items":[{}]}})", kind,
                              items)};
}

HttpPage wrong_method() {
  return sim::page_of(
      api::failure(api::StatusReason::MethodNotAllowed,
                   "the server does not allow this method on the requested resource"));
}

HttpPage bad_request(std::string message) {
  return sim::page_of(sim::status_bodies::bad_request(std::move(message)));
}

HttpPage missing(std::string message) {
  return sim::page_of(api::failure(api::StatusReason::NotFound, std::move(message)));
}

/// A page with what there is, or the refusal.
HttpPage page_with(std::int32_t code, const api::Result<std::string>& body) {
  return body ? HttpPage{.code = code, .body = *body} : sim::page_of(body.error().status);
}

/// "; did you mean 'client'?" for a word that is nearly one of those.
std::string meant(std::string_view word, const std::vector<std::string>& words) {
  const std::string nearest = nearest_name(word, words);
  return nearest.empty() ? "" : fmt::format("; did you mean '{}'?", nearest);
}

/// The answer below /watchlab for what is no page.
HttpPage unknown_page(const Target& target) {
  static const std::vector<std::string> known{"/watchlab/v1/exchanges", "/watchlab/v1/fault-types",
                                              "/watchlab/v1/faults", "/watchlab/v1/objects",
                                              "/watchlab/v1/stories"};
  const std::string path = fmt::format("/{}", fmt::join(target.path, "/"));
  const std::string near = meant(path, known);
  return missing(
      fmt::format("there is no page {}{}", path,
                  near.empty() ? fmt::format("; there are {}", fmt::join(known, ", ")) : near));
}

/// What is wrong with a query that may have these parameters, beside `timeout`, which clients add.
std::optional<HttpPage> refused_query(const Target& target, const std::vector<std::string>& known) {
  for (const auto& [name, value] : target.query) {
    if (name != "timeout" && std::ranges::find(known, name) == known.end()) {
      return bad_request(fmt::format("this page has no parameter '{}'{}", name,
                                     known.empty() ? "" : meant(name, known)));
    }
  }
  return std::nullopt;
}

/// Whether the body says that it is YAML or JSON. A script of a web page must not say so of what it
/// sends to another site, unless that site allows it.
bool is_manifest(const HttpRequest& http) {
  static constexpr std::array<std::string_view, 4> kTypes{"application/json", "application/yaml",
                                                          "application/x-yaml", "text/yaml"};
  return std::ranges::find(kTypes, sim::media_type_of(http.fields)) != kTypes.end();
}

HttpPage faults_page(InjectedFaults& faults, const HttpRequest& http, const Target& target) {
  const std::string which = target.path.size() > 3 ? target.path[3] : "";
  if (http.method == "GET" && which.empty()) {
    return {.body = faults.list()};
  }
  if (http.method == "POST" && which.empty()) {
    return page_with(kCreated, faults.add(http.body));
  }
  if (http.method != "DELETE") {
    return wrong_method();
  }
  if (which.empty()) {
    return {.body = fmt::format(R"({{"healed":{}}})", faults.heal_all())};
  }
  if (faults.heal(which)) {
    return {.body = R"({"healed":1})"};
  }
  return missing(
      fmt::format("there is no fault {} in place{}", which, meant(which, faults.names())));
}

/// Nothing when it is no number; 0 when there is none.
std::optional<std::uint64_t> number_in(const Target& target, std::string_view name) {
  const std::string_view text = sim::value_in(target.query, name).value_or("0");
  std::uint64_t number = 0;
  const char* const last = text.data() + text.size();
  const auto [end, failure] = std::from_chars(text.data(), last, number);
  return failure == std::errc() && end == last ? std::optional(number) : std::nullopt;
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
  const std::optional<std::uint64_t> after = number_in(target, "after");
  if (!after) {
    return bad_request("after: expected the number of an exchange");
  }
  std::string items;
  for (const sim::Exchange& exchange : front.host()->exchanges()) {
    if (exchange.number > *after && (client.empty() || exchange.request.client == client)) {
      items += (items.empty() ? "" : ",") + json::serialize(exchange_json(exchange));
    }
  }
  return list_page("ExchangeList", items);
}

/// What the store holds: `?resource=` of one collection, by its plural name.
HttpPage objects_page(sim::HttpFront& front, const Target& target) {
  const std::string_view wanted = sim::value_in(target.query, "resource").value_or("");
  HttpPage page = list_page("ObjectList", "");
  std::vector<std::string> known;
  front.host()->look([&](sim::ControlPlane& servers) {
    for (const auto& [resource, type] : servers.types().all()) {
      known.push_back(resource.resource);
    }
    const sim::ObjectStore& store = servers.store();
    for (const api::GroupVersionResource& resource : store.resources()) {
      if (!wanted.empty() && resource.resource != wanted) {
        continue;
      }
      store.visit(resource, {}, store.revision(),
                  [&](const std::string&, const api::ObjectPtr& object) {
                    page.items.push_back(object);
                    return true;
                  });
    }
  });
  if (!wanted.empty() && std::ranges::find(known, wanted) == known.end()) {
    return bad_request(
        fmt::format("resource: there is no collection '{}'{}", wanted, meant(wanted, known)));
  }
  return page;
}

/// The stories that are played, or one of them; a new one, or the end of one.
HttpPage stories_page(const ControlPageOptions& controlled, const HttpRequest& http,
                      const Target& target) {
  const std::string which = target.path.size() > 3 ? target.path[3] : "";
  PostedStories* const stories = controlled.stories.get();
  const bool is_of_server =
      controlled.story != nullptr && controlled.story->scenario().name == which;
  if (http.method == "POST" && which.empty() && stories != nullptr) {
    return page_with(kCreated, stories->begin(http.body));
  }
  if (http.method == "GET" && which.empty()) {
    std::string items = controlled.story != nullptr ? controlled.story->describe() : "";
    const std::string others = stories != nullptr ? stories->describe_all() : "";
    return list_page("StoryList", items + (items.empty() || others.empty() ? "" : ",") + others);
  }
  if (http.method == "GET" && is_of_server) {
    return {.body = controlled.story->describe()};
  }
  if (which.empty() || is_of_server || (http.method != "GET" && http.method != "DELETE")) {
    return wrong_method();
  }
  std::string body;
  if (stories != nullptr) {
    body = http.method == "GET" ? stories->describe(which) : stories->end(which);
  }
  return body.empty()
             ? missing(fmt::format("there is no story {}{}", which,
                                   stories != nullptr ? meant(which, stories->names()) : ""))
             : HttpPage{.code = http.method == "GET" ? 200 : kAccepted, .body = std::move(body)};
}

/// The answer below /clients/NAME when the story has no such client.
HttpPage unknown_client(const std::string& name, const ServedStory* story) {
  std::string known;
  if (story != nullptr) {
    for (const sim::StoryClientOptions& client : external_clients(story->scenario())) {
      known += (known.empty() ? "" : ", ") + client.name;
    }
  }
  return missing(fmt::format("there is no external client '{}'; there {}", name,
                             known.empty() ? "is none, as no story is played" : "are: " + known));
}

/// The page of that name, which has no more to its path.
HttpPage plain_page(sim::HttpFront& front, const std::string& page, const HttpRequest& http,
                    const Target& target) {
  struct Row {
    std::string_view name;
    std::vector<std::string> parameters;
    HttpPage (*show)(sim::HttpFront& front, const Target& target);
  };
  static const std::vector<Row> pages{{"fault-types",
                                       {},
                                       [](sim::HttpFront&, const Target&) {
                                         return HttpPage{.body = InjectedFaults::catalogue()};
                                       }},
                                      {"exchanges", {"client", "after"}, exchanges_page},
                                      {"objects", {"resource"}, objects_page}};
  const auto row = std::ranges::find(pages, page, &Row::name);
  if (row == pages.end()) {
    return unknown_page(target);
  }
  if (http.method != "GET") {
    return wrong_method();
  }
  std::optional<HttpPage> refused = refused_query(target, row->parameters);
  return refused ? *std::move(refused) : row->show(front, target);
}

}  // namespace

sim::PageSource control_pages(sim::HttpFront& front, ControlPageOptions controlled) {
  const auto faults = std::make_shared<InjectedFaults>(front.host());
  return [&front, faults, controlled = std::move(controlled)](
             const HttpRequest& http, const Target& target) -> std::optional<HttpPage> {
    const std::vector<std::string>& path = target.path;
    if (!path.empty() && path[0] == "clients") {
      return unknown_client(path.size() > 1 ? path[1] : "", controlled.story);
    }
    if (path.empty() || path[0] != "watchlab") {
      return std::nullopt;
    }
    const bool is_versioned = path.size() > 2 && path[1] == "v1";
    const std::string page = is_versioned ? path[2] : "";
    const bool has_items = page == "faults" || page == "stories";
    if (!is_versioned || path.size() > (has_items ? 4U : 3U)) {
      return unknown_page(target);
    }
    if (!has_items) {
      return plain_page(front, page, http, target);
    }
    if (std::optional<HttpPage> refused = refused_query(target, {})) {
      return refused;
    }
    if (http.method == "POST" && !http.body.empty() && !is_manifest(http)) {
      return sim::page_of(api::failure(
          api::StatusReason::UnsupportedMediaType,
          "say what the body is: Content-Type: application/yaml, or application/json"));
    }
    return page == "faults" ? faults_page(*faults, http, target)
                            : stories_page(controlled, http, target);
  };
}

}  // namespace watchlab::scenarios
