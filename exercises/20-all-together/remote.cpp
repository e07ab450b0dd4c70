// The functions of the library under test, as the tests call them.
#include "exercises/20-all-together/remote.hpp"

#include <utility>

namespace watchlab::exercise {
namespace {

class PipelineElsewhere final : public Pipeline {
 public:
  PipelineElsewhere(runtime::Runtime& runtime, std::unique_ptr<ServedPipeline> served)
      : runtime_(runtime), served_(std::move(served)) {}

  void run(const runtime::StopToken& stop) override { served_->run_until(stop.done(runtime_)); }

 private:
  runtime::Runtime& runtime_;
  std::unique_ptr<ServedPipeline> served_;
};

}  // namespace

std::unique_ptr<Pipeline> make_pipeline(runtime::Runtime& runtime,
                                        std::shared_ptr<cache::ListerWatcher> source,
                                        Mirror& mirror, runtime::Duration work) {
  return std::make_unique<PipelineElsewhere>(
      runtime,
      course::call_library<&serve_pipeline, LibraryFunctions>(runtime, source, mirror, work));
}

}  // namespace watchlab::exercise
