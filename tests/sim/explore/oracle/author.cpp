#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "sim/explore/random_numbers.hpp"
#include "tests/sim/explore/oracle/program.hpp"
#include "tests/sim/explore/oracle/words.hpp"

namespace watchlab::sim::oracle {
namespace {

/// Writes the program of one seed.
class Author {
 public:
  Author(const Theme& theme, std::uint64_t seed) : random_(seed * 2 + 1) {
    program_.theme = &theme;
    program_.seed = seed;
  }

  Program write() {
    const Theme& theme = *program_.theme;
    for (std::size_t left = 1 + below(std::min<std::size_t>(theme.groups.size(), 3)); left > 0;
         --left) {
      for (const Word& word : theme.groups[below(theme.groups.size())]) {
        words_.push_back(&word);
      }
    }
    // Few words and objects, so that tasks meet.
    shuffle(words_);
    const bool mirrors = below(2) == 0;
    words_.resize(std::min(words_.size(), mirrors ? SIZE_MAX : 3 + below(6)));
    objects_max_ = 1 + static_cast<int>(below(2));
    static constexpr std::size_t kTasks[] = {2, 2, 3, 3, 3, 3, 4};
    const std::size_t tasks = kTasks[below(std::size(kTasks))];
    program_.tasks.resize(tasks);
    program_.advances = theme.advances ? static_cast<int>(below(3)) : 0;
    program_.joins = theme.advances || theme.is_core || theme.fails || below(3) > 0;
    static constexpr std::size_t kMore[] = {0, 0, 7, 8, 6};
    static constexpr std::size_t kMoreForBruteForce[] = {0, 0, 6, 4, 2};
    const bool modelled =
        std::ranges::all_of(words_, [](const Word* word) { return word->model != nullptr; });
    const std::size_t more = modelled ? kMore[tasks] : kMoreForBruteForce[tasks];
    if (mirrors && (modelled || tasks == 2)) {
      mirror();
    } else {
      for (std::size_t left = tasks + below(more); left > 0; --left) {
        add(below(tasks));
      }
    }
    if (!theme.fails) {
      give_back();
    }
    if (!theme.is_core && !program_.theme->fails) {
      program_.storage = static_cast<Storage>(below(3));
    }
    if (program_.storage == Storage::Older && has_what_stays()) {
      program_.storage = Storage::Root;
    }
    return std::move(program_);
  }

 private:
  std::size_t below(std::size_t bound) { return random_.below(static_cast<std::uint32_t>(bound)); }

