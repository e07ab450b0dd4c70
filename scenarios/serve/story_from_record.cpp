#include "scenarios/serve/story_from_record.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <boost/json.hpp>
#include <cctype>
#include <cstdint>
#include <map>
#include <set>
#include <stdexcept>
#include <tuple>
#include <utility>

#include "scenarios/language/parse.hpp"
#include "scenarios/language/plain_text.hpp"
#include "scenarios/serve/object_change.hpp"
#include "sim/apiserver/managed_fields.hpp"
#include "sim/faults/fault_effects.hpp"
#include "sim/http/kind_rules.hpp"
#include "sim/kernel/article.hpp"

namespace watchlab::scenarios {
namespace {

namespace json = boost::json;
using sim::AnswerKind;
using sim::StreamEnd;
using sim::Verb;

constexpr std::string_view kDefault = "default";
const api::GroupVersionResource kNamespaces{"", "v1", "namespaces"};

/// Which objects a client looked at.
struct Selection {
  api::GroupVersionResource resource;
  std::string namespace_;
  std::string labels;
  std::string fields;

  auto operator<=>(const Selection&) const = default;
};

/// A client of ours, and the requests of the recorded one that it stands for, in their order.
struct Watched {
  std::string name;
  std::vector<const RecordedRequest*> requests;
};

Selection selection_of(const RecordedRequest& request) {
  return {request.resource, request.namespace_, request.options.label_selector,
          request.options.field_selector};
}

bool is_read(const RecordedRequest& request) {
  return request.verb == Verb::List || request.verb == Verb::Watch;
}

bool was_refused(const RecordedRequest& request) {
  return request.answer != AnswerKind::Ok && request.answer != AnswerKind::Pending;
}

/// The client's name where a story can have it; else with '_' for all but letters, digits and what
/// often stands between them.
std::string name_in_a_story(const std::string& client) {
  if (!client.empty() && is_plain_text(client) && !client.ends_with(',') &&
      !client.ends_with(';') && client.find('\n') == std::string::npos) {
    return client;
  }
  std::string name = client.empty() ? "client" : client;
  std::ranges::replace_if(
      name,
      [](unsigned char c) {
        return std::isalnum(c) == 0 &&
               std::string_view("-_./").find(static_cast<char>(c)) == std::string_view::npos;
      },
      '_');
  return name;
}

/// Why `validate` refuses a story; "" when it does not.
std::string refusal_of(const Scenario& story) {
  const Parsed parsed = parse_scenario(scenario_text(story));
  return parsed.problems.empty() ? "" : parsed.problems.front().what;
}

/// With how much care a story is made: with all of it, whatever `validate` would refuse is left
/// out, which costs a story for each thing.
enum class Care : std::uint8_t { Usual, Full };

class StoryMaker {
 public:
  StoryMaker(const ServerRecord& record, std::string client, const std::string& name, Care care)
      : record_(record),
        client_(std::move(client)),
        called_(name_in_a_story(client_)),
        care_(care) {
    made_story_.scenario.name = name;
    made_story_.scenario.story = fmt::format("What the client {} lived through.\n", called_);
  }

  RecordedStory make() {
    find_selections();
    began_ = first_read();
    add_clients();
    add_writes();
    for (const auto& [selection, watched] : watched_) {
      add_faults(watched);
    }
    make_script();
    is_watched(kNamespaces) ? waive_about_namespaces() : void();
    return std::move(made_story_);
  }

 private:
  /// What happens to the server or to clients, at a time.
  struct Happening {
    runtime::Duration at{0};
    Action action;
    std::string ends_watch_of = {};  // the client whose watch it ends, which must be open
  };

  void find_selections() {
    std::set<Selection> watched;
    for (const RecordedRequest& request : record_.requests) {
      if (request.client == client_ && request.verb == Verb::Watch) {
        watched.insert(selection_of(request));
      }
    }
    for (const RecordedRequest& request : record_.requests) {
      if (request.client == client_ && is_read(request) &&
          watched.contains(selection_of(request))) {
        watched_[selection_of(request)].requests.push_back(&request);
      }
    }
    if (watched_.empty()) {
      throw std::invalid_argument(
          fmt::format("the client '{}' has watched nothing; a story is about watches", client_));
    }
  }

