// informers SERVER TOKEN SECONDS: core's informers beside one writer, against a real server.
//
// First a Deployment is written in every way that a client has (tests/core/client/every_write.hpp).
//
// All that the server sends to the informers is written down as a story's record is, and the
// guarantees of a watch (W1 to W6) are looked at as those of our own server are. In the end each
// store must equal a list of the server. judge.py stops and starts the server meanwhile.
//
// A deletion's answer has no revision: it is the one with which the first watch reports it, if it
// lies between those of the writes before and after.
#include <fmt/format.h>

#include <cstdio>
#include <cstdlib>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "core/cache/informer.hpp"
#include "core/cache/shared_index_informer.hpp"
#include "core/client/resource_client.hpp"
#include "core/runtime/fibers/fiber_runtime.hpp"
#include "core/runtime/task.hpp"
#include "sim/invariants/invariant_catalogue.hpp"
#include "sim/invariants/reading.hpp"
#include "tests/core/client/every_write.hpp"

using namespace watchlab;

namespace {

// A lone kube-apiserver writes none of its own.
const api::GroupVersionResource kSecrets{"", "v1", "secrets"};
const std::string kSecondSpace = "informers";
constexpr std::int64_t kWatchSeconds = 5;  // short, so that many watches go on where others ended

/// What is known of one run. All tasks run on one OS thread and wait only where they ask a server.
struct Notes {
  explicit Notes(runtime::Runtime& notes_runtime) : runtime(notes_runtime) {}
  runtime::Runtime& runtime;
  sim::Record record;
  std::int64_t refused = 0;  ///< watches that could not begin where they should
};

/// Writes down what a lister-watcher is sent.
class NotingListerWatcher : public cache::ListerWatcher {
 public:
  NotingListerWatcher(Notes& notes, std::string client, std::shared_ptr<client::RestClient> rest)
      : notes_(notes), client_(std::move(client)), source_(std::move(rest), kSecrets) {}

  api::Result<api::ObjectList> list(const runtime::StopToken& stop,
                                    const api::ListOptions& options) override {
    return source_.list(stop, options);
  }

  api::Result<std::shared_ptr<watch::Watcher>> watch(const runtime::StopToken& stop,
                                                     const api::ListOptions& asked) override {
    api::ListOptions options = asked;
    options.timeout_seconds = kWatchSeconds;
    auto opened = source_.watch(stop, options);
    if (!opened) {
      return opened.error();
    }
    const std::size_t number = notes_.record.answers.size();
    notes_.record.requests.push_back(
        {.client = client_, .verb = sim::Verb::Watch, .options = options});
    notes_.record.answers.emplace_back();
    return watch::filter(notes_.runtime, *std::move(opened), [this, number](watch::Event event) {
      notes_.record.answers[number].frames.push_back({notes_.runtime.now(), event});
      notes_.refused += event.type == watch::EventType::Error ? 1 : 0;
      return std::optional(std::move(event));
    });
  }

 private:
  Notes& notes_;
  std::string client_;
  client::HttpListerWatcher source_;
};

/// Creates, changes and removes a few objects, one after another, and knows what became of each.
class Writer {
 public:
  Writer(Notes& notes, std::shared_ptr<client::RestClient> rest)
      : notes_(notes), secrets_(std::move(rest), kSecrets) {}

  void step() {
    const std::string space = drawn(2) == 0 ? "default" : kSecondSpace;
    const std::string name = fmt::format("judge-{}", drawn(8));
    const std::string key = api::key_from(space, name);
    client::ResourceClient place = secrets_.in(space);
    ++count_;
    if (!known_.contains(key)) {
      api::Object made{.api_version = "v1", .kind = "Secret", .metadata = {.name = name}};
      made.body = fmt::format(R"({{"type":"Opaque","data":{{"n":"{}"}}}})", text());
      settle(key, name, place, place.create(stop_, made));
    } else if (drawn(3) > 0) {
      settle(key, name, place,
             place.patch(stop_, name, fmt::format(R"({{"data":{{"n":"{}"}}}})", text())));
    } else if (place.remove(stop_, name)) {
      note(key, nullptr);
    } else {
      ask(key, name, place);
    }
  }
  [[nodiscard]] std::int64_t count() const { return count_; }

