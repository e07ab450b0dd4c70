#include "scenarios/cli/serving.hpp"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <future>
#include <iterator>
#include <memory>
#include <optional>
#include <stdexcept>
#include <utility>

#include "scenarios/cli/command_output.hpp"
#include "scenarios/cli/commands.hpp"
#include "scenarios/cli/pasted_line.hpp"
#include "scenarios/cli/report.hpp"
#include "scenarios/cli/scenario_command.hpp"
#include "scenarios/command_line/child_process.hpp"
#include "scenarios/command_line/interrupt.hpp"
#include "scenarios/command_line/output_file.hpp"
#include "scenarios/command_line/terminal.hpp"
#include "scenarios/serve/fault_desk.hpp"
#include "scenarios/serve/kubeconfig.hpp"
#include "scenarios/serve/served_story.hpp"
#include "scenarios/serve/server_record.hpp"
#include "scenarios/serve/story_desk.hpp"
#include "sim/http/http_server.hpp"
#include "sim/story/client.hpp"

/// mimalloc's, where that is the allocator.
extern "C" [[gnu::weak]] void mi_collect(bool force) noexcept;

namespace watchlab::scenarios {
namespace {

/// "ADDRESS:PORT", ":PORT", "PORT" or "[ADDRESS]:PORT". Throws `std::invalid_argument`.
sim::HttpServerOptions place_of(const std::string& listen) {
  sim::HttpServerOptions place;
  const std::size_t colon = listen.rfind(':');
  std::string address = colon == std::string::npos ? "" : listen.substr(0, colon);
  const std::string port = colon == std::string::npos ? listen : listen.substr(colon + 1);
  if (address.starts_with('[') && address.ends_with(']')) {
    address = address.substr(1, address.size() - 2);
  }
  if (!address.empty() && address != "localhost") {
    place.address = address;
  }
  in6_addr ignored{};
  const bool is_address = ::inet_pton(AF_INET, place.address.c_str(), &ignored) == 1 ||
                          ::inet_pton(AF_INET6, place.address.c_str(), &ignored) == 1;
  const char* const last = port.data() + port.size();
  const auto [end, failure] = std::from_chars(port.data(), last, place.port);
  if (!is_address || port.empty() || failure != std::errc() || end != last) {
    throw std::invalid_argument(
        fmt::format("--listen {}: expected ADDRESS:PORT, as 127.0.0.1:8001", listen));
  }
  return place;
}

bool is_loopback(const std::string& address) {
  return address.starts_with("127.") || address == "::1";
}

/// What clients must show; "" for nothing. Throws `std::invalid_argument` for what no client can
/// show in a header.
std::string token_of(const ServeArguments& arguments) {
  const std::string token = arguments.token.value_or("");
  const auto is_sign = [](char c) { return std::isgraph(static_cast<unsigned char>(c)) != 0; };
  if (arguments.token && (token.empty() || !std::ranges::all_of(token, is_sign))) {
    throw std::invalid_argument(
        fmt::format("--token '{}': expected letters, digits and signs, without spaces", token));
  }
  return token;
}

/// Each connection is a descriptor, and there may be many.
void allow_many_connections() {
  rlimit limit{};
  if (::getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur < limit.rlim_max) {
    limit.rlim_cur = limit.rlim_max;
    (void)::setrlimit(RLIMIT_NOFILE, &limit);
  }
}

/// The file that a command finds its server by: the one that was asked for, or a private one that
/// goes with this. Throws `std::runtime_error` when it cannot be written.
class Kubeconfig {
 public:
  Kubeconfig(const ServeArguments& arguments, const ServerAccess& access,
             const std::vector<ServerAccess>& others)
      : Kubeconfig() {  // so that the folder goes also where this throws
    path_ = arguments.kubeconfig;
    if (path_.empty() && arguments.command.empty()) {
      return;
    }
    if (path_.empty()) {
      folder_ = make_temporary_folder("watchlab");
      path_ = folder_ + "/kubeconfig";
    }
    path_ = std::filesystem::absolute(path_).string();
    if (const std::string wrong = write_private_file(path_, kubeconfig_text(access, others));
        !wrong.empty()) {
      throw std::runtime_error(wrong);
    }
  }
  Kubeconfig(const Kubeconfig&) = delete;
  Kubeconfig& operator=(const Kubeconfig&) = delete;
  ~Kubeconfig() {
    std::error_code ignored;
    if (!folder_.empty()) {
      std::filesystem::remove_all(folder_, ignored);
    }
  }
  /// "" when there is none.
  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  Kubeconfig() = default;

