#pragma once

#include <fmt/format.h>

#include <boost/json.hpp>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/client/resource_client.hpp"

namespace watchlab::tests {

/// What came of each way to write, in words, and what should have.
struct Written {
  std::string way;
  std::string came;
  std::string wanted;
};

/// Writes one Deployment in every way that a `ResourceClient` has, and removes it.
/// Real servers and ours have to answer alike, so both are asked: ours by a test, a real one by the
/// lane `judge informers`.
class EveryWrite {
 public:
  explicit EveryWrite(std::shared_ptr<client::RestClient> server)
      : client_(std::move(server), {"apps", "v1", "deployments"}, "default") {}

  [[nodiscard]] std::vector<Written> play() {
    (void)client_.remove(stop_, kName);  // of a run that was cut off
    const api::Object made = deployment(2, "");
    note("create", client_.create(stop_, made), "spec 2, status none, generation 1");
    note("get", client_.get(stop_, kName), "spec 2, status none, generation 1");
    note("update_status with another spec", client_.update_status(stop_, newest(9, "2")),
         "spec 2, status 2, generation 1");
    note("update with another status", client_.update(stop_, newest(3, "9")),
         "spec 3, status 2, generation 2");
    note("patch of the status",
         client_.patch(stop_, kName, R"({"spec":{"replicas":9},"status":{"replicas":4}})", true),
         "spec 3, status 4, generation 2");
    note("patch", client_.patch(stop_, kName, R"({"spec":{"replicas":5},"status":{"replicas":9}})"),
         "spec 5, status 4, generation 3");
    api::Object old = newest(6, "6");
    old.metadata.resource_version = "1";
    note("update at an old revision", client_.update(stop_, old), "Conflict");
    note("update_status at an old revision", client_.update_status(stop_, old), "Conflict");
    note("get", client_.get(stop_, kName), "spec 5, status 4, generation 3");
    note("create once more", client_.create(stop_, made), "AlreadyExists");
    const api::Object last = newest(7, "7");
    const api::Result<void> removed = client_.remove(stop_, kName);
    written_.push_back({"remove", removed ? "gone" : reason_of(removed.error()), "gone"});
    note("update_status of what is gone", client_.update_status(stop_, last), "NotFound");
    note("patch of what is gone", client_.patch(stop_, kName, "{}"), "NotFound");
    note("get of what is gone", client_.get(stop_, kName), "NotFound");
    return written_;
  }

 private:
  static constexpr const char* kName = "every-write";

  static api::Object deployment(int replicas, const std::string& status) {
    api::Object made{.api_version = "apps/v1", .kind = "Deployment", .metadata = {.name = kName}};
    made.body = fmt::format(
        R"({{"spec":{{"replicas":{},"selector":{{"matchLabels":{{"app":"web"}}}},"template":{{)"
        R"("metadata":{{"labels":{{"app":"web"}}}},"spec":{{"containers":[{{"name":"main",)"
        R"("image":"none"}}]}}}}}}{}}})",
        replicas, status.empty() ? "" : fmt::format(R"(,"status":{{"replicas":{}}})", status));
    return made;
  }

  /// The same with the metadata of what is there.
  api::Object newest(int replicas, const std::string& status) {
    api::Object made = deployment(replicas, status);
    if (const api::Result<api::ObjectPtr> found = client_.get(stop_, kName)) {
      made.metadata = (*found)->metadata;
    }
    return made;
  }

  static std::string reason_of(const api::Error& error) {
    return std::string(api::to_string(error.status.reason));
  }

  void note(std::string way, const api::Result<api::ObjectPtr>& result, std::string wanted) {
    std::string came;
    if (!result) {
      came = reason_of(result.error());
    } else {
      const boost::json::value body = boost::json::parse((*result)->body);
      const auto number = [&body](const char* path) {
        boost::system::error_code missing;
        const boost::json::value* const found = body.find_pointer(path, missing);
        return found == nullptr ? "none" : boost::json::serialize(*found);
      };
      came = fmt::format("spec {}, status {}, generation {}", number("/spec/replicas"),
                         number("/status/replicas"), (*result)->metadata.generation);
    }
    written_.push_back({std::move(way), std::move(came), std::move(wanted)});
  }

  client::ResourceClient client_;
  runtime::StopToken stop_;
  std::vector<Written> written_;
};

}  // namespace watchlab::tests