  [[nodiscard]] runtime::Duration first_read() const {
    runtime::Duration first = runtime::Duration::max();
    for (const auto& [selection, watched] : watched_) {
      first = std::min(first, watched.requests.front()->at);
    }
    return first;
  }

  [[nodiscard]] runtime::Duration since_began(runtime::Duration at) const {
    // In microseconds, as people can read them.
    return std::chrono::floor<std::chrono::microseconds>(
        std::max(runtime::Duration::zero(), at - began_));
  }

  /// The kind of a collection's objects; custom ones are declared. "" when it is not known.
  std::string kind_of(const api::GroupVersionResource& resource) {
    if (const sim::ResourceType* type = types_.find(resource)) {
      return type->kind;
    }
    for (const RecordedWrite& write : record_.writes) {
      if (write.resource == resource && types_.find_kind(write.object->kind) != nullptr) {
        return write.object->kind;  // of another collection
      }
      if (write.resource == resource) {
        sim::StoryResourceOptions declared{.kind = write.object->kind,
                                           .plural = resource.resource,
                                           .group = resource.group,
                                           .version = resource.version};
        declared.namespaced = !write.object->metadata.namespace_.empty();
        declared.status = false;  // so that a write may bring it, whatever the server's type has
        made_story_.scenario.server.resources.push_back(declared);
        types_ = types_of(made_story_.scenario.server);
        return declared.kind;
      }
    }
    return "";
  }

  void add_clients() {
    std::string why;
    for (auto each = watched_.begin(); each != watched_.end();) {
      why = add_client(each->first, each->second);
      if (why.empty()) {
        ++each;
      } else {
        leave_out("a watch: " + why);
        each = watched_.erase(each);
      }
    }
    if (watched_.empty()) {
      throw std::invalid_argument(why);
    }
  }

  /// Returns why a story cannot have the client; "" when it can.
  std::string add_client(const Selection& selection, Watched& watched) {
    const std::string collection = sim::qualified_name(selection.resource);
    const std::string kind = kind_of(selection.resource);
    if (kind.empty()) {
      return fmt::format("nothing was ever written to {}, so that its kind is not known",
                         collection);
    }
    const sim::ResourceType* const type = types_.find_kind(kind);
    if (type == nullptr || type->resource != selection.resource) {
      return fmt::format("the kind {} of {} is that of another collection in a story", kind,
                         collection);
    }
    const bool streams = std::ranges::any_of(watched.requests, [](const RecordedRequest* each) {
      return each->options.send_initial_events.value_or(false);
    });
    sim::StoryClientOptions made;
    made.name = watched_.size() == 1 ? called_
                                     : fmt::format("{}-{}-{}", called_, selection.resource.resource,
                                                   made_story_.scenario.clients.size() + 1);
    made.machine = streams ? "modern" : "classic";
    made.namespace_ = selection.namespace_;
    made.label_selector = selection.labels;
    made.field_selector = selection.fields;
    made.watches = kind;
    const runtime::Duration starts = since_began(watched.requests.front()->at);
    // What it is refused at once has to be in place before it asks.
    made.starts_later =
        starts > runtime::Duration::zero() || was_refused(*watched.requests.front());
    if (std::string refused = care_ == Care::Full ? refusal_of(story_of_client(made)) : "";
        !refused.empty()) {
      return refused;
    }
    if (made.starts_later) {
      happen(starts, StartAction{made.name});
    }
    note_namespace(selection.namespace_);
    watched.name = made.name;
    made_story_.scenario.clients.push_back(std::move(made));
    return "";
  }

  /// A story of that client alone.
  [[nodiscard]] Scenario story_of_client(sim::StoryClientOptions client) const {
    client.starts_later = false;
    Scenario story;
    story.name = "part";
    story.story = "A part.";
    story.server.resources = made_story_.scenario.server.resources;
    story.clients.push_back(std::move(client));
    return story;
  }