  std::string path_;
  std::string folder_;
};

/// False when the URL could not be printed, so that no client could find the server.
bool announce(const ServeArguments& arguments, const std::vector<ServerAccess>& places,
              const Kubeconfig& kubeconfig, Console& console) {
  if (!arguments.command.empty()) {
    return true;  // the output is that of the command
  }
  const std::string& url = places.front().server;
  console.line(fmt::format("serving {}", url));
  if (kubeconfig.path().empty() && arguments.tls) {
    console.line("clients find its certificate in the file that --kubeconfig FILE writes");
  } else if (!kubeconfig.path().empty() || !arguments.token) {
    console.line(kubeconfig.path().empty()
                     ? fmt::format("kubectl --server {} get namespaces", url)
                     : "export KUBECONFIG=" + word_for_shell(kubeconfig.path()));
  }
  if (arguments.token && !arguments.tls) {
    console.line("kubectl sends no token over plain HTTP: it needs --tls");
  }
  for (std::size_t i = 1; i < places.size(); ++i) {
    console.line(fmt::format("client {}: {}", places[i].name, places[i].server));
  }
  return flush_standard_output().empty();
}

/// How a command ended that was to go on, or that failed.
struct CommandEnd {
  std::string sentence;    ///< "" when there is nothing to say of it
  std::string last_lines;  ///< that it printed; "" for none

