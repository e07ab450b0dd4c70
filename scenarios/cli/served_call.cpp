#include "scenarios/cli/served_call.hpp"

#include <fmt/format.h>
#include <sys/resource.h>

#include <csignal>
#include <cstring>
#include <future>
#include <memory>
#include <optional>
#include <utility>

#include "scenarios/cli/command_output.hpp"
#include "scenarios/cli/served_entry.hpp"
#include "scenarios/cli/server_place.hpp"
#include "scenarios/command_line/child_process.hpp"
#include "scenarios/command_line/interrupt.hpp"
#include "scenarios/command_line/terminal.hpp"
#include "scenarios/language/parse.hpp"
#include "scenarios/serve/injected_faults.hpp"
#include "scenarios/serve/kubeconfig.hpp"
#include "scenarios/serve/posted_stories.hpp"
#include "scenarios/serve/served_story.hpp"
#include "scenarios/serve/server_record.hpp"
#include "scenarios/serve/yaml_body.hpp"
#include "sim/http/http_server.hpp"

/// mimalloc's, where that is the allocator.
extern "C" [[gnu::weak]] void mi_collect(bool force) noexcept;

namespace watchlab::scenarios {
namespace {

/// Each connection is a descriptor, and there may be many.
void allow_many_connections() {
  rlimit limit{};
  if (::getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur < limit.rlim_max) {
    limit.rlim_cur = limit.rlim_max;
    (void)::setrlimit(RLIMIT_NOFILE, &limit);
  }
}

/// Gives the system back what threads had that have ended: mimalloc keeps 32 MB of addresses for
/// each, and would keep them for the next. With another allocator there is nothing to do.
void return_memory() {
  if (mi_collect != nullptr) {
    mi_collect(true);
  }
}

/// What a server without a story and a command says at its end, whenever that is asked for.
void remark_served(std::uint64_t requests, double seconds, Console& console) {
  console.remark(fmt::format("stopped: answered {} request{} in {:.1f} s", requests,
                             requests == 1 ? "" : "s", seconds));
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
                 .stories = std::make_shared<PostedStories>(place, token_of(arguments),
                                                            arguments_.tasks_max, return_memory)}));
    places_.push_back(
        {.server = server_.url(), .authority = server_.authority(), .token = token_of(arguments)});
    if (story_) {
      story_->open_ports(server_);
      for (const ClientEndpoint& each : story_->places(server_)) {
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
    for (const std::string& remark :
         story_ ? remarks_on(story_->scenario()) : std::vector<std::string>()) {
      console.report_error(remark);
    }
    if (!arguments_.command.empty()) {
      start_command(kubeconfig.path());
    }
    if (story_) {
      story_->begin([this] { end_with_story(); });
    }
    if (!passes_signals_on()) {
      look_for_stop();
    } else if (Interrupt::requested()) {  // before the server took the signals
      server_.post([this] { on_signal(Interrupt::signal()); });
    }
    const Stopwatch watch;
    server_.run();
    if (!story_ && arguments_.command.empty()) {
      remark_served(front_.answered(), watch.seconds(), console);
    }
    if (stopped_) {
      return end_stopped(report, console);
    }
    int status = ended_by_us_ ? kExitHeld : child_status_.value_or(kExitHeld);
    if (story_) {
      const StoryVerdict verdict = story_->finish();
      const ReportEntry entry = entry_of(arguments_, story_->scenario(), verdict,
                                         command_end(verdict.held()), front_.refusals());
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
  [[nodiscard]] bool passes_signals_on() const { return !story_ && !arguments_.command.empty(); }

  /// Those that `Interrupt` does not take for all of the call. Who runs it behind nohup has the one
  /// ignored that says that the terminal is gone.
  [[nodiscard]] std::vector<int> heeded_signals() const {
    if (!passes_signals_on()) {
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

  /// A signal has come: command and story end, and nothing is known of a story with a command
  /// unless it was over. One without a command is judged by what has come until then.
  void stop() {
    if (std::exchange(had_signal_, true)) {
      return;
    }
    if (!must_end_command()) {
      end_of_clients({});
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
                .command = line_to_serve(arguments_, scenario),
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
    options.is_tls = arguments_.tls;
    options.json_from_yaml = json_from_yaml;
    options.store_max = arguments_.store_max << 20;
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
    // The command's last writes may still be on their way to the story's own clients.
    end_of_clients(signal == SIGCHLD && !stopped_ ? kLastWrites : runtime::Duration());
  }

  void end_of_clients(runtime::Duration last_writes) {
    if (!story_ || story_over_) {
      server_.stop();
    } else {
      story_->end_of_outside(last_writes);
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
  /// For a command that a signal ends with its story, and how often one is looked for.
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

}  // namespace

Served serve_with(const ServeArguments& arguments, const Scenario* scenario, Report& report,
                  Console& console) {
  const sim::HttpServerOptions place = checked_place(arguments);
  if (Interrupt::requested()) {
    if (scenario == nullptr && arguments.command.empty()) {
      remark_served(0, 0, console);
      return {};
    }
    return {.status = kExitInterrupted, .has_not_begun = true};
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

}  // namespace watchlab::scenarios