 private:
  std::uint64_t drawn(std::uint64_t below) {
    state_ = state_ * 6364136223846793005U + 1442695040888963407U;
    return (state_ >> 33U) % below;
  }
  /// Base64 of four digits, more or less: the server only looks at the form.
  [[nodiscard]] std::string text() const { return fmt::format("{:08}", count_); }

  void note(const std::string& key, const api::ObjectPtr& object) {
    const auto known = known_.find(key);
    const std::string revision = object == nullptr ? "" : object->metadata.resource_version;
    if (known != known_.end() && known->second == revision) {
      return;
    }
    notes_.record.writes.push_back({notes_.runtime.now(), key, revision, object, "secrets"});
    if (object == nullptr) {
      known_.erase(key);
    } else {
      known_[key] = revision;
    }
  }

  void settle(const std::string& key, const std::string& name, client::ResourceClient& place,
              const api::Result<api::ObjectPtr>& written) {
    if (written) {
      note(key, *written);
    } else {
      ask(key, name, place);
    }
  }

  /// A write whose answer is lost may have been made: asks until the server says what there is.
  void ask(const std::string& key, const std::string& name, client::ResourceClient& place) {
    while (true) {
      runtime::sleep_for(notes_.runtime, std::chrono::milliseconds(200));
      const api::Result<api::ObjectPtr> found = place.get(stop_, name);
      const bool missing = !found && found.error().status.reason == api::StatusReason::NotFound;
      if (found) {
        note(key, *found);
      } else if (missing && known_.contains(key)) {
        note(key, nullptr);
      }
      if (found || missing) {
        return;
      }
    }
  }