  /// What the sentence of an entry begins with.
  [[nodiscard]] std::string text() const {
    return sentence.empty() || last_lines.empty() ? sentence : sentence + "\n" + last_lines;
  }
};

/// The options that decide what a client meets, and its command.
std::string options_again(const ServeArguments& arguments) {
  std::vector<std::string> words;
  const auto add = [&words](bool is_given, const char* option, const std::string& value) {
    if (is_given) {
      words.insert(words.end(), {option, value});
    }
  };
  add(arguments.listen != ServeArguments().listen, "--listen", arguments.listen);
  add(arguments.token.has_value(), "--token", arguments.token.value_or(""));
  add(!arguments.kubeconfig.empty(), "--kubeconfig", arguments.kubeconfig);
  add(!arguments.controllers.empty(), "--controllers", arguments.controllers);
  add(arguments.after != ServeArguments().after, "--after",
      fmt::format("{}ms",
                  std::chrono::duration_cast<std::chrono::milliseconds>(arguments.after).count()));
  if (arguments.tls) {
    words.emplace_back("--tls");
  }
  if (!arguments.command.empty()) {
    words.emplace_back("--");
    words.insert(words.end(), arguments.command.begin(), arguments.command.end());
  }
  return words.empty() ? "" : for_shell(words).substr(1);
}

/// What a story's failure says, with what the server has seen and the line that plays it again.
ReportEntry entry_of(const ServeArguments& arguments, const Scenario& scenario,
                     const StoryVerdict& verdict, const CommandEnd& command) {
  ReportEntry entry{.name = display_name(scenario.path),
                    .path = scenario.path,
                    .held = verdict.held(),
                    .seconds = verdict.seconds,
                    .unfired_faults = verdict.unfired_faults};
  entry.command = line_to_paste("serve", scenario, options_again(arguments));
  entry.held = entry.held && command.sentence.empty();
  if (entry.held) {
    return entry;
  }
  entry.kind = verdict.is_mistake ? "mistake" : command.sentence.empty() ? "violation" : "command";
  entry.sentence = command.text();
  if (!verdict.held()) {
    entry.sentence += (entry.sentence.empty() ? "" : "\n") + verdict.broken;
  }
  entry.sentence += verdict.seen.empty()
                        ? "\nthe server has seen no request"
                        : fmt::format("\nthe last requests that the server has seen:\n  {}",
                                      fmt::join(verdict.seen, "\n  "));
  return entry;
}

/// Prints what came of the story, and returns the status for that.
int report_story(const ServeArguments& arguments, const StoryVerdict& verdict,
                 const ReportEntry& entry, Console& console) {
  if (!entry.held) {
    // How the command ended explains the rest, so it is what one reads first.
    const std::string between = entry.kind == "command" ? ": " : "\n" + entry.kind + ": ";
    console.report_error(fmt::format("{}  {}{}{}\nplay it again: {}", console.bad("FAIL"),
                                     entry.name, between, entry.sentence, entry.command));
  } else if (arguments.command.empty()) {
    console.note(fmt::format("{}  {}", console.good("ok"), entry.name));
  } else if (!arguments.common.quiet && !arguments.common.json) {
    // Standard output is that of the command.
    console.report_error(fmt::format("{}  {}", console.good("ok"), entry.name));
  }
  if (!arguments.common.quiet) {
    for (const std::string& fault : verdict.unfired_faults) {
      console.report_error(fault);
    }
  }
  return verdict.is_mistake ? kExitUsage : entry.held ? kExitHeld : kExitFound;
}

/// Gives the system back what threads had that have ended: mimalloc keeps 32 MB of addresses for
/// each, and would keep them for the next. With another allocator there is nothing to do.
void return_memory() {
  if (mi_collect != nullptr) {
    mi_collect(true);
  }
}

/// The controllers that the command line names. Throws `std::invalid_argument` for others.
std::vector<std::string> chosen_controllers(const std::string& text) {
  const std::vector<std::string> known = sim::controller_names();
  if (text.empty() || text == "all") {
    return known;
  }
  std::vector<std::string> chosen;
  std::string_view rest = text == "none" ? std::string_view() : std::string_view(text);
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find(','), rest.size());
    const std::string name(rest.substr(0, end));
    rest.remove_prefix(std::min(end + 1, rest.size()));
    if (std::ranges::find(known, name) == known.end()) {
      throw std::invalid_argument(
          describe("--controllers", {{},
                                     fmt::format("there is no controller '{}'", name),
                                     fmt::format("all, none, or some of {}", fmt::join(known, ",")),
                                     nearest_name(name, known)}));
    }
    chosen.push_back(name);
  }
  return chosen;
}

