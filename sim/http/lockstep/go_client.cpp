#include <fmt/format.h>

#include <stdexcept>
#include <utility>

#include "core/runtime/task.hpp"
#include "sim/http/lockstep/lockstep_partner.hpp"
#include "sim/http/lockstep/partner_process.hpp"
#include "sim/story/client.hpp"
#include "sim/story/lockstep_library.hpp"
#include "sim/story/story.hpp"

namespace watchlab::sim {
namespace {

/// A program that runs outside, on the clock of the story. It lives from a start to its end, to a
/// stop or to a crash, and can be started again then.
class GoClient final : public Client, public std::enable_shared_from_this<GoClient> {
 public:
  GoClient(std::shared_ptr<StoryStage> stage, StoryClientOptions options)
      : stage_(std::move(stage)),
        options_(std::move(options)),
        front_(
            {.host = stage_->host,
             .server = [this] { return replica(); },
             .client_names = [name = options_.name](HttpRequest&, std::uint16_t) { return name; },
             .validates = stage_->validates}) {}

  void start() override {
    auto* const world = dynamic_cast<World*>(&stage_->runtime);
    if (world == nullptr) {
      throw StoryError(
          fmt::format("the client '{}' lives on the clock of the story, which is none in real time",
                      options_.name));
    }
    const std::uint64_t seed = stage_->runtime.seed_for("program of " + options_.name);
    std::unique_ptr<PartnerLink> link = start_program(seed);
    partner_ = std::make_shared<LockstepPartner>(
        *world, front_,
        LockstepOptions{
            .hello = {.client = options_.name,
                      .scenario = stage_->story,
                      .seed = seed,
                      .life = ++lives_,
                      .chosen = options_.chosen},
            .noted =
                [this](const std::string& text) {
                  stage_->runtime.note({"print", options_.name, text});
                  stage_->recorder->noted({.client = options_.name, .text = text});
                },
            .swapped =
                [this](const PartnerSwap& swap) {
                  stage_->runtime.note({"goroutine", options_.name, swap.place, swap.text});
                }});
    // A program that crashed a moment ago has its task until it is gone.
    task_ =
        runtime::spawn(stage_->runtime, options_.name,
                       [self = shared_from_this(), before = std::move(task_), partner = partner_,
                        link = std::make_shared<std::unique_ptr<PartnerLink>>(std::move(link))] {
                         if (before) {
                           before->join();
                         }
                         self->live(*partner, std::move(*link));
                       });
  }
  void stop() override {
    if (partner_) {
      partner_->stop();
    }
  }
  void join() override {
    if (task_) {
      task_->join();
    }
  }
  bool crash() override {
    if (partner_) {
      partner_->crash();
    }
    return partner_ != nullptr;
  }
  bool has_synced() override { return true; }
  std::vector<api::ObjectPtr> stored() override { return {}; }

 private:
  std::unique_ptr<PartnerLink> start_program(std::uint64_t seed) {
    try {
      return std::make_unique<PartnerProcess>(
          PartnerCommand{.words = options_.built.empty() ? options_.run : options_.built,
                         .folder = options_.folder,
                         .seed = seed});
    } catch (const std::exception& refused) {
      throw StoryError(fmt::format("the client '{}': {}", options_.name, refused.what()));
    }
  }

  void live(LockstepPartner& partner, std::unique_ptr<PartnerLink> link) {
    if (partner.run(std::move(link)) == LockstepPartner::End::ByItself) {
      stage_->recorder->ended({.client = options_.name, .cause = EndCause::Done});
    }
  }

  [[nodiscard]] std::size_t replica() const {
    const auto moved = stage_->moved.find(options_.name);
    return moved == stage_->moved.end() ? static_cast<std::size_t>(options_.replica)
                                        : moved->second;
  }

  std::shared_ptr<StoryStage> stage_;
  StoryClientOptions options_;
  HttpFront front_;
  std::int64_t lives_ = 0;
  std::shared_ptr<LockstepPartner> partner_;  // of the life that began last
  std::optional<runtime::Task> task_;
};

}  // namespace
}  // namespace watchlab::sim

/// What a story looks for in this library once it has loaded it.
extern "C" {
extern const watchlab::sim::LockstepLibrary watchlab_lockstep;
const watchlab::sim::LockstepLibrary watchlab_lockstep{
    .make =
        [](std::shared_ptr<watchlab::sim::StoryStage> stage,
           watchlab::sim::StoryClientOptions options) -> std::shared_ptr<watchlab::sim::Client> {
      return std::make_shared<watchlab::sim::GoClient>(std::move(stage), std::move(options));
    }};
}
