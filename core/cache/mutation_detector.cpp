#include "core/cache/mutation_detector.hpp"

#include <iterator>
#include <utility>

#include "core/api/json.hpp"
#include "core/runtime/select.hpp"
#include "core/runtime/timer.hpp"

namespace watchlab::cache {

std::string Mutation::text() const {
  return detector + ": the cached object " + key + " was changed in place: before " +
         api::to_json(before) + ", after " + api::to_json(after);
}

MutationDetector::MutationDetector(runtime::Runtime& runtime, MutationDetectorOptions options)
    : runtime_(runtime),
      options_(std::move(options)),
      adding_(runtime, "mutation_detector/adding"),
      comparing_(runtime, "mutation_detector/comparing"),
      added_(runtime, {}, "mutation_detector") {}

void MutationDetector::add_object(const Item& item) {
  const auto* object = std::get_if<api::ObjectPtr>(&item);
  if (object == nullptr || *object == nullptr) {
    return;
  }
  const runtime::Lock lock(adding_);
  added_.write().push_back({.cached = *object, .copy = **object});
}

void MutationDetector::run(const runtime::StopToken& stop) {
  rotated_at_ = runtime_.now();
  const runtime::Channel<runtime::Unit> stopped = stop.done(runtime_);
  for (;;) {
    if (runtime_.now() - rotated_at_ > options_.retain) {
      rotate();
    }
    compare_objects();
    const runtime::Timer pause(runtime_, options_.period);
    runtime::Select choice(runtime_);
    choice.receive(stopped).receive(pause.channel());
    if (choice.wait() == 0) {
      return;
    }
  }
}

void MutationDetector::rotate() {
  const runtime::Lock lock(comparing_);
  put_aside_ = std::exchange(watched_, {});
  rotated_at_ = runtime_.now();
}

void MutationDetector::compare_objects() {
  const runtime::Lock lock(comparing_);
  {
    const runtime::Lock adding(adding_);
    std::vector<Watched>& added = added_.write();
    watched_.insert(watched_.end(), std::make_move_iterator(added.begin()),
                    std::make_move_iterator(added.end()));
    added.clear();
  }
  for (const Watched& watched : watched_) {
    check(watched);
  }
  for (const Watched& watched : put_aside_) {
    check(watched);
  }
}

void MutationDetector::check(const Watched& watched) {
  if (*watched.cached == watched.copy) {
    return;
  }
  const Mutation mutation{.detector = options_.name,
                          .key = api::key_of(watched.copy.metadata),
                          .before = watched.copy,
                          .after = *watched.cached};
  if (!options_.on_mutation) {
    throw runtime::Panic(mutation.text());
  }
  options_.on_mutation(mutation);
}

}  // namespace watchlab::cache
