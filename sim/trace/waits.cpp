#include "sim/trace/waits.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <stdexcept>

#include "sim/explain/wording.hpp"
#include "sim/explore/replay_strategy.hpp"
#include "sim/explore/strategy_decorator.hpp"
#include "sim/kernel/path_text.hpp"
#include "sim/kernel/primitives/sim_channel.hpp"
#include "sim/kernel/wait_for_graph.hpp"
#include "sim/kernel/world.hpp"
#include "sim/trace/pictures.hpp"

namespace watchlab::sim {
namespace {

constexpr std::string_view kWaitsHead =
    "digraph waits {{\n  graph [rankdir=LR, charset=\"UTF-8\", labelloc=t, labeljust=l, "
    "fontname=Helvetica, fontsize=13, pad=0.2, nodesep=0.35, ranksep=1.1, bgcolor=white, "
    "label={}]\n"
    "  node [fontname=Helvetica, fontsize=11, height=0.3, margin=\"0.12,0.06\"]\n"
    "  edge [fontname=Helvetica, fontsize=9, arrowsize=0.7, color=\"#2c3e50\"]\n";

WaitingTask seen(const WaitEdge& edge, const std::vector<const SimTask*>& circle) {
  const Operation& pending = edge.task->pending();
  WaitingTask task{.task = edge.task->identity().path(),
                   .wants = std::string(verb_for(pending.kind)),
                   .place = place_text(pending.here)};
  if (pending.kind == OperationKind::Select) {
    task.wants = "select " + describe_arms(*edge.task);
  }
  task.in_circle = std::ranges::count(circle, edge.task) > 0;
  if (edge.object != nullptr) {
    task.object = edge.object->describe();
    task.identity = edge.object->identity().path();
    task.because = edge.object->blocked_because(*edge.task);
  }
  for (const SimTask* const releaser : edge.releasers) {
    task.releasers.push_back(releaser->identity().path());
  }
  return task;
}

/// Keeps the moment that is asked for, or the most telling one.
class WaitsStrategy final : public StrategyDecorator {
 public:
  WaitsStrategy(Strategy& inner, std::optional<std::size_t> step)
      : StrategyDecorator(inner), step_(step) {}

  void executed(const Actor& actor) override {
    StrategyDecorator::executed(actor);
    const bool wanted = step_ ? scheduler().steps() == *step_ : most_ < count_waiting();
    if (wanted) {
      most_ = count_waiting();
      found_ = look(scheduler().steps());
    }
  }
  void idle() override {
    StrategyDecorator::idle();
    last_idle_ = look(scheduler().steps() + 1);
  }

  /// After the run.
  [[nodiscard]] std::optional<Waits> take(bool ended_stuck) {
    if (!step_ && ended_stuck && last_idle_) {
      last_idle_->indefinite = true;
      return std::move(last_idle_);
    }
    return std::move(found_);
  }

 private:
  [[nodiscard]] std::size_t count_waiting() const {
    const std::vector<const Actor*> actors = scheduler().actors();
    return static_cast<std::size_t>(std::ranges::count_if(actors, [this](const Actor* actor) {
      return actor->is_task() && !scheduler().is_ready(*actor);
    }));
  }

  [[nodiscard]] Waits look(std::size_t step) const {
    Waits waits{.step = step};
    const std::vector<WaitEdge> graph = wait_for_graph(scheduler());
    const std::vector<const SimTask*> circle = find_cycle(graph);
    for (const WaitEdge& edge : graph) {
      waits.waiting.push_back(seen(edge, circle));
    }
    for (const Actor* const actor : scheduler().actors()) {
      if (actor->is_task() && scheduler().is_ready(*actor)) {
        waits.ready.push_back(actor->identity().path());
      }
    }
    return waits;
  }

  std::optional<std::size_t> step_;
  std::size_t most_ = 0;
  std::optional<Waits> found_;
  std::optional<Waits> last_idle_;
};

/// Writes the picture of one moment.
class WaitsWriter {
 public:
  explicit WaitsWriter(const Waits& waits) : waits_(waits) {}

