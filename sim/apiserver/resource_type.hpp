#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/api/object.hpp"

namespace boost::json {
class array;
class object;
}  // namespace boost::json

namespace watchlab::sim {

struct Kind;

/// Where objects say how many replicas they have and want.
struct ScalePaths {
  std::string replicas = ".spec.replicas";
  std::string status = ".status.replicas";
  std::string selector;  ///< of a text; "" where the labels of `.spec.selector` are meant

  bool operator==(const ScalePaths&) const = default;
};

/// How the objects of a custom resource are kept that is served in several versions.
struct StoredForm {
  /// The store knows the collection by it, in whatever version a request asks for its objects.
  api::GroupVersionResource resource;
  std::string version;                                ///< in which they are written
  std::shared_ptr<const boost::json::object> schema;  ///< of that version; null for none
};

/// What a server knows about one collection of objects, in one version.
struct ResourceType {
  api::GroupVersionResource resource;
  std::string kind;                 ///< "ConfigMap"
  bool namespaced = true;           ///< whether its objects live in namespaces
  bool counts_generations = false;  ///< has a spec: `metadata.generation` counts its changes
  bool status_subresource = false;  ///< the main update ignores status, `/status` ignores the rest
  bool custom = false;              ///< a custom resource: an update must carry a resourceVersion
  bool stops_gracefully = false;    ///< an object that runs on a node may take its time to end
  bool cached = true;               ///< served through a watch cache; events are not
  /// What field selectors can name beside metadata.name and metadata.namespace.
  std::vector<std::string> selectable_fields;
  std::optional<ScalePaths> scale = std::nullopt;  ///< of a custom resource, if it has one
  /// Of a custom resource: what its objects must be like, see structural_schema.hpp; null for any.
  std::shared_ptr<const boost::json::object> schema = nullptr;
  std::vector<std::string> short_names{};  ///< of a custom resource, for people: "wd"
  std::vector<std::string> categories{};   ///< the same: "all"
  /// Of a custom resource that has several versions, or had; null when objects are kept as served.
  std::shared_ptr<const StoredForm> kept = nullptr;
  std::string warning{};  ///< what each answer says beside: that the version is deprecated
  /// Of a custom resource: its additionalPrinterColumns; null for none.
  std::shared_ptr<const boost::json::array> columns = nullptr;

  /// What the store calls the collection.
  [[nodiscard]] const api::GroupVersionResource& stored() const {
    return kept == nullptr ? resource : kept->resource;
  }
  /// Whether it is the version that objects are written in.
  [[nodiscard]] bool is_stored_version() const {
    return kept == nullptr || kept->version == resource.version;
  }
};

/// The collection of a kind of the table of kinds.
[[nodiscard]] ResourceType collection_of(const Kind& kind);

/// "v1" or "apps/v1".
[[nodiscard]] std::string api_version_of(const api::GroupVersionResource& resource);
/// "configmaps" or "deployments.apps", as error messages name a collection.
[[nodiscard]] std::string qualified_name(const api::GroupVersionResource& resource);

/// The collections that a server serves. Has the built-in ones from the start: a few, described
/// here, and beside them one for each other kind of the table of kinds.
class ResourceTypes {
 public:
  ResourceTypes();

  /// Adds a collection, or replaces its description.
  void define(ResourceType type);
  void define(std::vector<ResourceType> types);
  /// Takes a collection away, if it is there.
  void withdraw(const api::GroupVersionResource& resource);
  /// Null when the server does not know the collection. Valid until the next `define`
  /// or `withdraw`.
  [[nodiscard]] const ResourceType* find(const api::GroupVersionResource& resource) const;
  /// The same for what the store calls it: of several versions, any.
  [[nodiscard]] const ResourceType* find_stored(const api::GroupVersionResource& resource) const;
  /// The collection with that plural name, whatever its group; null when there is none. Of several
  /// versions, the stored one.
  [[nodiscard]] const ResourceType* find_named(const std::string& resource) const;
  /// The collection of objects of that kind, likewise.
  [[nodiscard]] const ResourceType* find_kind(const std::string& kind) const;
  /// All collections, in the order of their groups. Valid until the next `define` or `withdraw`.
  [[nodiscard]] const std::map<api::GroupVersionResource, ResourceType>& all() const {
    return *types_;
  }
  /// The kinds of all collections, in the order of their groups.
  [[nodiscard]] std::vector<std::string> kinds() const;

 private:
  using Types = std::map<api::GroupVersionResource, ResourceType>;

  static const std::shared_ptr<const Types>& built_in();
  [[nodiscard]] const ResourceType* find_where(const auto& is_meant) const;

  mutable const ResourceType* last_ =
      nullptr;                          // the one found last, which is often asked for again
  std::shared_ptr<const Types> types_;  // those of all servers, until these differ
};

}  // namespace watchlab::sim
