#pragma once

// How the pipeline is called from the process of the tests.
#include <memory>
#include <vector>

#include "exercises/20-all-together/subject.hpp"
#include "exercises/toolkit/cluster_server.hpp"
#include "exercises/toolkit/remote_values.hpp"

namespace watchlab::exercise {

/// The worker writes into the tests' mirror.
class RemoteMirror final
    : public course::Remote<Mirror, &Mirror::put, &Mirror::remove, &Mirror::replace> {
 public:
  using Remote::Remote;

  void put(const api::ObjectPtr& object) override { call<&Mirror::put>(object); }
  void remove(const api::ObjectPtr& object) override { call<&Mirror::remove>(object); }
  void replace(const std::vector<api::ObjectPtr>& objects) override {
    call<&Mirror::replace>(objects);
  }
};

/// A pipeline that stops when a channel is closed: tokens do not travel.
class ServedPipeline {
 public:
  ServedPipeline() = default;
  ServedPipeline(const ServedPipeline&) = delete;
  ServedPipeline& operator=(const ServedPipeline&) = delete;
  virtual ~ServedPipeline() = default;

  virtual void run_until(const runtime::Channel<runtime::Unit>& stop) = 0;
};

class RemotePipeline final : public course::Remote<ServedPipeline, &ServedPipeline::run_until> {
 public:
  using Remote::Remote;

  void run_until(const runtime::Channel<runtime::Unit>& stop) override {
    call<&ServedPipeline::run_until>(stop);
  }
};

[[nodiscard]] std::unique_ptr<ServedPipeline> serve_pipeline(
    runtime::Runtime& runtime, std::shared_ptr<cache::ListerWatcher> source, Mirror& mirror,
    runtime::Duration work);

/// What the process of the library has.
using LibraryFunctions = course::Methods<&serve_pipeline>;

}  // namespace watchlab::exercise

template <>
struct watchlab::course::RemoteTraits<watchlab::exercise::Mirror> {
  using Proxy = exercise::RemoteMirror;
};

template <>
struct watchlab::course::RemoteTraits<watchlab::exercise::ServedPipeline> {
  using Proxy = exercise::RemotePipeline;
};