  /// A story of that object alone, and of what is done to it.
  [[nodiscard]] Scenario story_of_object(sim::ObjectSketch object,
                                         std::vector<Action> actions) const {
    Scenario story = story_of_client({});
    if (object.namespace_ != kDefault) {
      story.server.namespaces.push_back(object.namespace_);
    }
    story.server.objects.push_back(std::move(object));
    if (!actions.empty()) {
      story.script.push_back({.when = {}, .at = {}, .after = {}, .actions = std::move(actions)});
    }
    return story;
  }

  /// Whether a story cannot have the object; it is left out as a whole then.
  bool is_refused(const RecordedWrite& write) {
    const auto [known, is_new] = refused_.try_emplace({write.resource, write.key}, false);
    if (is_new && care_ == Care::Full) {
      const std::string why = refusal_of(story_of_object(sketch_from(*write.object), {}));
      known->second = !why.empty();
      if (known->second) {
        leave_out(fmt::format("the object {}: {}", write.key, why));
      }
    }
    return known->second;
  }

  /// Those that the server has from the beginning are in no write that invariants could look at.
  void waive_about_namespaces() {
    const std::string because = "The server has namespaces from the beginning.";
    for (const char* each :
         {"cache_follows_server", "deletions_arrive", "healed_worlds_converge"}) {
      made_story_.scenario.waived.push_back({each, because});
    }
  }

  /// The server has it from the beginning, unless the story itself makes it.
  void note_namespace(const std::string& name) {
    std::vector<std::string>& known = made_story_.scenario.server.namespaces;
    if (!name.empty() && name != kDefault && !is_made(name) &&
        std::ranges::find(known, name) == known.end()) {
      known.push_back(name);
    }
  }

  void happen(runtime::Duration at, Action action) {
    happenings_.push_back({at, std::move(action)});
  }

  [[nodiscard]] bool is_watched(const api::GroupVersionResource& resource) const {
    return std::ranges::any_of(watched_,
                               [&](const auto& each) { return each.first.resource == resource; });
  }

  /// Whether the namespace is one of the objects that the client watched.
  [[nodiscard]] bool is_made(const std::string& namespace_name) const {
    return is_watched(kNamespaces) &&
           std::ranges::any_of(record_.writes, [&](const RecordedWrite& write) {
             return write.resource == kNamespaces && write.key == namespace_name;
           });
  }

  sim::ObjectSketch sketch_of(const RecordedWrite& write) {
    if (!write.object->metadata.namespace_.empty()) {
      note_namespace(write.object->metadata.namespace_);
    }
    return sketch_from(*write.object);
  }

  void leave_out(std::string what) {
    if (std::ranges::find(made_story_.left_out, what) == made_story_.left_out.end()) {
      made_story_.left_out.push_back(std::move(what));
    }
  }

  void add_writes() {
    std::map<std::pair<api::GroupVersionResource, std::string>, const RecordedWrite*> state;
    std::vector<std::pair<api::GroupVersionResource, std::string>> found;
    for (const RecordedWrite& write : record_.writes) {
      if (!is_watched(write.resource) || is_refused(write)) {
        continue;
      }
      const std::pair place{write.resource, write.key};
      const RecordedWrite* const before =
          std::exchange(state[place], write.deleted ? nullptr : &write);
      if (write.at > began_) {
        add_write(write, before);
      } else if (before == nullptr) {
        found.push_back(place);
      }
    }
    add_found(found);
  }

  /// What was there before the client came, as it was then.
  void add_found(const std::vector<std::pair<api::GroupVersionResource, std::string>>& found) {
    std::set<std::string> made;
    for (const auto& place : found) {
      const RecordedWrite* newest = nullptr;
      for (const RecordedWrite& write : record_.writes) {
        if (write.at <= began_ && std::pair{write.resource, write.key} == place) {
          newest = &write;
        }
      }
      const bool is_there = newest != nullptr && !newest->deleted;
      if (is_there && is_ending(newest)) {
        leave_out("that " + newest->key + " was being deleted when the client came");
      }
      if (is_there && made.insert(place.second + sim::qualified_name(place.first)).second) {
        made_story_.scenario.server.objects.push_back(sketch_of(*newest));
      }
    }
  }

