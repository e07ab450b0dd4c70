#include <algorithm>
#include <array>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "tests/tidy/checks.hpp"

namespace watchlab::tidy {

namespace {

struct Banned {
  std::string_view token;
  std::string_view instead;
};

constexpr std::string_view kDraw = "draw from runtime::Random, which is portable and recorded";
constexpr std::string_view kClock = "ask Runtime::now(); time is the simulator's";
constexpr std::string_view kLock =
    "use the primitives of core/runtime, which the simulator schedules";
constexpr std::string_view kTask = "spawn a runtime::Task";
constexpr std::string_view kTimer = "use runtime::Timer or sim's timer; this one starts a thread";
constexpr std::string_view kOrder = "compare keys or identities; addresses differ between runs";

constexpr std::array kBannedTokens{
    Banned{"std::random_device", kDraw},
    Banned{"std::uniform_int_distribution", kDraw},
    Banned{"std::uniform_real_distribution", kDraw},
    Banned{"std::bernoulli_distribution", kDraw},
    Banned{"std::normal_distribution", kDraw},
    Banned{"std::discrete_distribution", kDraw},
    Banned{"std::exponential_distribution", kDraw},
    Banned{"std::poisson_distribution", kDraw},
    Banned{"std::geometric_distribution", kDraw},
    Banned{"std::shuffle", kDraw},
    Banned{"std::sample", kDraw},
    Banned{"std::rand", kDraw},
    Banned{"system_clock", kClock},
    Banned{"steady_clock", kClock},
    Banned{"high_resolution_clock", kClock},
    Banned{"std::time", kClock},
    Banned{"gettimeofday", kClock},
    Banned{"clock_gettime", kClock},
    Banned{"std::mutex", kLock},
    Banned{"std::shared_mutex", kLock},
    Banned{"std::recursive_mutex", kLock},
    Banned{"std::lock_guard", kLock},
    Banned{"std::unique_lock", kLock},
    Banned{"std::scoped_lock", kLock},
    Banned{"std::shared_lock", kLock},
    Banned{"std::condition_variable*", kLock},
    Banned{"std::counting_semaphore", kLock},
    Banned{"std::binary_semaphore", kLock},
    Banned{"std::future", kLock},
    Banned{"std::promise", kLock},
    Banned{"std::call_once", kLock},
    Banned{"std::stop_token", kLock},
    Banned{"std::thread", kTask},
    Banned{"std::jthread", kTask},
    Banned{"std::async", kTask},
    Banned{"std::this_thread", "use Runtime::yield and runtime::sleep_for"},
    Banned{"basic_waitable_timer", kTimer},
    Banned{"steady_timer", kTimer},
    Banned{"system_timer", kTimer},
    Banned{"std::owner_less", kOrder},
    Banned{"catch (...)", "use runtime::recover, which lets a stopping world end its tasks"},
    Banned{"thread_local", "pass it in by reference; a task changes its thread"},
};

/// Files that implement what all other files are sent to.
struct Allowance {
  std::string_view file;  ///< the beginning of its path
  std::string_view token;
};
constexpr std::array kAllowances{
    Allowance{"core/runtime/recover.", "catch (...)"},
    Allowance{"core/runtime/recover.", "thread_local"},           // whose task runs here, and how
    Allowance{"sim/kernel/scheduler.cpp", "catch (...)"},         // where task bodies end
    Allowance{"sim/explore/child_process.cpp", "catch (...)"},    // where a child ends
    Allowance{"sim/kernel/world.cpp", "thread_local"},            // whose task runs here
    Allowance{"sim/kernel/watchdog.cpp", "clock_gettime"},        // processor time
    Allowance{"sim/kernel/dead_frames.cpp", "thread_local"},      // whom a signal handler ends
    Allowance{"sim/kernel/dead_frames.cpp", "std::mutex"},        // handlers are the process's
    Allowance{"sim/kernel/dead_frames.cpp", "std::scoped_lock"},  // likewise
    Allowance{"sim/http/http_server.cpp", "steady_timer"},        // serves in real time
    Allowance{"sim/http/socket_wire.", "steady_timer"},           // likewise, a connection
    Allowance{"sim/http/http_front.cpp", "system_clock"},         // where that begins
};

/// Core and sim, except what maps the seam on OS threads and fibers.
bool is_simulated(const Source& source) {
  return source.is_cpp() && (source.in("core/") || source.in("sim/")) && !maps_the_seam(source);
}

bool is_allowed(const Source& source, std::string_view token) {
  return std::ranges::any_of(kAllowances, [&](const Allowance& allowance) {
    return source.in(allowance.file) && token == allowance.token;
  });
}

/// Pointers as keys: std::map<Task*, …>, std::set<const Task*>, std::hash<Task*>.
void report_pointer_keys(const Source& source, Problems& problems) {
  for (std::string_view container : {"std::map<", "std::set<", "std::hash<", "std::less<",
                                     "std::unordered_map<", "std::unordered_set<"}) {
    for (const std::size_t at : find_word(source.code(), container)) {
      const std::size_t start = at + container.size();
      const std::size_t end = source.code().find_first_of(",<>\n", start);
      const auto key = std::string_view(source.code()).substr(start, end - start);
      if (key.ends_with('*')) {
        problems.push_back(
            {source.path(), source.line_of(at),
             std::string(container) + std::string(key) + "…>: " + std::string(kOrder)});
      }
    }
  }
}

/// The names of variables that `code` declares as unordered containers.
std::set<std::string> unordered_names(std::string_view code) {
  std::set<std::string> names;
  for (std::size_t at : find_word(code, "unordered_*")) {
    at = code.find_first_not_of("abcdefghijklmnopqrstuvwxyz_", at);
    if (at == std::string_view::npos || code[at] != '<') {
      continue;
    }
    int depth = 0;
    do {
      depth += code[at] == '<' ? 1 : code[at] == '>' ? -1 : 0;
    } while (++at < code.size() && depth > 0);
    const std::size_t start = std::min(code.find_first_not_of(" &\n", at), code.size());
    std::size_t end = start;
    while (end < code.size() && is_word_char(code[end])) {
      ++end;
    }
    if (end > start) {
      names.emplace(code.substr(start, end - start));
    }
  }
  return names;
}

std::string twin_of(const Source& source) {
  const std::string stem = source.path().substr(0, source.path().size() - 4);
  return stem + (source.is_header() ? ".cpp" : ".hpp");
}

/// Whether a range-based for loop visits `name` at `at`: `for (auto& x : state.name)`.
bool is_visited(std::string_view code, std::size_t at, std::size_t size) {
  const std::size_t line = code.rfind("for (", at);
  if (line == std::string_view::npos || code.substr(at + size, 1) != ")") {
    return false;
  }
  const std::string_view head = code.substr(line, at - line);
  const std::size_t colon = head.find(" : ");
  return colon != std::string_view::npos && head.find_first_of(";{}()", colon) == head.npos;
}

/// Whether the variable at `at` is a member, by its own name or by what stands before it.
bool is_member(std::string_view code, std::size_t at, std::string_view name) {
  return name.ends_with('_') || (at > 0 && (code[at - 1] == '.' || code[at - 1] == '>'));
}

void report_loops(const Source& source, const std::string& name, bool members_only,
                  Problems& problems) {
  for (const std::size_t at : find_word(source.code(), name)) {
    if (is_visited(source.code(), at, name.size()) &&
        (!members_only || is_member(source.code(), at, name))) {
      problems.push_back(
          {source.path(), source.line_of(at),
           "visits the unordered " + name + ": use an ordered container, or Runtime::order"});
    }
  }
}

}  // namespace

Problems check_banned_tokens(const Tree& tree) {
  Problems problems;
  for (const Source& source : tree) {
    if (!is_simulated(source)) {
      continue;
    }
    for (const auto& [token, instead] : kBannedTokens) {
      for (const std::size_t at : is_allowed(source, token) ? std::vector<std::size_t>()
                                                            : find_word(source.code(), token)) {
        problems.push_back(
            {source.path(), source.line_of(at), std::string(token) + ": " + std::string(instead)});
      }
    }
    report_pointer_keys(source, problems);
  }
  return problems;
}

Problems check_unordered_loops(const Tree& tree) {
  Problems problems;
  for (const Source& source : tree) {
    if (!is_simulated(source)) {
      continue;
    }
    for (const std::string& name : unordered_names(source.code())) {
      report_loops(source, name, false, problems);
    }
    const auto twin = std::ranges::find(tree, twin_of(source), &Source::path);
    if (twin == tree.end()) {
      continue;
    }
    for (const std::string& name : unordered_names(twin->code())) {
      report_loops(source, name, true, problems);
    }
  }
  return problems;
}

Problems check_places(const Tree& tree) {
  // Put together here, so that this file does not report itself.
  static const std::array<std::string, 4> places{
      std::string("/wo") + "rk/", std::string("/ho") + "me/", std::string("/ro") + "ot/",
      std::string("/fa") + "rm/"};
  Problems problems;
  for (const Source& source : tree) {
    for (const std::string& place : places) {
      for (std::size_t at = source.text().find(place); at != std::string::npos;
           at = source.text().find(place, at + 1)) {
        const char before = at > 0 ? source.text()[at - 1] : '\n';
        if (!is_word_char(before) && before != '.' && before != '}' && before != '/') {
          problems.push_back(
              {source.path(), source.line_of(at), place + "…: a path of one machine"});
        }
      }
    }
  }
  return problems;
}

}  // namespace watchlab::tidy
