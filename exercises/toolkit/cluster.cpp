#include "exercises/toolkit/cluster.hpp"

#include <utility>

#include "core/runtime/ensure.hpp"
#include "exercises/toolkit/cluster_server.hpp"
#include "exercises/toolkit/session.hpp"

namespace watchlab::exercise {

Cluster::Cluster(runtime::Runtime& runtime)
    : runtime_(runtime),
      server_(course::Session::of_program().is_suite() ? cluster_elsewhere(runtime)
                                                       : serve_cluster(runtime)),
      source_(server_->source()),
      stop_(runtime) {}

Cluster::~Cluster() = default;

Cluster::Instant::Instant() = default;
Cluster::Instant::~Instant() = default;

void Cluster::Instant::create(const std::string& name) {
  deeds_.push_back({.kind = ServerDeed::Kind::Create, .name = name, .times = 0, .answer = {}});
}
void Cluster::Instant::update(const std::string& name) {
  deeds_.push_back({.kind = ServerDeed::Kind::Update, .name = name, .times = 0, .answer = {}});
}
void Cluster::Instant::remove(const std::string& name) {
  deeds_.push_back({.kind = ServerDeed::Kind::Remove, .name = name, .times = 0, .answer = {}});
}
void Cluster::Instant::inject(const std::string& fault, int times, const std::string& answer) {
  deeds_.push_back({.kind = ServerDeed::Kind::Inject,
                    .name = fault,
                    .times = static_cast<std::uint64_t>(times),
                    .answer = answer});
}
void Cluster::Instant::heal(const std::string& fault) {
  deeds_.push_back({.kind = ServerDeed::Kind::Heal, .name = fault, .times = 0, .answer = {}});
}

void Cluster::at_once(const std::function<void(Instant&)>& what) {
  Instant instant;
  what(instant);
  server_->carry_out(instant.deeds_);
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

std::string Cluster::on_server() { return server_->on_server(); }

std::size_t Cluster::requests() { return server_->requests(); }

std::size_t Cluster::watches_open() { return server_->watches_open(); }

}  // namespace watchlab::exercise