  /// It was deleted, and something holds it.
  static bool is_ending(const RecordedWrite* write) {
    return write != nullptr && !write->object->metadata.deletion_timestamp.empty();
  }

  void add_write(const RecordedWrite& write, const RecordedWrite* before) {
    const runtime::Duration at = since_began(write.at);
    const bool was_held = is_ending(before) && !before->object->metadata.finalizers.empty();
    if (write.deleted && was_held) {
      happen(at, PatchAction{{.object = named_like(*write.object),
                              .merge = R"({"metadata":{"finalizers":null}})",
                              .json = ""}});
    } else if (write.deleted || (is_ending(&write) && before != nullptr && !is_ending(before))) {
      happen(at, DeleteAction{named_like(*write.object)});
    } else if (before == nullptr) {
      happen(at, CreateAction{sketch_of(write)});
    } else {
      // A server takes status from its own subresource alone, where the kind has one.
      const sim::ResourceType* const type = types_.find(write.resource);
      ObjectChange change = change_between(*before->object, *write.object);
      PatchAction patch{
          {.object = named_like(*write.object),
           .merge = std::move(change.merge),
           .json = "",
           .of_status = change.only_status && type != nullptr && type->status_subresource}};
      const std::string why = care_ == Care::Full
                                  ? refusal_of(story_of_object(named_like(*write.object), {patch}))
                                  : "";
      why.empty() ? happen(at, std::move(patch))
                  : leave_out(fmt::format("a change of {}: {}", write.key, why));
    }
  }

  /// What the client was refused, and how its streams ended.
  void add_faults(const Watched& watched) {
    runtime::Duration before{0};  // when it had nothing open, before the request
    for (const RecordedRequest* request : watched.requests) {
      if (was_refused(*request)) {
        add_refusal(*request, watched.name, before);
      }
      if (request->end && request->ended) {
        add_ending(*request, watched.name);
      }
      before = since_began(request->ended.value_or(request->answered.value_or(request->at)));
    }
  }

  void add_refusal(const RecordedRequest& request, const std::string& of, runtime::Duration at) {
    const bool is_list = request.verb == Verb::List;
    sim::FaultSketch fault = fault_of(of);
    if (request.answer == AnswerKind::Refused) {
      fault.name = "refuse_connections";
      fault.verb = request.verb;
    } else if (sim::failure_for(request.answer)) {
      fault.name = is_list ? "fail_list" : "fail_watch";
      fault.parameters["answer"] = std::string(to_string(request.answer));
    } else {
      leave_out(fmt::format("{} of {} that was answered {}",
                            sim::with_article(to_string(request.verb)), client_,
                            to_string(request.answer)));
      return;
    }
    happen(at, FaultAction{std::move(fault)});
  }

  void add_ending(const RecordedRequest& request, const std::string& of) {
    sim::FaultSketch fault = fault_of(of);
    switch (*request.end) {
      case StreamEnd::Closed:
        fault.name = "close_watch";
        break;
      case StreamEnd::Cut:
        fault.name = "cut_watch";
        break;
      case StreamEnd::Expired:
      case StreamEnd::Error:
        fault.name = "fail_stream";
        fault.parameters["answer"] =
            std::string(*request.end == StreamEnd::Expired ? "expired" : "internal");
        break;
      case StreamEnd::Open:
      case StreamEnd::Stopped:
        return;
    }
    happenings_.push_back({since_began(*request.ended), FaultAction{std::move(fault)}, of});
  }

  sim::FaultSketch fault_of(const std::string& of) {
    sim::FaultSketch fault;
    fault.as = fmt::format("fault-{}", ++faults_);
    fault.of = of;
    fault.times = 1;
    return fault;
  }

