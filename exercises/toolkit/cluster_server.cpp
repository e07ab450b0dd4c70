#include "exercises/toolkit/cluster_server.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <stdexcept>
#include <string_view>
#include <utility>

#include "core/runtime/ensure.hpp"
#include "core/runtime/recover.hpp"
#include "exercises/toolkit/mirror.hpp"
#include "exercises/toolkit/session.hpp"
#include "sim/faults/fault_catalogue.hpp"
#include "sim/faults/fault_effects.hpp"
#include "sim/network/connection.hpp"
#include "sim/network/server_host.hpp"
#include "sim/story/options.hpp"

namespace watchlab::exercise {
namespace {

const api::GroupVersionResource config_maps{"", "v1", "configmaps"};

[[noreturn]] void refuse(const std::string& why) {
  throw std::invalid_argument(std::string(course::kUsedWrongly) + why);
}

std::size_t distance(std::string_view one, std::string_view other) {
  std::vector<std::size_t> row(other.size() + 1);
  std::iota(row.begin(), row.end(), 0);
  for (std::size_t i = 0; i < one.size(); ++i) {
    std::size_t diagonal = row[0]++;
    for (std::size_t j = 0; j < other.size(); ++j) {
      const std::size_t changed = diagonal + (one[i] == other[j] ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({changed, diagonal + 1, row[j] + 1});
    }
  }
  return row.back();
}

/// The name that was probably meant; there is one at least.
std::string nearest(std::string_view word, const std::vector<std::string_view>& names) {
  return std::string(*std::ranges::min_element(
      names, {}, [word](std::string_view name) { return distance(word, name); }));
}

/// Why a fault cannot be put in place; "" when that is not seen here.
std::string reason_against(const ServerAction& deed) {
  std::vector<std::string_view> names;
  for (const sim::FaultEntry& entry : sim::fault_catalogue()) {
    names.push_back(entry.name);
  }
  const auto entry = std::ranges::find(sim::fault_catalogue(), deed.name, &sim::FaultEntry::name);
  if (entry == sim::fault_catalogue().end()) {
    return fmt::format("there is no fault named \"{}\"; did you mean \"{}\"?", deed.name,
                       nearest(deed.name, names));
  }
  if (entry->wire_only) {
    return fmt::format(
        "{} is about bytes, and messages have none here; take one of the first table", deed.name);
  }
  const auto answer = std::ranges::find(entry->parameters, "answer", &sim::FaultParameter::name);
  const bool takes_answer = answer != entry->parameters.end();
  const std::vector<std::string_view> words = sim::failure_words();
  if (!deed.answer.empty() && !takes_answer) {
    return fmt::format("{} takes no answer; \"{}\" is one too many", deed.name, deed.answer);
  }
  if (takes_answer && deed.answer.empty() && !answer->standard) {
    return fmt::format("{} needs an answer: inject(\"{}\", 1, \"internal\")", deed.name, deed.name);
  }
  if (!deed.answer.empty() && std::ranges::find(words, deed.answer) == words.end()) {
    return fmt::format("\"{}\" is no answer; there are {}; did you mean \"{}\"?", deed.answer,
                       fmt::join(words, ", "), nearest(deed.answer, words));
  }
  return "";
}

/// The server in a simulated world.
class SimulatedServer final : public ClusterServer {
 public:
  explicit SimulatedServer(runtime::Runtime& runtime)
      : host_(sim::ServerHost::make(runtime)),
        source_(std::make_shared<sim::Connection>(host_, sim::ConnectionOptions())) {}

  void carry_out(const std::vector<ServerAction>& deeds) override {
    host_->transact([&](sim::ServerHost::Transaction& transaction) {
      for (const ServerAction& deed : deeds) {
        carry_out(deed, transaction);
      }
    });
  }

  [[nodiscard]] std::shared_ptr<cache::ListerWatcher> source() override { return source_; }

  [[nodiscard]] std::string on_server() override {
    Mirror truth;
    host_->transact([&](sim::ServerHost::Transaction& transaction) {
      const sim::ObjectStore& store = transaction.servers().store();
      store.visit(config_maps, {}, store.revision(),
                  [&truth](const std::string& /*key*/, const api::ObjectPtr& object) {
                    truth.put(object);
                    return true;
                  });
    });
    return truth.contents();
  }

  [[nodiscard]] std::uint64_t requests() override { return host_->exchanges().size(); }

  [[nodiscard]] std::uint64_t watches_open() override {
    const std::vector<sim::Exchange> exchanges = host_->exchanges();
    return static_cast<std::uint64_t>(
        std::ranges::count(exchanges, sim::StreamEnd::Open, &sim::Exchange::end));
  }

 private:
  using Kind = ServerAction::Kind;

  void carry_out(const ServerAction& deed, sim::ServerHost::Transaction& transaction) {
    switch (deed.kind) {
      case Kind::Inject:
        return inject(deed, transaction);
      case Kind::Heal:
        return heal(deed.name, transaction);
      default:
        return write(deed, transaction);
    }
  }

  void write(const ServerAction& deed, sim::ServerHost::Transaction& transaction) {
    // The content differs with each write: a write that changes nothing makes no new state.
    sim::ObjectSketch sketch{.name = deed.name, .data = {{"write", std::to_string(++writes_)}}};
    sim::Request request;
    request.verb = deed.kind == Kind::Create   ? sim::Verb::Create
                   : deed.kind == Kind::Update ? sim::Verb::Update
                                               : sim::Verb::Delete;
    request.resource = config_maps;
    request.namespace_ = sketch.namespace_;
    request.name = deed.name;
    request.object = std::make_shared<const api::Object>(sim::config_map_from(sketch));
    const sim::Response response = transaction.write(std::move(request));
    constexpr std::int32_t first_failure = 400;
    if (response.code >= first_failure) {
      refuse(fmt::format("the server refuses it: is '{}' there, or there already?", deed.name));
    }
  }

  void inject(const ServerAction& deed, sim::ServerHost::Transaction& transaction) {
    sim::Trigger trigger;
    trigger.times = static_cast<int>(deed.times);
    std::map<std::string, sim::ParameterValue, std::less<>> parameters;
    if (!deed.answer.empty()) {
      parameters["answer"] = deed.answer;
    }
    if (const std::string wrong = reason_against(deed); !wrong.empty()) {
      refuse(wrong);
    }
    try {
      faults_[deed.name] =
          transaction.add_fault(sim::make_fault(deed.name, std::move(trigger), parameters));
    } catch (const std::invalid_argument& wrong) {
      refuse(fmt::format("{}: {}", deed.name, wrong.what()));
    }
  }

  void heal(const std::string& fault, sim::ServerHost::Transaction& transaction) {
    const auto found = faults_.find(fault);
    if (found == faults_.end()) {
      refuse(fmt::format("only what was injected can be healed, and {} was not", fault));
    }
    (void)transaction.remove_fault(found->second);
    faults_.erase(found);
  }

  std::shared_ptr<sim::ServerHost> host_;
  std::shared_ptr<cache::ListerWatcher> source_;
  std::map<std::string, sim::FaultId> faults_;
  int writes_ = 0;
};

/// What stands for a source of another process.
class SourceElsewhere final : public cache::ListerWatcher {
 public:
  explicit SourceElsewhere(std::uint64_t its_number) : number(its_number) {}

  const std::uint64_t number;

  [[nodiscard]] api::Result<api::ObjectList> list(const runtime::StopToken& /*stop*/,
                                                  const api::ListOptions& /*options*/) override {
    refuse();
  }
  [[nodiscard]] api::Result<std::shared_ptr<watch::Watcher>> watch(
      const runtime::StopToken& /*stop*/, const api::ListOptions& /*options*/) override {
    refuse();
  }

 private:
  [[noreturn]] static void refuse() {
    throw runtime::Panic("only a reflector can use a cluster's source");
  }
};

/// The sources that another process knows, by their numbers. As many as there are servers alive.
class KnownSources {
 public:
  static KnownSources& of_program() {
    static KnownSources known;
    return known;
  }

  std::uint64_t number_of(const std::shared_ptr<cache::ListerWatcher>& source) {
    std::erase_if(sources_, [](const auto& entry) { return entry.second.expired(); });
    sources_.emplace(next_, source);
    return next_++;
  }
  [[nodiscard]] std::shared_ptr<cache::ListerWatcher> at(std::uint64_t number) const {
    const auto found = sources_.find(number);
    return found != sources_.end() ? found->second.lock() : nullptr;
  }

 private:
  std::map<std::uint64_t, std::weak_ptr<cache::ListerWatcher>> sources_;
  std::uint64_t next_ = 0;
};

}  // namespace

std::unique_ptr<ClusterServer> serve_cluster(runtime::Runtime& runtime) {
  return std::make_unique<SimulatedServer>(runtime);
}

}  // namespace watchlab::exercise

namespace watchlab::course {

using Source = std::shared_ptr<cache::ListerWatcher>;

void Coded<Source>::write(const Outgoing& out, const Source& source) {
  if (!Session::of_program().is_suite()) {
    return out.bytes.number(exercise::KnownSources::of_program().number_of(source));
  }
  const auto* const elsewhere = dynamic_cast<const exercise::SourceElsewhere*>(source.get());
  if (elsewhere == nullptr) {
    throw runtime::Panic("a reflector that is tested gets the source of a cluster and no other");
  }
  out.bytes.number(elsewhere->number);
}

Source Coded<Source>::read(const Incoming& in) {
  const std::uint64_t number = in.bytes.number();
  if (Session::of_program().is_suite()) {
    return std::make_shared<exercise::SourceElsewhere>(number);
  }
  Source source = exercise::KnownSources::of_program().at(number);
  if (source == nullptr) {
    throw BrokenProtocol("there is no source of that number");
  }
  return source;
}

}  // namespace watchlab::course