  Notes& notes_;
  client::ResourceClient secrets_;
  runtime::StopToken stop_;
  std::map<std::string, std::string> known_;
  std::uint64_t state_ = 1;
  std::int64_t count_ = 0;
};

/// Gives deletions the revisions that watches report. Those that none has seen are left out.
std::int64_t find_deletions(sim::Record& record) {
  std::multimap<std::string, std::string> reported;
  for (const sim::AnswerRecord& answer : record.answers) {
    for (const sim::FrameRecord& frame : answer.frames) {
      if (frame.event.type == watch::EventType::Deleted) {
        const api::ObjectMeta& metadata = frame.event.object->metadata;
        reported.emplace(api::key_of(metadata), metadata.resource_version);
      }
    }
  }
  std::string before = "0";
  for (std::size_t i = 0; i < record.writes.size(); ++i) {
    sim::WriteRecord& write = record.writes[i];
    std::string after;
    for (std::size_t j = i + 1; after.empty() && j < record.writes.size(); ++j) {
      after = record.writes[j].revision;
    }
    const auto [first, last] = reported.equal_range(write.key);
    for (auto each = first; write.revision.empty() && each != last; ++each) {
      const bool is_sooner = after.empty() || sim::invariants::is_earlier(each->second, after);
      if (is_sooner && sim::invariants::is_earlier(before, each->second)) {
        write.revision = each->second;
      }
    }
    before = write.revision.empty() ? before : write.revision;
  }
  return static_cast<std::int64_t>(
      std::erase_if(record.writes, [](const auto& write) { return write.revision.empty(); }));
}

using Informers = std::map<std::string, std::unique_ptr<cache::SharedIndexInformer>>;

Informers make_informers(Notes& notes, const std::shared_ptr<client::RestClient>& rest) {
  const std::map<std::string, cache::ReflectorOptions> kinds{
      {"plain", {}},
      {"paged", {.watch_list_page_size = 3}},
      {"streamed", {.streams_lists = true, .ordered_versions = true}},
  };
  Informers informers;
  for (const auto& [kind, options] : kinds) {
    for (int i = 0; i < 2; ++i) {
      const std::string name = fmt::format("{}-{}", kind, i);
      cache::SharedIndexInformerOptions made;
      made.lister_watcher = std::make_shared<NotingListerWatcher>(notes, name, rest);
      made.reflector = options;
      informers.emplace(name, std::make_unique<cache::SharedIndexInformer>(notes.runtime, made));
      notes.record.clients.push_back({.name = name, .started = true, .resource = "secrets"});
    }
  }
  return informers;
}

std::map<std::string, std::string> revisions_in(const std::vector<api::ObjectPtr>& objects) {
  std::map<std::string, std::string> revisions;
  for (const api::ObjectPtr& object : objects) {
    revisions[api::key_of(object->metadata)] = object->metadata.resource_version;
  }
  return revisions;
}

/// Prints what was found; the number of what is wrong.
int report(Notes& notes, const Informers& informers, client::HttpListerWatcher& lister) {
  sim::Record& record = notes.record;
  const std::size_t made = record.writes.size();
  const std::int64_t unseen = find_deletions(record);
  std::size_t events = 0;
  std::size_t bookmarks = 0;
  for (const sim::AnswerRecord& answer : record.answers) {
    for (const sim::FrameRecord& frame : answer.frames) {
      ++(frame.event.type == watch::EventType::Bookmark ? bookmarks : events);
    }
  }
  fmt::print(
      "{} writes, {} watches, {} events, {} bookmarks, {} errors in streams, {} deletions that no "
      "watch reported\n",
      made, record.answers.size(), events, bookmarks, notes.refused, unseen);
  int wrong = 0;
  for (const sim::Invariant& each : sim::invariant_catalogue()) {
    if (each.name.starts_with("watch_is_")) {
      const sim::Finding finding = each.check(record);
      wrong += finding ? 1 : 0;
      fmt::print("{} {}{}\n", finding ? "FAIL" : "pass", each.name, finding ? ": " + *finding : "");
    }
  }
  const api::Result<api::ObjectList> truth = lister.list(runtime::StopToken(), {});
  if (!truth) {
    fmt::print("FAIL a list of the server: {}\n", truth.error().message);
    return wrong + 1;
  }
  for (const auto& [name, informer] : informers) {
    const auto difference = sim::invariants::first_difference(
        revisions_in(informer->indexer()->list()), revisions_in(truth->items));
    wrong += difference ? 1 : 0;
    fmt::print("{} the store of {} equals a list{}\n", difference ? "FAIL" : "pass", name,
               difference ? ": " + *difference : "");
  }
  return wrong;
}

/// The number of ways to write that came out otherwise than with our server.
int write_in_every_way(const std::shared_ptr<client::RestClient>& rest) {
  int wrong = 0;
  for (const tests::Written& each : tests::EveryWrite(rest).play()) {
    const bool same = each.came == each.wanted;
    wrong += same ? 0 : 1;
    fmt::print("{} {}: {}{}\n", same ? "pass" : "FAIL", each.way, each.came,
               same ? "" : ", and should be " + each.wanted);
  }
  return wrong;
}

int play(runtime::Runtime& runtime, const std::shared_ptr<client::RestClient>& rest,
         std::chrono::seconds length) {
  const api::Object space{
      .api_version = "v1", .kind = "Namespace", .metadata = {.name = kSecondSpace}};
  (void)client::ResourceClient(rest, {"", "v1", "namespaces"}).create(runtime::StopToken(), space);
  const int written_wrong = write_in_every_way(rest);
  Notes notes(runtime);
  const Informers informers = make_informers(notes, rest);
  for (const auto& [name, informer] : informers) {
    (void)runtime::spawn(runtime, name, [&runtime_informer = *informer] {
      runtime_informer.run(runtime::StopToken());
    });
  }
  Writer writer(notes, rest);
  const runtime::TimePoint until = runtime.now() + length;
  while (runtime.now() < until) {
    writer.step();
    runtime::sleep_for(runtime, std::chrono::milliseconds(5));
  }
  // Longer than the longest pause of a reflector, and than a watch.
  runtime::sleep_for(runtime, std::chrono::seconds(35));
  client::HttpListerWatcher lister(rest, kSecrets);
  return written_wrong + report(notes, informers, lister);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) {
    fmt::print(stderr, "informers: SERVER TOKEN SECONDS\n");
    return 2;
  }
  runtime::FiberRuntime fibers;
  const client::IoLoop loop(fibers);
  const auto rest =
      client::RestClient::make(loop, {.server = argv[1], .insecure = true, .token = argv[2]});
  if (!rest) {
    fmt::print(stderr, "informers: {}\n", rest.error().message);
    return 2;
  }
  int wrong = 0;
  fibers.run([&](runtime::Runtime& runtime) {
    wrong = play(runtime, *rest, std::chrono::seconds(std::atoi(argv[3])));
    (void)std::fflush(stdout);
    // Informers run until the process ends, and what copies their events may wait for a reader.
    std::_Exit(wrong > 0 ? 1 : 0);
  });
}
