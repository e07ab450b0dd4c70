#include <utility>

#include "core/runtime/task.hpp"
#include "sim/sketches/sketch.hpp"
#include "sim/story/client.hpp"

namespace watchlab::sim {
namespace {

class SketchClient : public Client {
 public:
  SketchClient(std::shared_ptr<StoryStage> stage, const StoryClientOptions& options)
      : stage_(std::move(stage)), name_(options.name) {
    for (const Sketch& sketch : sketch_catalogue()) {
      if (sketch.name == options.sketch) {
        sketch_ = sketch;
      }
    }
  }

  void start() override {
    runtime::Runtime& runtime = stage_->runtime;
    playing_ = runtime::spawn(runtime, name_, [&runtime, play = sketch_.play] { play(runtime); });
  }
  void stop() override {}  // it ends by itself
  void join() override {
    if (playing_.valid()) {
      playing_.join();
    }
  }
  bool has_synced() override { return true; }
  std::vector<api::ObjectPtr> stored() override { return {}; }

 private:
  std::shared_ptr<StoryStage> stage_;
  std::string name_;
  Sketch sketch_{.name = "", .doc = "", .play = [](runtime::Runtime&) {}};
  runtime::Task playing_;
};

}  // namespace

std::shared_ptr<Client> make_sketch_client(std::shared_ptr<StoryStage> stage,
                                           const StoryClientOptions& options) {
  return std::make_shared<SketchClient>(std::move(stage), options);
}

}  // namespace watchlab::sim
