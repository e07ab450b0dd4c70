#include "core/cache/sync/consistency_detector.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "core/runtime/ensure.hpp"
#include "core/wait/loop.hpp"

namespace watchlab::cache {
namespace {

constexpr runtime::Duration kAskAgain = std::chrono::seconds(1);

std::string_view uid_of(const api::ObjectPtr& object) { return object->metadata.uid; }

/// Objects without a uid come in any order, as in the original.
void sort_by_uid(std::vector<api::ObjectPtr>& objects) {
  std::ranges::stable_sort(objects, {}, uid_of);
}

bool are_equal(const api::ObjectPtr& left, const api::ObjectPtr& right) { return *left == *right; }

/// The first object that the two do not have in common, or "".
std::string difference(const std::vector<api::ObjectPtr>& streamed,
                       const std::vector<api::ObjectPtr>& listed) {
  if (streamed.size() != listed.size()) {
    return fmt::format("{} objects were streamed and {} listed", streamed.size(), listed.size());
  }
  const auto [one, other] = std::ranges::mismatch(streamed, listed, are_equal);
  return one == streamed.end() ? "" : fmt::format("{} differs", api::key_of((*one)->metadata));
}

/// Each as the streamed ones are; what the transformer refuses is an error that was met before.
std::vector<api::ObjectPtr> transformed(const TransformFunction& transformer,
                                        std::vector<api::ObjectPtr> objects) {
  for (api::ObjectPtr& object : objects) {
    if (const auto changed =
            transformer ? transformer(object) : api::Result<api::ObjectPtr>(object)) {
      object = *changed;
    }
  }
  return objects;
}

}  // namespace

void check_data_consistency(runtime::Runtime& runtime, const runtime::StopToken& stop,
                            ListerWatcher& source, const StreamedList& streamed) {
  if (streamed.resource_version == "0") {
    return;
  }
  const api::ListOptions request{.resource_version = streamed.resource_version,
                                 .resource_version_match = api::ResourceVersionMatch::Exact};
  api::Result<api::ObjectList> answer(api::ObjectList{});
  const bool answered = wait::poll_immediate_until(runtime, kAskAgain, stop, [&] {
    answer = source.list(stop, request);
    if (!answer) {
      runtime.log(runtime::LogLevel::Warning, fmt::format("{}: no list to compare with: {}",
                                                          streamed.name, answer.error().message));
    }
    return answer.ok();
  });
  if (!answered) {
    return;
  }
  std::vector<api::ObjectPtr> one = streamed.items;
  std::vector<api::ObjectPtr> other = transformed(streamed.transformer, answer->items);
  sort_by_uid(one);
  sort_by_uid(other);
  if (const std::string found = difference(one, other); !found.empty()) {
    throw runtime::Panic(
        fmt::format("{}: the streamed list at revision {} is not what a list says: {}",
                    streamed.name, streamed.resource_version, found));
  }
}

}  // namespace watchlab::cache
