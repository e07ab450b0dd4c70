// The functions of the library under test, as the tests call them.
#include "exercises/08t-reflector-tests/remote.hpp"

#include <utility>

namespace watchlab::exercise {
namespace {

class ReflectorElsewhere final : public Reflector {
 public:
  ReflectorElsewhere(runtime::Runtime& runtime, std::unique_ptr<ServedReflector> served)
      : runtime_(runtime), served_(std::move(served)) {}

  void run(const runtime::StopToken& stop) override { served_->run_until(stop.done(runtime_)); }

 private:
  runtime::Runtime& runtime_;
  std::unique_ptr<ServedReflector> served_;
};

}  // namespace

std::unique_ptr<Reflector> make_reflector(runtime::Runtime& runtime,
                                          std::shared_ptr<cache::ListerWatcher> source,
                                          Mirror& mirror) {
  return std::make_unique<ReflectorElsewhere>(
      runtime, course::call_library<&serve_reflector, LibraryFunctions>(runtime, source, mirror));
}

}  // namespace watchlab::exercise