/// What the parts of `serve` have in common, and how it comes to its end: with its command, or with
/// its story, or by a signal.
class Serving {
 public:
  Serving(const ServeArguments& arguments, const sim::HttpServerOptions& place,
          std::shared_ptr<RecordWriter> record, std::unique_ptr<ServedStory> story)
      : arguments_(arguments),
        record_(std::move(record)),
        story_(std::move(story)),
        front_(front_options()),
        server_(front_, place) {
    if (record_) {
      record_->use_clock(front_.host()->runtime());
    }
    front_.add_pages(control_pages(
        front_, {.story = story_.get(),
                 .desk = std::make_shared<StoryDesk>(place, token_of(arguments),
                                                     arguments_.tasks_max, return_memory)}));
    places_.push_back(
        {.server = server_.url(), .authority = server_.authority(), .token = token_of(arguments)});
    if (story_) {
      story_->open_ports(server_);
      for (const ClientPlace& each : story_->places(server_)) {
        places_.push_back({.server = each.url,
                           .authority = server_.authority(),
                           .token = each.token,
                           .name = each.name});
      }
    }
  }
  Serving(const Serving&) = delete;
  Serving& operator=(const Serving&) = delete;
  /// The story's tasks use the server until they have ended, and the front its runtime.
  ~Serving() {
    if (story_) {
      story_->leave();
    }
  }
  /// Whether the story asked for something impossible.
  [[nodiscard]] bool was_mistaken() const { return was_mistaken_; }
  /// Whether a signal ended it with its command, before the story was over.
  [[nodiscard]] bool was_stopped() const { return stopped_; }
  int run(Report& report, Console& console) {
    const Kubeconfig kubeconfig(arguments_, places_.front(), {places_.begin() + 1, places_.end()});
    server_.on_signals(heeded_signals(), [this](int signal) { on_signal(signal); });
    if (!announce(arguments_, places_, kubeconfig, console)) {
      return kExitFound;
    }
    if (!arguments_.command.empty()) {
      start_command(kubeconfig.path());
    }
    if (story_) {
      story_->begin([this] { end_with_story(); });
    }
    if (must_end_command()) {
      look_for_stop();
    } else if (Interrupt::requested()) {  // before the server took the signals
      server_.post([this] { on_signal(Interrupt::signal()); });
    }
    server_.run();
    if (stopped_) {
      return end_stopped(report, console);
    }
    int status = ended_by_us_ ? kExitHeld : child_status_.value_or(kExitHeld);
    if (story_) {
      const StoryVerdict verdict = story_->finish();
      const ReportEntry entry =
          entry_of(arguments_, story_->scenario(), verdict, command_end(verdict.held()));
      report.add(entry);
      was_mistaken_ = verdict.is_mistake;
      const int of_story = report_story(arguments_, verdict, entry, console);
      status = status != kExitHeld ? status : of_story;
    } else if (child_ && child_->ended_by() != 0 && passed_on_ == 0) {
      console.report_error(command_end(true).sentence);  // it has said nothing itself
    }
    const bool lost_record = record_ && record_->failed();
    return status == kExitHeld && lost_record ? kExitFound : status;
  }

 private:
  /// A command whose story a signal ends is ended with it; one without a story decides for itself.
  [[nodiscard]] bool must_end_command() const { return story_ && !arguments_.command.empty(); }

  /// Those that `Interrupt` does not take for all of the call. Who runs it behind nohup has the one
  /// ignored that says that the terminal is gone.
  [[nodiscard]] std::vector<int> heeded_signals() const {
    if (must_end_command()) {
      return {SIGCHLD};
    }
    struct sigaction hangup {};
    (void)::sigaction(SIGHUP, nullptr, &hangup);
    return hangup.sa_handler == SIG_IGN ? std::vector<int>{SIGINT, SIGTERM, SIGCHLD}
                                        : std::vector<int>{SIGINT, SIGTERM, SIGHUP, SIGCHLD};
  }

  void look_for_stop() {
    if (Interrupt::requested()) {
      stop();
    } else {
      server_.after(kLookForStop, [this] { look_for_stop(); });
    }
  }

  /// A signal has come: command and story end, and nothing is known of the story unless it was
  /// over.
  void stop() {
    if (std::exchange(had_signal_, true)) {
      return;
    }
    stopped_ = !story_over_;
    if (child_ && !child_status_) {
      child_->signal(SIGTERM);
      server_.after(kStopGrace, [this] { child_->signal(SIGKILL); });
    }
    story_->end_of_outside({});
  }

  int end_stopped(Report& report, Console& console) {
    // What was killed had its time, and so had the rest of its group.
    child_->end(child_->ended_by() == SIGKILL ? std::chrono::seconds(0) : kStopGrace);
    const StoryVerdict verdict = story_->finish();
    const Scenario& scenario = story_->scenario();
    report.add({.name = display_name(scenario.path),
                .path = scenario.path,
                .held = false,
                .kind = ReportEntry::kStopped,
                .sentence = fmt::format("a signal came after {:.1f} s, before the story was over",
                                        verdict.seconds),
                .command = line_to_paste("serve", scenario, options_again(arguments_)),
                .seconds = verdict.seconds});
    console.report_error(fmt::format("stopped  {}", display_name(scenario.path)));
    return kExitInterrupted;
  }

