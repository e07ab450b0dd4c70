#include "exercises/toolkit/cluster.hpp"

#include <algorithm>
#include <utility>

#include "core/runtime/ensure.hpp"
#include "sim/faults/fault_catalogue.hpp"
#include "sim/network/connection.hpp"
#include "sim/story/object_sketch.hpp"

namespace watchlab::exercise {
namespace {

const api::GroupVersionResource config_maps{"", "v1", "configmaps"};

}  // namespace

Cluster::Cluster(runtime::Runtime& runtime)
    : runtime_(runtime),
      host_(sim::ServerHost::make(runtime)),
      source_(std::make_shared<sim::Connection>(host_, sim::ConnectionOptions())),
      stop_(runtime) {}

void Cluster::Instant::write(sim::Verb verb, const std::string& name) {
  // The content differs with each write: a write that changes nothing makes no new state.
  sim::ObjectSketch sketch{.name = name, .data = {{"write", std::to_string(++cluster_.writes_)}}};
  sim::Request request;
  request.verb = verb;
  request.resource = config_maps;
  request.namespace_ = sketch.namespace_;
  request.name = name;
  request.object = std::make_shared<const api::Object>(sim::config_map_from(sketch));
  const sim::Response response = intervention_.write(std::move(request));
  constexpr std::int32_t first_failure = 400;
  runtime::ensure(response.code < first_failure, "the server did what the test asked for: is " +
                                                     name + " there, or there already?");
}

void Cluster::Instant::create(const std::string& name) { write(sim::Verb::Create, name); }
void Cluster::Instant::update(const std::string& name) { write(sim::Verb::Update, name); }
void Cluster::Instant::remove(const std::string& name) { write(sim::Verb::Delete, name); }

void Cluster::Instant::inject(const std::string& fault, int times, const std::string& answer) {
  sim::Trigger trigger;
  trigger.times = times;
  std::map<std::string, sim::ParameterValue, std::less<>> parameters;
  if (!answer.empty()) {
    parameters["answer"] = answer;
  }
  cluster_.faults_[fault] =
      intervention_.add_fault(sim::make_fault(fault, std::move(trigger), parameters));
}

void Cluster::Instant::heal(const std::string& fault) {
  const auto found = cluster_.faults_.find(fault);
  runtime::ensure(found != cluster_.faults_.end(), "only what was injected can be healed");
  (void)intervention_.remove_fault(found->second);
  cluster_.faults_.erase(found);
}

void Cluster::at_once(const std::function<void(Instant&)>& what) {
  host_->intervene([&](sim::ServerHost::Intervention& intervention) {
    Instant instant(*this, intervention);
    what(instant);
  });
}

void Cluster::create(const std::string& name) {
  at_once([&](Instant& now) { now.create(name); });
}
void Cluster::update(const std::string& name) {
  at_once([&](Instant& now) { now.update(name); });
}
void Cluster::remove(const std::string& name) {
  at_once([&](Instant& now) { now.remove(name); });
}
void Cluster::inject(const std::string& fault, int times, const std::string& answer) {
  at_once([&](Instant& now) { now.inject(fault, times, answer); });
}
void Cluster::heal(const std::string& fault) {
  at_once([&](Instant& now) { now.heal(fault); });
}

void Cluster::start_task(std::function<void(const runtime::StopToken&)> run) {
  runtime::ensure(!client_.valid(), "the client is started once");
  client_ = runtime::spawn(runtime_, "client",
                           [run = std::move(run), token = stop_.token()] { run(token); });
}

void Cluster::stop() {
  if (client_.valid()) {
    stop_.stop();
    client_.join();
  }
}

void Cluster::wait(runtime::Duration time) { runtime::sleep_for(runtime_, time); }

std::string Cluster::on_server() {
  Mirror truth;
  host_->intervene([&](sim::ServerHost::Intervention& intervention) {
    const sim::ObjectStore& store = intervention.servers().store();
    store.visit(config_maps, {}, store.revision(),
                [&truth](const std::string& /*key*/, const api::ObjectPtr& object) {
                  truth.put(object);
                  return true;
                });
  });
  return truth.contents();
}

std::size_t Cluster::requests() { return host_->exchanges().size(); }

std::size_t Cluster::watches_open() {
  const std::vector<sim::Exchange> exchanges = host_->exchanges();
  return static_cast<std::size_t>(std::ranges::count(exchanges, "open", &sim::Exchange::end));
}

}  // namespace watchlab::exercise