  std::string write(const std::string& title) {
    text_ = fmt::format(kWaitsHead, dot_quoted(title + "\n" + subtitle(), true));
    for (const WaitingTask& each : waits_.waiting) {
      task(each.task, each.in_circle ? "fillcolor=\"#fbe3e0\", color=\"#c0392b\""
                                     : "fillcolor=\"#fdf6e3\", color=\"#b58900\"");
    }
    for (const std::string& name : waits_.ready) {
      if (is_named(name)) {
        task(name, "fillcolor=\"#e4f4e4\", color=\"#3c8d40\"");
      }
    }
    for (const WaitingTask& each : waits_.waiting) {
      write_wait(each);
    }
    return text_ + "}\n";
  }

 private:
  [[nodiscard]] std::string subtitle() const {
    const std::string when = waits_.indefinite ? "at the end of the run, indefinitely"
                                               : fmt::format("just before step {}", waits_.step);
    const std::size_t ready = waits_.ready.size();
    const std::string others = ready > 0           ? fmt::format("{} can continue", ready)
                               : waits_.indefinite ? "no task can continue"
                                                   : "until a timer is due";
    return fmt::format("Who waits for whom, {}: {} wait{}, {}", when, waits_.waiting.size(),
                       waits_.waiting.size() == 1 ? "s" : "", others);
  }

  /// Whether a task waits for that one.
  [[nodiscard]] bool is_named(const std::string& task) const {
    return std::ranges::any_of(waits_.waiting, [&](const WaitingTask& each) {
      return std::ranges::count(each.releasers, task) > 0;
    });
  }

  void task(const std::string& name, std::string_view look) {
    text_ += fmt::format("  {} [shape=box, style=\"filled,rounded\", {}, label={}]\n",
                         dot_quoted(name), look, dot_quoted(with_readable_tasks(name)));
  }

  void write_wait(const WaitingTask& each) {
    const char* const colour = each.in_circle ? "#c0392b" : "#2c3e50";
    if (each.object.empty()) {
      const std::string name = each.task + " alone";
      text_ += fmt::format("  {} [shape=plaintext, fontcolor=\"#707070\", label={}]\n",
                           dot_quoted(name), dot_quoted(each.wants + "\n" + each.place));
      text_ += fmt::format("  {} -> {} [style=dashed, color=\"#a0a0a0\"]\n", dot_quoted(each.task),
                           dot_quoted(name));
      return;
    }
    const std::string object = write_object(each);
    text_ += fmt::format("  {} -> {} [color=\"{}\", fontcolor=\"{}\", label={}]\n",
                         dot_quoted(each.task), dot_quoted(object), colour, colour,
                         dot_quoted(each.wants + "\n" + each.place));
    for (const std::string& releaser : each.releasers) {
      if (drawn_.insert(object + "\n" + releaser).second) {
        text_ += fmt::format("  {} -> {} [style=dashed, color=\"{}\", fontcolor=\"{}\"]\n",
                             dot_quoted(object), dot_quoted(releaser), colour, colour);
      }
    }
  }

  /// The name of its node, which tasks that wait for the same share.
  std::string write_object(const WaitingTask& each) {
    std::string name = "object " + each.identity;
    if (drawn_.insert(name).second) {
      const std::string_view why =
          waits_.indefinite ? std::string_view(each.because) : while_it_continues(each.because);
      const std::string because = why.empty() ? "" : "\n" + with_readable_tasks(why);
      text_ += fmt::format(
          "  {} [shape=box, style=filled, fillcolor=\"#eef1f6\", "
          "color=\"#4a6fa5\", label={}]\n",
          dot_quoted(name), dot_quoted(each.object + because));
    }
    return name;
  }

  const Waits& waits_;
  std::string text_;
  std::set<std::string> drawn_;
};

}  // namespace

std::optional<Waits> find_waits(std::string_view schedule,
                                const std::function<void(runtime::Runtime&)>& body,
                                std::optional<std::size_t> step) {
  const Schedule parsed = Schedule::parse(schedule);
  World world(options_of(parsed));
  ReplayStrategy replay(parsed, ReplayStrategy::Mode::Strict);
  WaitsStrategy strategy(replay, step);
  const RunResult result = world.run(strategy, body);
  if (replay.divergence()) {
    throw std::invalid_argument(*replay.divergence());
  }
  const bool stuck =
      result.failure && (result.failure->kind == "deadlock" || result.failure->kind == "leak");
  return strategy.take(stuck);
}

std::string waits_dot(const Waits& waits, const std::string& title) {
  return WaitsWriter(waits).write(title);
}

}  // namespace watchlab::sim
