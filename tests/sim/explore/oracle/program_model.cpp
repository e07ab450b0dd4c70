#include "tests/sim/explore/oracle/program_model.hpp"

#include <algorithm>
#include <unordered_set>

#include "tests/sim/explore/oracle/observations.hpp"

namespace watchlab::sim::oracle {
namespace {

bool is_known(const Program& program) {
  return !program.theme->fails &&
         std::ranges::all_of(program.tasks, [](const std::vector<Op>& ops) {
           return std::ranges::all_of(ops, [](const Op& op) { return op.word->model != nullptr; });
         });
}

/// Goes through all states once.
class Enumeration {
 public:
  Enumeration(const Program& program, std::size_t states_max)
      : program_(program), states_max_(states_max) {}

  Modelled run() {
    ModelState state;
    state.tasks.resize(program_.tasks.size());
    for (std::size_t i = 0; i < state.objects.size(); ++i) {
      state.objects.at(i) =
          program_.initial(static_cast<Kind>(i / kObjectsMax), static_cast<int>(i % kObjectsMax));
    }
    for (std::size_t task = 0; task < state.tasks.size(); ++task) {
      skip(state, task);
    }
    visit(std::move(state));
    while (!open_.empty() && known_.size() <= states_max_) {
      const ModelState next = std::move(open_.back());
      open_.pop_back();
      expand(next);
    }
    found_.complete = open_.empty();
    return std::move(found_);
  }

 private:
  /// Past what is not carried out, which is no step.
  void skip(ModelState& state, std::size_t task) const {
    ModelState::Of& me = state.tasks[task];
    const std::vector<Op>& ops = program_.tasks[task];
    for (; me.place < ops.size(); ++me.place) {
      const When when = ops[me.place].when;
      const bool seen = !me.seen.empty() && me.seen.back() != 0;
      if (when == When::Always || seen == (when == When::Seen)) {
        return;
      }
    }
    me.seen.push_back(kEnd);
  }
  void visit(ModelState&& state) {
    if (known_.insert(state.key()).second) {
      open_.push_back(std::move(state));
    }
  }
  void expand(const ModelState& state) {
    bool ends = true;
    for (std::size_t task = 0; task < state.tasks.size(); ++task) {
      const std::size_t place = state.tasks[task].place;
      if (place == program_.tasks[task].size()) {
        continue;
      }
      const Op& op = program_.tasks[task][place];
      ModelState next = state;
      ModelTask acting(next, task);
      if (op.word->model(acting, op)) {
        ends = false;
        ++next.tasks[task].place;
        skip(next, task);
        visit(std::move(next));
      }
    }
    if (ends) {
      std::string outcome;
      for (const ModelState::Of& task : state.tasks) {
        outcome += describe(task.seen) + "| ";
      }
      found_.outcomes.insert(outcome);
    }
  }

  const Program& program_;
  std::size_t states_max_;
  Modelled found_;
  std::unordered_set<std::string> known_;
  std::vector<ModelState> open_;
};

}  // namespace

std::string ModelState::key() const {
  std::string text;
  for (const int object : objects) {
    text += static_cast<char>(object);
    text += static_cast<char>(object >> 8);
  }
  for (const Of& task : tasks) {
    text += static_cast<char>(task.place);
    text += static_cast<char>(task.seen.size());
    for (const int value : task.seen) {
      text += static_cast<char>(value);
      text += static_cast<char>(value >> 8);
    }
    text.append(reinterpret_cast<const char*>(task.held.data()), task.held.size());
  }
  return text;
}

Modelled model_outcomes(const Program& program, std::size_t states_max) {
  return is_known(program) ? Enumeration(program, states_max).run() : Modelled{};
}

}  // namespace watchlab::sim::oracle