  void start_command(const std::string& kubeconfig) {
    if (story_) {
      output_.emplace();
    }
    watch_.emplace();
    child_.emplace(
        arguments_.command,
        ChildProcess::Variables{{"KUBECONFIG", kubeconfig}, {"WATCHLAB_URL", server_.url()}},
        output_ ? std::optional(output_->outputs()) : std::nullopt);
    if (output_) {
      output_->begin();
    }
  }

  /// Says something of a command that ended by itself, when it failed or the story did. One that
  /// is a test suite ends before its story.
  CommandEnd command_end(bool story_held) {
    const int signal = child_ ? child_->ended_by() : 0;
    const int status = child_status_.value_or(kExitHeld);
    const bool was_first = !story_held && story_->scenario().until.kind != Ending::Kind::Quiet;
    if (!child_status_ || ended_by_us_ || passed_on_ != 0 || (status == 0 && !was_first)) {
      return {};
    }
    return {.sentence = signal != 0
                            ? fmt::format("the command '{}' was ended by signal {} ({})",
                                          arguments_.command.front(), signal, ::strsignal(signal))
                            : fmt::format("the command ended with status {} after {:.1f} s", status,
                                          command_seconds_),
            .last_lines = output_ ? output_->finish() : ""};
  }

  sim::HttpFrontOptions front_options() {
    sim::HttpFrontOptions options = story_ ? story_->front_options() : sim::HttpFrontOptions();
    options.token = token_of(arguments_);
    options.is_local = options.token.empty();
    options.json_from_yaml = json_from_yaml;
    options.observer = record_;
    options.controllers = {.names = chosen_controllers(arguments_.controllers),
                           .settings = {.pods_after = arguments_.after}};
    return options;
  }

  void on_signal(int signal) {
    if (must_end_command() && Interrupt::requested()) {
      stop();  // it came to the command as well, which is over first
    }
    if (signal != SIGCHLD && child_ && !child_status_) {
      passed_on_ = signal;
      child_->signal(signal);  // the command decides; its end is ours
      return;
    }
    const bool had_ended = child_status_.has_value();
    child_status_ = child_ ? child_->ended() : std::nullopt;
    if (signal == SIGCHLD && (!child_status_ || had_ended)) {
      return;
    }
    if (signal == SIGCHLD) {
      command_seconds_ = watch_->seconds();
      child_over_.set_value();
    }
    if (!story_ || story_over_) {
      server_.stop();
    } else {
      // The command's last writes may still be on their way to the story's own clients.
      story_->end_of_outside(signal == SIGCHLD && !stopped_ ? kLastWrites : runtime::Duration());
    }
  }

  /// Called by the story's task. A controller does not end by itself: it is asked to, and is killed
  /// if it does not.
  void end_with_story() {
    server_.post([this] {
      story_over_ = true;
      if (!child_ || child_status_) {
        server_.stop();
      } else {
        ended_by_us_ = true;
        child_->signal(SIGTERM);
      }
    });
    if (child_ && child_over_.get_future().wait_for(kGracePeriod) == std::future_status::timeout) {
      server_.post([this] { child_->signal(SIGKILL); });
    }
  }

  static constexpr runtime::Duration kLastWrites = std::chrono::seconds(5);
  /// For a command that a signal ends with its story, and how often is looked for one.
  static constexpr std::chrono::seconds kStopGrace{1};
  static constexpr std::chrono::milliseconds kLookForStop{20};
  /// As long as a kubelet gives a container.
  static constexpr runtime::Duration kGracePeriod = std::chrono::seconds(30);

