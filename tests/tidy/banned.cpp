#include <algorithm>
#include <array>
#include <set>
#include <string>
#include <string_view>

#include "tests/tidy/checks.hpp"

namespace watchlab::tidy {

namespace {

enum class Where : unsigned char {
  Simulated,  ///< core and sim, except what maps the seam on OS threads and fibers
  Product,    ///< core, sim, scenarios and exercises
  Headers,    ///< the headers of the product
};

struct Banned {
  std::string_view token;
  Where where;
  std::string_view instead;
};

constexpr std::string_view kDraw = "draw from runtime::Random, which is portable and recorded";
constexpr std::string_view kClock = "ask Runtime::now(); time is the simulator's";
constexpr std::string_view kLock =
    "use the primitives of core/runtime, which the simulator schedules";
constexpr std::string_view kTask = "spawn a runtime::Task";
constexpr std::string_view kTimer = "use runtime::Timer or sim's timer; this one starts a thread";
constexpr std::string_view kOrder = "compare keys or identities; addresses differ between runs";
constexpr std::string_view kName = "name what it does; this word says nothing";

constexpr std::array kBannedTokens{
    Banned{"std::random_device", Where::Simulated, kDraw},
    Banned{"std::uniform_int_distribution", Where::Simulated, kDraw},
    Banned{"std::uniform_real_distribution", Where::Simulated, kDraw},
    Banned{"std::bernoulli_distribution", Where::Simulated, kDraw},
    Banned{"std::normal_distribution", Where::Simulated, kDraw},
    Banned{"std::discrete_distribution", Where::Simulated, kDraw},
    Banned{"std::exponential_distribution", Where::Simulated, kDraw},
    Banned{"std::poisson_distribution", Where::Simulated, kDraw},
    Banned{"std::geometric_distribution", Where::Simulated, kDraw},
    Banned{"std::shuffle", Where::Simulated, kDraw},
    Banned{"std::sample", Where::Simulated, kDraw},
    Banned{"std::rand", Where::Simulated, kDraw},
    Banned{"system_clock", Where::Simulated, kClock},
    Banned{"steady_clock", Where::Simulated, kClock},
    Banned{"high_resolution_clock", Where::Simulated, kClock},
    Banned{"std::time", Where::Simulated, kClock},
    Banned{"gettimeofday", Where::Simulated, kClock},
    Banned{"clock_gettime", Where::Simulated, kClock},
    Banned{"std::mutex", Where::Simulated, kLock},
    Banned{"std::shared_mutex", Where::Simulated, kLock},
    Banned{"std::recursive_mutex", Where::Simulated, kLock},
    Banned{"std::lock_guard", Where::Simulated, kLock},
    Banned{"std::unique_lock", Where::Simulated, kLock},
    Banned{"std::scoped_lock", Where::Simulated, kLock},
    Banned{"std::shared_lock", Where::Simulated, kLock},
    Banned{"std::condition_variable*", Where::Simulated, kLock},
    Banned{"std::counting_semaphore", Where::Simulated, kLock},
    Banned{"std::binary_semaphore", Where::Simulated, kLock},
    Banned{"std::future", Where::Simulated, kLock},
    Banned{"std::promise", Where::Simulated, kLock},
    Banned{"std::call_once", Where::Simulated, kLock},
    Banned{"std::stop_token", Where::Simulated, kLock},
    Banned{"std::thread", Where::Simulated, kTask},
    Banned{"std::jthread", Where::Simulated, kTask},
    Banned{"std::async", Where::Simulated, kTask},
    Banned{"std::this_thread", Where::Simulated, "use Runtime::yield and runtime::sleep_for"},
    Banned{"basic_waitable_timer", Where::Simulated, kTimer},
    Banned{"steady_timer", Where::Simulated, kTimer},
    Banned{"system_timer", Where::Simulated, kTimer},
    Banned{"std::owner_less", Where::Simulated, kOrder},
    Banned{"catch (...)", Where::Simulated,
           "use runtime::recover, which lets a stopping world end its tasks"},
    Banned{"thread_local", Where::Product, "pass it in by reference; there are no globals"},
    Banned{"using namespace", Where::Headers, "name what you use"},
    Banned{"#define", Where::Product, "write a function, a constant or a template"},
    Banned{"tmp", Where::Product, kName},
    Banned{"*Helper", Where::Product, kName},
    Banned{"*Util", Where::Product, kName},
    Banned{"*Utils", Where::Product, kName},
    Banned{"*Manager", Where::Product, kName},
};

/// Ends of client-go's own names, which stay where they are ported.
constexpr std::array<std::string_view, 1> kPortedNames{"BackoffManager"};

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
    Allowance{"core/runtime/fibers/switch.hpp", "#define"},       // which sanitizer is on
    Allowance{"core/runtime/fibers/worker.cpp", "thread_local"},  // whose worker runs here
    Allowance{"sim/kernel/world.cpp", "thread_local"},            // whose task runs here
    Allowance{"sim/kernel/dead_frames.cpp", "thread_local"},      // whom a signal handler ends
    Allowance{"sim/kernel/dead_frames.cpp", "std::mutex"},        // handlers are the process's
    Allowance{"sim/kernel/dead_frames.cpp", "std::scoped_lock"},  // likewise
    Allowance{"sim/std/", "using namespace"},                     // the standard's names
    Allowance{"sim/http/http_server.cpp", "steady_timer"},        // serves in real time
    Allowance{"sim/http/socket_wire.", "steady_timer"},           // likewise, a connection
    Allowance{"sim/http/http_front.cpp", "system_clock"},         // where that begins
};

bool is_product(const Source& source) { return source.is_cpp() && !source.in("tests/"); }

bool is_simulated(const Source& source) {
  return source.is_cpp() && (source.in("core/") || source.in("sim/")) && !maps_the_seam(source);
}

bool applies(Where where, const Source& source) {
  switch (where) {
    case Where::Simulated:
      return is_simulated(source);
    case Where::Product:
      return is_product(source);
    case Where::Headers:
      return is_product(source) && source.is_header();
  }
  return false;
}

bool is_ported_name(const Source& source, std::size_t at) {
  const std::string_view code = source.code();
  std::size_t end = at;
  while (end < code.size() && is_word_char(code[end])) {
    ++end;
  }
  return std::ranges::any_of(
      kPortedNames, [&](std::string_view ported) { return code.substr(0, end).ends_with(ported); });
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
    for (const Banned& banned : kBannedTokens) {
      if (!applies(banned.where, source) || is_allowed(source, banned.token)) {
        continue;
      }
      for (const std::size_t at : find_word(source.code(), banned.token)) {
        if (!is_ported_name(source, at)) {
          problems.push_back({source.path(), source.line_of(at),
                              std::string(banned.token) + ": " + std::string(banned.instead)});
        }
      }
    }
    if (is_simulated(source)) {
      report_pointer_keys(source, problems);
    }
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

Problems check_texts(const Tree& tree) {
  // Put together here, so that this file does not report itself.
  static const std::array<std::string, 4> unfinished{
      std::string("TO") + "DO", std::string("FIX") + "ME", std::string("XX") + "X",
      std::string("HA") + "CK"};
  static const std::array<std::string, 4> places{
      std::string("/wo") + "rk/", std::string("/ho") + "me/", std::string("/ro") + "ot/",
      std::string("/fa") + "rm/"};
  Problems problems;
  for (const Source& source : tree) {
    for (const std::string& word : unfinished) {
      for (const std::size_t at : find_word(source.text(), word)) {
        problems.push_back({source.path(), source.line_of(at), word + ": do it, or leave it out"});
      }
    }
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
