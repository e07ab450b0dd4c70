#include "exercises/toolkit/cluster.hpp"

#include <fmt/format.h>

#include <array>
#include <chrono>
#include <stdexcept>
#include <utility>

#include "exercises/toolkit/cluster_server.hpp"
#include "exercises/toolkit/protocol.hpp"
#include "exercises/toolkit/session.hpp"
#include "exercises/toolkit/worlds.hpp"

namespace watchlab::exercise {

using Kind = ServerAction::Kind;

namespace {

/// What a narration of the test says of it: "create demo", "inject cut_watch 1 times".
std::string words_of(const ServerAction& deed) {
  constexpr std::array words{"create", "update", "remove", "inject", "heal"};
  std::string text = fmt::format("{} {}", words.at(static_cast<std::size_t>(deed.kind)), deed.name);
  text += deed.times > 0 ? fmt::format(" {} times", deed.times) : "";
  return text + (deed.answer.empty() ? "" : " with " + deed.answer);
}

}  // namespace

void ClusterActions::create(const std::string& name) {
  carry_out({.kind = Kind::Create, .name = name});
}
void ClusterActions::update(const std::string& name) {
  carry_out({.kind = Kind::Update, .name = name});
}
void ClusterActions::remove(const std::string& name) {
  carry_out({.kind = Kind::Remove, .name = name});
}
void ClusterActions::inject(const std::string& fault, int times, const std::string& answer) {
  carry_out({.kind = Kind::Inject,
             .name = fault,
             .times = static_cast<std::uint64_t>(times),
             .answer = answer});
}
void ClusterActions::heal(const std::string& fault) {
  carry_out({.kind = Kind::Heal, .name = fault});
}

Cluster::Cluster(runtime::Runtime& runtime)
    : runtime_(runtime),
      server_(course::Session::of_program().is_suite() ? cluster_elsewhere(runtime)
                                                       : serve_cluster(runtime)),
      source_(server_->source()),
      stop_(runtime) {}

Cluster::~Cluster() = default;

Cluster::Instant::Instant() = default;
Cluster::Instant::~Instant() = default;

void Cluster::Instant::carry_out(ServerAction deed) { deeds_.push_back(std::move(deed)); }

void Cluster::at_once(const std::function<void(Instant&)>& what) {
  Instant instant;
  what(instant);
  for (const ServerAction& deed : instant.deeds_) {
    act(runtime_, words_of(deed));
  }
  server_->carry_out(instant.deeds_);
}

void Cluster::carry_out(ServerAction deed) {
  act(runtime_, words_of(deed));
  server_->carry_out({std::move(deed)});
}

void Cluster::start_task(std::function<void(const runtime::StopToken&)> run) {
  if (client_.valid()) {
    throw std::invalid_argument(std::string(course::kUsedWrongly) + "the client is started once");
  }
  client_ = runtime::spawn(runtime_, kClientOfCluster,
                           [run = std::move(run), token = stop_.token()] { run(token); });
}

void Cluster::stop() {
  if (client_.valid()) {
    act(runtime_, "stop the client");
    stop_.stop();
    client_.join();
    constexpr int looks_max = 20;
    for (int i = 0; i < looks_max && watches_open() > 0; ++i) {
      wait(std::chrono::milliseconds(5));
    }
  }
}

void Cluster::wait(runtime::Duration time) { runtime::sleep_for(runtime_, time); }

std::string Cluster::on_server() { return server_->on_server(); }

std::size_t Cluster::requests() { return server_->requests(); }

std::size_t Cluster::watches_open() { return server_->watches_open(); }

}  // namespace watchlab::exercise