  const ServeArguments& arguments_;
  std::shared_ptr<RecordWriter> record_;
  std::unique_ptr<ServedStory> story_;
  sim::HttpFront front_;
  sim::HttpServer server_;
  std::vector<ServerAccess> places_;  // the first is for all
  std::optional<CommandOutput> output_;
  std::optional<ChildProcess> child_;
  std::optional<int> child_status_;
  std::optional<Stopwatch> watch_;  // from the command's start
  double command_seconds_ = 0;
  std::promise<void> child_over_;
  bool story_over_ = false;
  bool ended_by_us_ = false;
  bool had_signal_ = false;
  bool stopped_ = false;  // by that, before the story was over
  bool was_mistaken_ = false;
  int passed_on_ = 0;  // a signal that came to us and went on to the command
};

/// What is said before anything is served.
sim::HttpServerOptions checked_place(const ServeArguments& arguments) {
  sim::HttpServerOptions place = place_of(arguments.listen);
  place.tls = arguments.tls;
  const std::string token = token_of(arguments);
  if (!is_loopback(place.address) && token.empty()) {
    throw std::invalid_argument(
        fmt::format("--listen {}: others can reach this address, so --token must say what they "
                    "have to show",
                    arguments.listen));
  }
  (void)chosen_controllers(arguments.controllers);
  return place;
}

struct Served {
  int status = kExitHeld;
  bool is_bad_input = false;  ///< of the story; a command has any status
  bool is_stopped = false;    ///< before its end, by a signal
};

Served serve_with(const ServeArguments& arguments, const Scenario* scenario, Report& report,
                  Console& console) {
  const sim::HttpServerOptions place = checked_place(arguments);
  if (Interrupt::requested()) {
    if (scenario != nullptr) {
      add_stopped(report, *scenario, "a signal came before it was served", console);
    }
    return {.status = kExitInterrupted, .is_stopped = true};
  }
  const std::string token = token_of(arguments);
  allow_many_connections();
  std::shared_ptr<RecordWriter> record;
  if (!arguments.record.empty()) {
    record = std::make_shared<RecordWriter>(
        arguments.record,
        [&console](const std::string& message) { console.report_error(message); });
  }
  std::unique_ptr<ServedStory> story;
  try {
    if (scenario != nullptr) {
      ServedStoryOptions options{
          .token = token, .has_command = !arguments.command.empty(), .observer = record};
      if (!arguments.common.json && !arguments.common.quiet) {
        options.print = [&console](const std::string& line) {
          console.line(line);
          (void)flush_standard_output();
        };
      }
      Scenario played = *scenario;
      if (!arguments.controllers.empty()) {
        played.server.controllers = chosen_controllers(arguments.controllers);
      }
      if (arguments.after != ServeArguments().after) {
        played.server.pods_after = arguments.after;
      }
      story = std::make_unique<ServedStory>(played, std::move(options));
    }
  } catch (const sim::StoryError& mistake) {
    console.report_error(mistake.what());
    report.add(bad_input_entry(scenario->path, mistake.what()));
    return {.status = kExitUsage, .is_bad_input = true};
  } catch (const RefusedBySystem& refusal) {
    console.report_error(refusal.what());
    report.add({.name = display_name(scenario->path),
                .path = scenario->path,
                .held = false,
                .kind = "system",
                .sentence = refusal.what()});
    return {.status = kExitFound};
  }
  Served served;
  {
    Serving serving(arguments, place, std::move(record), std::move(story));
    served.status = serving.run(report, console);
    served.is_bad_input = serving.was_mistaken();
    served.is_stopped = serving.was_stopped();
  }
  note_signals();  // which the server had until its end
  return served;
}

/// The status when the results are written, too.
int after_writing(int status, const Report& report, Console& console) {
  const bool is_written = report.write(console);
  return status == kExitHeld && !is_written ? kExitFound : status;
}