  Op draw() {
    const Word& word = *words_[below(words_.size())];
    const auto objects = static_cast<std::size_t>(std::min(word.objects, objects_max_));
    return {.word = &word,
            .object = static_cast<int>(below(objects)),
            .number = static_cast<int>(below(static_cast<std::size_t>(word.numbers)))};
  }
  /// Whether the task can start another, and then which: each has at most one that starts it.
  [[nodiscard]] bool directs(Op& op, std::size_t task) const {
    const std::size_t tasks = program_.tasks.size();
    const std::size_t other = task + (tasks == 2 ? 1 : 2);
    op.object = op.word->kind == Kind::Task ? static_cast<int>(other) : op.object;
    return op.word->kind != Kind::Task || other < tasks;
  }
  /// Whether it would be the third one in a row on an atomic: what such a task does in a world has
  /// rules of its own, see `SimCell::begin_access`, and a theme of its own.
  [[nodiscard]] bool polls(const std::vector<Op>& ops, const Op& op) const {
    const Kind kind = op.word->kind;
    if (program_.theme->polls || (kind != Kind::Atomic && kind != Kind::Flag)) {
      return false;
    }
    std::size_t row = 0;
    for (std::size_t i = ops.size(); i-- > 0;) {
      const bool same = ops[i].word->kind == kind && ops[i].object == op.object;
      if (!same && ops[i].when == When::Always) {
        break;
      }
      row += same ? 1 : 0;
    }
    return row >= 2;
  }
  void add(std::size_t task) {
    std::vector<Op>& ops = program_.tasks[task];
    Op op = draw();
    if (!directs(op, task) || polls(ops, op)) {
      return;
    }
    if (!ops.empty() && below(5) == 0) {
      op.when = below(2) == 0 ? When::Seen : When::Unseen;
    }
    ops.push_back(op);
  }
  /// The tasks use the same few objects, each in an order of its own: where one finds what another
  /// has used first, and the other way round in the next run.
  void mirror() {
    std::vector<Op> uses;
    for (std::size_t left = 24; left > 0 && uses.size() < 3; --left) {
      const Op use = draw();
      const bool known = std::ranges::any_of(uses, [&use](const Op& other) {
        return other.word->kind == use.word->kind && other.object == use.object;
      });
      // An atomic shows in which order they came, so one comes first where there is one.
      const bool fits = left < 8 || (use.word->kind == Kind::Atomic) == uses.empty();
      if (!known && fits) {
        uses.push_back(use);
      }
    }
    for (std::size_t task = 0; task < program_.tasks.size(); ++task) {
      shuffle(uses);
      const std::size_t length = std::min(uses.size(), 2 + below(2));
      for (std::size_t i = 0; i < length; ++i) {
        Op use = uses[i];
        shuffle(words_);
        use.word = *std::ranges::find(words_, use.word->kind, &Word::kind);
        if (directs(use, task) && !polls(program_.tasks[task], use)) {
          program_.tasks[task].push_back(use);
        }
      }
    }
  }
  template <typename T>
  void shuffle(std::vector<T>& things) {
    for (std::size_t i = things.size(); i > 1; --i) {
      std::swap(things[i - 1], things[below(i)]);
    }
  }
  /// At the end of each task, in reverse order, what it may hold.
  void give_back() {
    for (std::vector<Op>& ops : program_.tasks) {
      for (std::size_t i = ops.size(); i-- > 0;) {
        if (!ops[i].word->undo.empty()) {
          ops.push_back({.word = &word_of(ops[i].word->undo), .object = ops[i].object});
        }
      }
    }
  }
  [[nodiscard]] const Word& word_of(std::string_view text) const {
    for (const WordGroup& group : program_.theme->groups) {
      const auto found = std::ranges::find(group, text, &Word::text);
      if (found != group.end()) {
        return *found;
      }
    }
    throw std::logic_error(fmt::format("there is no word '{}'", text));
  }
  /// From one run to the next, where an object outlives both.
  [[nodiscard]] bool has_what_stays() const {
    return program_.count(Kind::Promise) > 0 || program_.count(Kind::Call) > 0 ||
           program_.count(Kind::Source) > 0 || program_.count(Kind::Watched) > 0;
  }

  RandomNumbers random_;
  int objects_max_ = 1;
  std::vector<const Word*> words_;
  Program program_;
};

/// "r0 s3": receives from channel 0, sends to channel 3.
std::string arms_of(int number) {
  std::string text;
  for (const int arm : {number % 8, number / 8}) {
    text += fmt::format("{}{}{}", text.empty() ? "" : " ", arm < 4 ? 'r' : 's', arm % 4);
  }
  return text;
}

void replace(std::string& text, std::string_view what, const std::string& by) {
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what)) {
    text.replace(at, what.size(), by);
  }
}

}  // namespace

const std::vector<Theme>& program_themes() {
  static const std::vector<Theme> kThemes{
      {.name = "std",
       .groups = {mixed_words(), mixed_words(), mixed_words(), atomic_words(), mutex_words(),
                  shared_mutex_words(), semaphore_words(), latch_words(), recursive_words()}},
      {.name = "std-polls", .groups = {atomic_words(), notified_words()}, .polls = true},
      {.name = "std-waits",
       .groups = {condition_words(), barrier_words(), future_words(), stop_words(),
                  timed_mutex_words(), timed_semaphore_words(), notified_words(), thread_words(),
                  guard_words()}},
      {.name = "std-time",
       .groups = {timed_mutex_words(), timed_semaphore_words(), condition_words(), guard_words()},
       .advances = true},
      {.name = "std-fails",
       .groups = {misuse_words(), mutex_words(), semaphore_words(), atomic_words()},
       .fails = true},
      {.name = "time",
       .groups = {timer_words(), signal_words(), select_words()},
       .advances = true,
       .is_core = true},
      {.name = "locks",
       .groups = {table_words(), lock_words(), signal_words(), cell_words()},
       .is_core = true},
      {.name = "channels",
       .groups = {select_words(), channel_words(), timer_words(), group_words()},
       .is_core = true},
      {.name = "tasks", .groups = {task_words()}, .is_core = true},
      {.name = "fails",
       .groups = {failing_words(), channel_words(), lock_words(), cell_words()},
       .is_core = true,
       .fails = true},
  };
  return kThemes;
}

