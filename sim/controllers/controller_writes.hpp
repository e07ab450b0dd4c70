#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/network/server_host.hpp"

namespace boost::json {
class object;
class value;
}  // namespace boost::json

/// What the controllers of a world read and write with.
namespace watchlab::sim {

/// Where an object is.
using ObjectPlace = std::pair<api::GroupVersionResource, std::string>;

/// One of the owners that an object's metadata names.
struct Owner {
  std::string api_version;
  std::string kind;
  std::string name;
  std::string uid;
  bool blocks = false;    ///< it must not go before this object has, in the foreground
  bool controls = false;  ///< it is the managing controller
};
[[nodiscard]] std::vector<Owner> owners_of(const api::ObjectMeta& metadata);
/// Keeps the owners, but makes none of them wait for the object.
void unblock_owners(api::ObjectMeta& metadata);
/// The metadata without those owners.
void drop_owners(api::ObjectMeta& metadata, const std::vector<std::string>& uids);

/// Null when it is gone.
[[nodiscard]] api::ObjectPtr object_at(ServerHost::Transaction& host, const ObjectPlace& place);
/// The objects of a collection in one namespace, or in all ("").
[[nodiscard]] std::vector<api::ObjectPtr> objects_in(ServerHost::Transaction& host,
                                                     const api::GroupVersionResource& resource,
                                                     const std::string& namespace_name);

/// The JSON of an object but for its metadata; an empty object when there is none.
[[nodiscard]] boost::json::object members_of(const api::Object& object);
/// The text at a pointer as "/spec/nodeName"; "" when there is none.
[[nodiscard]] std::string text_below(const boost::json::object& body, std::string_view pointer);
/// The same for a number.
[[nodiscard]] std::int64_t number_below(const boost::json::object& body, std::string_view pointer,
                                        std::int64_t otherwise);
/// The same for a value; null when there is none.
[[nodiscard]] const boost::json::value* value_below(const boost::json::object& body,
                                                    std::string_view pointer);
/// Whether an object has all labels that a selector's map asks for; false for an empty map.
[[nodiscard]] bool has_labels(const api::Object& object, const boost::json::value* wanted);

/// Writes the object as it is now, whatever its revision.
void write_object(ServerHost::Transaction& host, const api::GroupVersionResource& resource,
                  api::Object object);
/// The same, of its status only.
void write_status(ServerHost::Transaction& host, const api::GroupVersionResource& resource,
                  const api::Object& object, boost::json::object status);
/// Returns whether the server took it.
bool create_object(ServerHost::Transaction& host, const api::GroupVersionResource& resource,
                   api::Object object);
/// The same, but under all rules for clients. Returns why the server refused it; "" if it did not.
std::string create_checked(ServerHost::Transaction& host, const api::GroupVersionResource& resource,
                           api::Object object);
/// Deletes the object that has this uid, if it is still there. `policy` as in DeleteOptions.
void delete_object(ServerHost::Transaction& host, const api::GroupVersionResource& resource,
                   const api::ObjectMeta& metadata, std::string_view policy,
                   std::optional<std::int64_t> grace_seconds = std::nullopt);

}  // namespace watchlab::sim
