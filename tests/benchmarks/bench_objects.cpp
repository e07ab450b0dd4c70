#include "tests/benchmarks/bench_objects.hpp"

#include <memory>
#include <utility>

#include "core/api/options.hpp"

namespace watchlab::benchmarks {

api::ObjectPtr make_object(std::size_t i) {
  api::Object object;
  object.api_version = "v1";
  object.kind = "ConfigMap";
  object.metadata.name = "object-" + std::to_string(i);
  object.metadata.namespace_ = "namespace-" + std::to_string(i % kNamespaces);
  object.metadata.uid = "00000000-0000-0000-0000-" + std::to_string(100'000'000'000 + i);
  object.metadata.resource_version = std::to_string(1000 + i);
  object.metadata.creation_timestamp = "2026-01-01T00:00:00Z";
  object.metadata.labels = {{"app", "web"}, {"tier", "front"}};
  object.body = R"({"data":{"text":")" + std::string(700, 'x') + "\"}}";
  return api::share(std::move(object));
}

std::string key_number(std::size_t i) {
  return "namespace-" + std::to_string(i % kNamespaces) + "/object-" + std::to_string(i);
}

std::vector<api::ObjectPtr> make_objects() {
  std::vector<api::ObjectPtr> objects;
  objects.reserve(kObjects);
  for (std::size_t i = 0; i < kObjects; ++i) {
    objects.push_back(make_object(i));
  }
  return objects;
}

watch::Event end_of_streamed_list(const std::string& revision) {
  api::Object mark;
  mark.api_version = "v1";
  mark.kind = "ConfigMap";
  mark.metadata.resource_version = revision;
  mark.metadata.annotations = {{std::string(api::kInitialEventsEnd), "true"}};
  return {
      .type = watch::EventType::Bookmark, .object = api::share(std::move(mark)), .status = nullptr};
}

void use(std::size_t value) {
  static volatile std::size_t sink = 0;
  sink = sink + value;
}

}  // namespace watchlab::benchmarks
