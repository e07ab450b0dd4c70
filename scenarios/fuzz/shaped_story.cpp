#include <fmt/format.h>

#include <array>
#include <string>
#include <utility>

#include "scenarios/fuzz/story_draft.hpp"
#include "scenarios/fuzz/story_generator.hpp"
#include "sim/story/client_kinds.hpp"

namespace watchlab::scenarios {
namespace {

using std::chrono::milliseconds;
using std::chrono::minutes;
using std::chrono::seconds;

constexpr std::array<const char*, 3> kShapeNames{"apple", "birch", "cedar"};
constexpr std::array<const char*, 3> kShapeNamespaces{"default", "garden", "meadow"};
/// What a server may answer a request with, or send on a stream.
constexpr std::array<const char*, 11> kShapeAnswers{
    "refused", "reset",       "eof",     "too_many",       "internal",    "expired",
    "gone",    "unavailable", "timeout", "server_timeout", "too_large_rv"};
constexpr std::array<const char*, 4> kShapeStreamAnswers{"expired", "too_many", "internal",
                                                         "unavailable"};
constexpr runtime::Duration kShapePeriod = milliseconds(2'000);

/// A story of one of eleven shapes, each about one thing that the other generators rarely come to.
class Shape : private StoryDraft {
 public:
  static constexpr std::size_t kCount = 11;

  explicit Shape(std::uint64_t seed) : StoryDraft("shape", seed), shape_(seed % kCount) {}

  Scenario generate() {
    for (const char* each : {kShapeNamespaces[1], kShapeNamespaces[2]}) {
      scenario_.server.namespaces.emplace_back(each);
    }
    for (std::uint32_t i = numbers_.below(4); i > 0; --i) {
      add_object(fmt::format("default/{}", kShapeNames.at(i - 1)));
    }
    (this->*kShapes.at(shape_))();
    Step last;
    last.after = up_to(3'000);
    add_last(std::move(last));
    return finished();
  }

 private:
  using Draw = void (Shape::*)();
  static const std::array<Draw, kCount> kShapes;

  void add_labels(sim::ObjectSketch& object) override {
    object.labels["colour"] = one_in(2) ? "red" : "blue";
  }

  bool deletes() override { return one_in(2); }

  sim::StoryClientOptions& draw_client(std::uint32_t slowest = 400) {
    constexpr std::array<sim::ClientKind, 6> kinds{
        sim::ClientKind::Informer, sim::ClientKind::Informer, sim::ClientKind::Shared,
        sim::ClientKind::Program,  sim::ClientKind::Fifo,     sim::ClientKind::Store};
    sim::StoryClientOptions client{.name = "one", .kind = pick(kinds)};
    const runtime::Duration takes = one_in(2) ? up_to(slowest) : runtime::Duration::zero();
    if (traits_of(client.kind).handlers == sim::HandlerCount::None) {
      client.pause = takes;
    } else {
      client.handlers.push_back({.name = "handler", .takes = takes});
    }
    add_client(std::move(client));
    return scenario_.clients.back();
  }

  /// A shared informer with so many handlers, which are there from the start or come later.
  sim::StoryClientOptions& draw_shared(std::uint32_t handlers, bool late) {
    sim::StoryClientOptions client{
        .name = "one", .kind = sim::ClientKind::Shared, .resync = kShapePeriod};
    for (std::uint32_t i = 0; i < handlers; ++i) {
      add_handler(client, {.name = fmt::format("handler{}", i),
                           .takes = one_in(3) ? up_to(200) : runtime::Duration::zero(),
                           .starts_later = late && i > 0});
    }
    add_client(std::move(client));
    return scenario_.clients.back();
  }

  Action write_to_any() {
    const char* const name = pick(kShapeNames);
    return write(fmt::format("{}/{}", one_in(3) ? pick(kShapeNamespaces) : "default", name));
  }

  Step draw_writes(std::uint32_t span, std::uint32_t most) {
    Step step;
    step.after = up_to(span);
    for (std::uint32_t i = 1 + numbers_.below(most); i > 0; --i) {
      step.actions.push_back(write_to_any());
    }
    return step;
  }

  /// Adds a step for which perhaps nothing was drawn; a step has at least one action.
  void add_with_work(Step step) {
    if (step.actions.empty()) {
      step.actions.push_back(write_to_any());
    }
    add(std::move(step));
  }

  void add_writes(std::uint32_t steps, std::uint32_t span, std::uint32_t most) {
    for (std::uint32_t i = 0; i < steps; ++i) {
      add(draw_writes(span, most));
    }
  }

  Action lasting(sim::FaultSketch sketch) {
    sketch.as = fmt::format("fault_{}", lasting_.size());
    lasting_.push_back(sketch.as);
    return FaultAction{std::move(sketch)};
  }

  void draw_long_history() {
    draw_client();
    for (std::uint32_t i = 20 + numbers_.below(30); i > 0; --i) {
      Step step = draw_writes(1'500, 4);
      if (one_in(2)) {
        step.actions.push_back(expire_streams());
      }
      add(std::move(step));
    }
  }

  /// One name comes and goes in three namespaces, of which a client may see only one.
  void draw_recreation() {
    sim::StoryClientOptions& client = draw_client(2'000);
    client.namespace_ = one_in(3) ? pick(kShapeNamespaces) : "";
    for (std::uint32_t i = 10 + numbers_.below(15); i > 0; --i) {
      Step step;
      step.after = up_to(one_in(3) ? 2'000 : 4);
      step.actions.push_back(write(fmt::format("{}/apple", pick(kShapeNamespaces))));
      if (one_in(6)) {
        step.actions.push_back(expire_streams());
      }
      add(std::move(step));
    }
  }

  void draw_selector() {
    draw_client().label_selector = one_in(2) ? "colour=red" : "colour!=red";
    for (std::uint32_t i = 8 + numbers_.below(12); i > 0; --i) {
      Step step = draw_writes(900, 5);
      if (one_in(4)) {
        step.actions.push_back(expire_streams());
      }
      add(std::move(step));
    }
  }

  /// Handlers come and go about the moments at which a resync falls due.
  void draw_handlers_at_resync() {
    draw_shared(4, true);
    for (std::uint32_t i = 6 + numbers_.below(6); i > 0; --i) {
      Step step;
      step.after = kShapePeriod - milliseconds(3) + up_to(6);
      if (one_in(2)) {
        step.actions.push_back(write_to_any());
      }
      if (!outside_.empty() && one_in(2)) {
        join(step);
      } else if (!inside_.empty()) {
        leave(step);
      }
      add_with_work(std::move(step));
    }
  }

  void draw_three_periods() {
    sim::StoryClientOptions& client = draw_shared(3, false);
    client.handlers[1].resync = kShapePeriod + up_to(3'000);
    // Not more often than nine calls take, or what is queued never ends.
    client.handlers[2].resync = one_in(3) ? runtime::Duration::zero() : kShapePeriod + up_to(7'000);
    for (std::uint32_t i = 5 + numbers_.below(5); i > 0; --i) {
      add(draw_writes(6'000, 3));
    }
  }

  /// The second page of a list is refused as too old.
  void draw_pages() {
    constexpr std::int64_t kMoreThanAPage = 501;
    constexpr std::int64_t kMoreThanTwoBatches = 2'001;
    scenario_.server.bulk_objects =
        one_in(4) ? kMoreThanTwoBatches + numbers_.below(5) : kMoreThanAPage + numbers_.below(600);
    draw_client(1);
    Step step;
    step.actions.push_back(lasting({.name = "fail_list",
                                    .times = 1 + numbers_.below(2),
                                    .skip = numbers_.below(3),
                                    .parameters = {{"answer", std::string("expired")}}}));
    add(std::move(step));
    for (std::uint32_t i = 2 + numbers_.below(3); i > 0; --i) {
      Step later = draw_writes(3'000, 2);
      later.actions.push_back(expire_streams());
      add(std::move(later));
    }
  }

  void draw_reasons() {
    draw_client();
    for (std::uint32_t i = 6 + numbers_.below(8); i > 0; --i) {
      Step step = draw_writes(4'000, 2);
      if (one_in(2)) {
        step.actions.push_back(
            lasting({.name = "fail_stream",
                     .times = 1 + numbers_.below(3),
                     .parameters = {{"answer", std::string(pick(kShapeStreamAnswers))}}}));
      } else {
        sim::FaultSketch fails{.name = one_in(2) ? "fail_watch" : "fail_list",
                               .times = 1 + numbers_.below(3),
                               .parameters = {{"answer", std::string(pick(kShapeAnswers))}}};
        if (one_in(2)) {
          fails.parameters["retry_after"] = std::int64_t{1} + numbers_.below(5);
        }
        step.actions.push_back(lasting(std::move(fails)));
        step.actions.emplace_back(FaultAction{{.name = one_in(2) ? "close_watch" : "cut_watch"}});
      }
      add(std::move(step));
    }
  }

  /// For minutes there is nothing but bookmarks; then the window moves on, or a watch ends.
  void draw_bookmarks() {
    draw_client();
    for (std::uint32_t i = 2 + numbers_.below(4); i > 0; --i) {
      Step step;
      step.after = minutes(1 + numbers_.below(9)) + up_to(60'000);
      if (one_in(2)) {
        step.actions.emplace_back(FaultAction{{.name = "cut_watch"}});
      }
      if (one_in(2)) {
        step.actions.emplace_back(FaultAction{{.name = "evict_watch_window"}});
      }
      if (one_in(2)) {
        step.actions.push_back(write_to_any());
      }
      add_with_work(std::move(step));
    }
  }

  /// Watches end a second after they began, or a moment before or after that.
  void draw_one_second() {
    draw_client();
    Step step;
    step.actions.push_back(lasting(
        {.name = one_in(2) ? "close_watch" : "cut_watch",
         .times = 3 + numbers_.below(6),
         .parameters = {{"new_streams", true},
                        {"after", runtime::Duration(seconds(1) - milliseconds(3) + up_to(5))}}}));
    add(std::move(step));
    add_writes(numbers_.below(4), 4'000, 2);
  }

  /// A handler is so slow that lists and resyncs come while lists before them are still queued,
  /// where locks are handed over.
  void draw_backlog() {
    const auto any = [this] {
      const char* const space = pick(kShapeNamespaces);
      return fmt::format("{}/{}", space, pick(kShapeNames));
    };
    for (const char* space : {kShapeNamespaces[1], kShapeNamespaces[2]}) {
      for (const char* name : kShapeNames) {
        add_object(fmt::format("{}/{}", space, name));
      }
    }
    sim::StoryClientOptions client{.name = "one", .kind = sim::ClientKind::Informer};
    client.handlers.push_back({.name = "handler", .takes = milliseconds(1'500) + up_to(2'500)});
    if (one_in(2)) {
      client.resync = seconds(50) + up_to(30'000);
    }
    add_client(std::move(client));
    for (std::uint32_t i = 6 + numbers_.below(8); i > 0; --i) {
      Step step;
      step.after = up_to(12'000);
      for (std::uint32_t more = 1 + numbers_.below(4); more > 0; --more) {
        step.actions.push_back(write(any()));
      }
      if (!one_in(3)) {
        step.actions.push_back(expire_streams());
      }
      add(std::move(step));
    }
  }

  /// The client is asked to end while much is on its way.
  void draw_stop() {
    draw_client(1'500);
    add_writes(1 + numbers_.below(4), 600, 5);
    Step step = draw_writes(300, 5);
    if (one_in(3)) {
      step.actions.push_back(
          one_in(2) ? expire_streams()
                    : lasting({.name = one_in(2) ? "refuse_connections" : "hang_requests"}));
      step.actions.emplace_back(FaultAction{{.name = "cut_watch"}});
    }
    add(std::move(step));
    Step stop;
    stop.after = up_to(one_in(2) ? 6 : 4'000);
    stop.actions.emplace_back(StopAction{"one"});
    add(std::move(stop));
  }

  const std::size_t shape_;
};

const std::array<Shape::Draw, Shape::kCount> Shape::kShapes{
    &Shape::draw_long_history,  &Shape::draw_recreation,
    &Shape::draw_selector,      &Shape::draw_handlers_at_resync,
    &Shape::draw_three_periods, &Shape::draw_pages,
    &Shape::draw_reasons,       &Shape::draw_bookmarks,
    &Shape::draw_one_second,    &Shape::draw_stop,
    &Shape::draw_backlog};

}  // namespace

bool locks_are_handed_over(std::uint64_t seed) {
  return seed % Shape::kCount == Shape::kCount - 1 && seed / Shape::kCount % 2 == 1;
}

Scenario drawn_shape(std::uint64_t seed) { return Shape(seed).generate(); }

}  // namespace watchlab::scenarios