const Theme& program_theme(std::string_view name) {
  std::string names;
  for (const Theme& theme : program_themes()) {
    if (theme.name == name) {
      return theme;
    }
    names += " " + std::string(theme.name);
  }
  throw std::invalid_argument(fmt::format("there is no theme '{}'; there are{}", name, names));
}

int Program::count(Kind kind) const {
  int count = 0;
  for (const std::vector<Op>& ops : tasks) {
    for (const Op& op : ops) {
      const Kind of = op.word->kind;
      const bool needs_first =
          (kind == Kind::Mutex && (of == Kind::Condition || of == Kind::ConditionAny)) ||
          (kind == Kind::Lock && of == Kind::Signal);
      const bool needs_all =
          kind == Kind::Channel && (of == Kind::Timer || op.word->text.ends_with("{arms}"));
      count = std::max(count, of == kind ? op.object + 1 : needs_first ? 1 : 0);
      count = std::max(count, needs_all ? 4 : 0);
    }
  }
  return count;
}

int Program::mentions(Kind kind, int object, std::string_view part) const {
  int count = 0;
  for (const std::vector<Op>& ops : tasks) {
    count += static_cast<int>(std::ranges::count_if(ops, [&](const Op& op) {
      return op.word->kind == kind && op.object == object &&
             op.word->text.find(part) != std::string_view::npos;
    }));
  }
  return count;
}

int Program::initial(Kind kind, int object) const {
  switch (kind) {
    case Kind::Semaphore:
      return object % 2;
    case Kind::Latch:
      return std::max(1, mentions(kind, object, "count_down"));
    case Kind::Barrier:
      return std::max(1, mentions(kind, object, "arrive"));
    case Kind::Group:
      return mentions(kind, object, "done");
    default:
      return 0;
  }
}

bool Program::is_spawned(std::size_t task) const {
  return std::ranges::any_of(tasks, [&](const std::vector<Op>& ops) {
    return std::ranges::any_of(ops, [&](const Op& op) {
      return op.word->kind == Kind::Task && !op.word->text.ends_with("join()") &&
             op.object == static_cast<int>(task);
    });
  });
}

std::size_t Program::size() const {
  std::size_t size = 0;
  for (const std::vector<Op>& ops : tasks) {
    size += ops.size();
  }
  return size;
}

Program write_program(const Theme& theme, std::uint64_t seed) {
  return Author(theme, seed).write();
}

std::string to_string(const Program& program) {
  static constexpr std::string_view kStorages[] = {"made by the root", "older than the world",
                                                   "made by who needs them first"};
  std::string text = fmt::format(
      "--theme {} --seed {}: objects {}, {}, time passes early {} times\n", program.theme->name,
      program.seed, kStorages[static_cast<std::size_t>(program.storage)],
      program.joins ? "tasks are joined" : "tasks are not joined", program.advances);
  for (std::size_t task = 0; task < program.tasks.size(); ++task) {
    text += fmt::format("  {}{}:", program.is_spawned(task) ? "spawned " : "", task);
    for (std::size_t place = 0; place < program.tasks[task].size(); ++place) {
      const Op& op = program.tasks[task][place];
      std::string word(op.word->text);
      replace(word, "{o}", std::to_string(op.object));
      replace(word, "{n}", std::to_string(op.number));
      replace(word, "{v}", std::to_string(program_value(task, place)));
      replace(word, "{arms}", arms_of(op.number));
      static constexpr std::string_view kWhens[] = {"", "if (last) ", "if (!last) "};
      text += fmt::format(" {}{};", kWhens[static_cast<std::size_t>(op.when)], word);
    }
    text += "\n";
  }
  return text;
}

}  // namespace watchlab::sim::oracle
