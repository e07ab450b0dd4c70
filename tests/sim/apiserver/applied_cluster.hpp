#pragma once

#include <chrono>
#include <string>

#include "sim/apiserver/managed_fields.hpp"
#include "tests/sim/apiserver/small_cluster.hpp"

namespace watchlab::sim {

/// One write of the object "a": an apply or another patch.
struct AppliedWrite {
  std::string writer;
  std::string text;  ///< of an apply, what stands beside kind, version and name
  bool force = false;
  PatchType type = PatchType::Apply;
};

/// A configuration of the ConfigMap "a". `text` begins with "metadata:" when it belongs in there.
inline std::string configuration(const std::string& text) {
  const std::string start = R"({"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"a")";
  return text.starts_with("metadata:") ? start + "," + text.substr(9) + "}}"
         : text.empty()                ? start + "}}"
                                       : start + "}," + text + "}";
}

inline Request apply_of(const std::string& patch, const std::string& manager = "y") {
  Request request{.verb = Verb::Patch, .resource = kConfigMaps, .namespace_ = "default"};
  request.name = "a";
  request.patch_type = PatchType::Apply;
  request.patch = patch;
  request.field_manager = manager;
  return request;
}

/// A cluster whose object "a" is written by many, a second after each other.
struct AppliedCluster : SmallCluster {
  Response write(const AppliedWrite& write) {
    const bool applies = write.type == PatchType::Apply;
    Request request = apply_of(applies ? configuration(write.text) : write.text, write.writer);
    request.patch_type = write.type;
    request.force = write.force;
    now += std::chrono::seconds(1);
    return send(request);
  }
  /// The object "a", empty when it is not there.
  api::Object stored() {
    const api::ObjectPtr object = plane.store().get(kConfigMaps, "default/a");
    return object == nullptr ? api::Object() : *object;
  }
};

/// "x: .data.k .data.m; z using v1: .data.n": who owns what.
inline std::string owners_of(const api::Object& object) {
  std::string text;
  for (const ManagedEntry& entry : managed_entries_of(object.metadata)) {
    std::string writer = writer_text(entry);
    std::erase(writer, '"');
    text += (text.empty() ? "" : "; ") + writer + ":";
    for (const FieldPath& path : entry.fields.paths()) {
      text += " " + path_text(path);
    }
  }
  return text;
}

}  // namespace watchlab::sim