  /// What happened at one instant is one step. A client of ours may be later than the recorded one
  /// was: the end of a watch waits until there is one.
  void make_script() {
    std::ranges::stable_sort(happenings_, {}, [](const Happening& each) {
      return std::pair(each.at, std::holds_alternative<StartAction>(each.action));
    });
    std::vector<Step>& script = made_story_.scenario.script;
    for (Happening& each : happenings_) {
      const bool waits = !each.ends_watch_of.empty();
      if (script.empty() || script.back().at != each.at || waits) {
        script.push_back({.when = {}, .at = each.at, .after = {}, .actions = {}});
      }
      if (waits) {
        script.back().when =
            sim::Condition{.kind = sim::Condition::Kind::Watching, .of = each.ends_watch_of};
      }
      script.back().actions.push_back(std::move(each.action));
    }
  }

  const ServerRecord& record_;
  std::string client_;
  std::string called_;  // the same in the story
  Care care_;
  std::map<std::pair<api::GroupVersionResource, std::string>, bool> refused_;
  RecordedStory made_story_;
  sim::ResourceTypes types_;
  runtime::Duration began_{0};
  std::map<Selection, Watched> watched_;
  std::vector<Happening> happenings_;
  int faults_ = 0;
};

/// Converts the target that autoscaling/v1 has in one field to autoscaling/v2.
void convert_target(json::object& body) {
  json::value* const spec = body.if_contains("spec");
  const json::value* const target =
      spec == nullptr || !spec->is_object()
          ? nullptr
          : spec->get_object().if_contains("targetCPUUtilizationPercentage");
  if (target != nullptr) {
    const json::object wanted{{"type", "Utilization"}, {"averageUtilization", *target}};
    const json::object cpu{{"name", "cpu"}, {"target", wanted}};
    spec->get_object()["metrics"] = json::array{{{"type", "Resource"}, {"resource", cpu}}};
  }
}

/// A story has one version of each built-in kind. Objects of other versions are converted to it.
ServerRecord in_versions_of_a_story(ServerRecord record) {
  static const sim::ResourceTypes kTypes;
  const auto version_for = [](const api::GroupVersionResource& resource) {
    const sim::ResourceType* const told =
        kTypes.find(resource) != nullptr ? nullptr : kTypes.find_named(resource.resource);
    return told != nullptr && told->resource.group == resource.group ? told : nullptr;
  };
  for (RecordedRequest& each : record.requests) {
    if (const sim::ResourceType* const type = version_for(each.resource)) {
      each.resource = type->resource;
    }
  }
  for (RecordedWrite& each : record.writes) {
    if (const sim::ResourceType* const type = version_for(each.resource)) {
      api::Object object = *each.object;
      json::object body = sim::object_in(object.body);
      convert_target(body);
      object.body = json::serialize(body);
      object.api_version = sim::api_version_of(type->resource);
      sim::complete_object(*type, object);
      each.object = std::make_shared<const api::Object>(std::move(object));
      each.resource = type->resource;
    }
  }
  return record;
}

/// The client that has watched, when there is one.
std::string only_watcher(const ServerRecord& record) {
  std::set<std::string> watchers;
  for (const RecordedRequest& request : record.requests) {
    if (request.verb == Verb::Watch) {
      watchers.insert(request.client);
    }
  }
  if (watchers.size() == 1) {
    return *watchers.begin();
  }
  throw std::invalid_argument(
      watchers.empty()
          ? "no client has watched anything; a story is about watches"
          : fmt::format("several clients have watched: name one of {}", fmt::join(watchers, ", ")));
}

}  // namespace

RecordedStory story_from(const ServerRecord& of_any_version, const std::string& client,
                         const std::string& name) {
  const ServerRecord record = in_versions_of_a_story(of_any_version);
  const std::string who = client.empty() ? only_watcher(record) : client;
  RecordedStory made = StoryMaker(record, who, name, Care::Usual).make();
  if (refusal_of(made.scenario).empty()) {
    return made;
  }
  if (scenario_text(made.scenario).size() <= kFileBytesMax) {
    made = StoryMaker(record, who, name, Care::Full).make();
  }
  if (const std::string why = refusal_of(made.scenario); !why.empty()) {
    throw std::invalid_argument("the story of it would be refused: " + why);
  }
  return made;
}

}  // namespace watchlab::scenarios