/// The signals that come to a call whose command takes a story each are asked for all the while,
/// and a second one does not leave a command behind that is about to be ended.
constexpr std::chrono::seconds kOneStop{10};

void remark_stopped_serving(Console& console) {
  console.remark("stopped; to continue, from the beginning:\n  " + same_call("serve"));
}

/// Serves one story after the other, each to a command of its own.
int serve_folder(const ServeArguments& arguments, Console& console) {
  if (arguments.command.empty()) {
    throw std::invalid_argument(
        fmt::format("{} is a folder, and each of its stories needs a client; expected -- COMMAND",
                    arguments.story));
  }
  if (!arguments.record.empty()) {
    throw std::invalid_argument("--record and a folder do not go together: it holds one story");
  }
  const std::vector<CatalogueEntry> files = load_served(arguments.story);
  if (files.empty()) {
    throw std::invalid_argument(fmt::format("{}: there is no .yaml file in it", arguments.story));
  }
  Report report(arguments.common, "serve");
  int status = kExitHeld;
  std::size_t served_stories = 0;
  std::size_t stopped_stories = 0;
  for (const CatalogueEntry& file : files) {
    if (Interrupt::requested()) {
      break;
    }
    Served served{.status = kExitUsage, .is_bad_input = true};
    if (!file.parsed.scenario) {
      console.report_error(problem_text(file));
      report.add(bad_input_entry(file.path, problem_text(file)));
    } else {
      try {
        served = serve_with(arguments, &*file.parsed.scenario, report, console);
      } catch (const std::exception& refused) {  // which no other story will escape
        report.add_result(bad_input_entry(file.path, refused.what()));
        add_unplayed(report, files, served_stories + 1);
        (void)report.write(console);
        throw;
      }
    }
    status =
        std::max(status, served.is_bad_input ? kExitUsage : std::min(served.status, kExitFound));
    ++served_stories;
    stopped_stories += served.is_stopped ? 1 : 0;
    if (served_stories < files.size()) {
      console.milestone(fmt::format("{} of {} stories", served_stories, files.size()));
    }
  }
  add_unplayed(report, files, served_stories);
  if (!arguments.common.quiet && !arguments.common.json) {
    const auto counted = [](std::size_t count, std::string_view what) {
      return count > 0 ? fmt::format(", {} {}", count, what) : "";
    };
    console.remark(fmt::format("{} held, {} failed{}{}", report.held(), report.failed(),
                               counted(stopped_stories, "stopped"),
                               counted(report.unplayed() - stopped_stories, "not played")));
  }
  if (Interrupt::requested()) {
    remark_stopped_serving(console);
    status = kExitInterrupted;
  }
  return after_writing(status, report, console);
}

}  // namespace

int serve(const ServeArguments& arguments, Console& console) {
  const Interrupt interrupt(kOneStop);
  if (std::filesystem::is_directory(arguments.story)) {
    return serve_folder(arguments, console);
  }
  Report report(arguments.common, "serve");
  if (arguments.story.empty()) {
    constexpr std::string_view kWhy = "it is about the result of a STORY, and none is named";
    refuse_unused(arguments.common.json, "--json", kWhy);
    refuse_unused(!arguments.common.junit.empty(), "--junit", kWhy);
    refuse_unused(arguments.common.quiet, "--quiet", kWhy);
    const Served served = serve_with(arguments, nullptr, report, console);
    if (served.is_stopped) {
      remark_stopped_serving(console);
    }
    return served.status;
  }
  return with_scenario(report, arguments.story, console, [&](const Scenario& scenario) {
    const Served served = serve_with(arguments, &scenario, report, console);
    const bool ended_command = !arguments.command.empty() && Interrupt::requested();
    if (served.is_stopped || ended_command) {
      remark_stopped_serving(console);
      return after_writing(kExitInterrupted, report, console);
    }
    return after_writing(served.status, report, console);
  });
}

}  // namespace watchlab::scenarios
