#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// What kinds of objects a release of Kubernetes has, and what these are made of. Data, taken from
/// a real server and its published types: nothing here is known of a kind by name.
namespace watchlab::sim {

enum class FieldForm : std::uint8_t { One, List, Map };
enum class FieldType : std::uint8_t { Text, Flag, Int32, Int64, Double, Bytes, TextItems, Message };

/// How a message is written in JSON.
enum class ValueKind : std::uint8_t {
  Members,        ///< as an object with its fields
  Time,           ///< as RFC 3339 to the second
  MicroTime,      ///< the same, to the microsecond
  Quantity,       ///< as its text
  IntOrString,    ///< as a number or a text
  Json,           ///< as the JSON that it holds
  SchemaOrFlag,   ///< as true, false or a schema
  SchemaOrList,   ///< as a schema, or a list of such
  SchemaOrTexts,  ///< as a schema, or a list of texts
};

struct KindMessage;

/// What a server adds where a field is unset: always, or beside what another field says.
struct KindAddition {
  std::string_view
      neighbour;  ///< "" for always; "type"; "<type": as it was sent; "@": the kind of the object
  std::string_view word;
  std::string_view json;
};

/// One field of a message.
struct KindField {
  std::string_view name;  ///< "" for a message whose members stand among those of its owner
  std::uint32_t number = 0;
  FieldForm form = FieldForm::One;
  FieldType type = FieldType::Text;
  bool optional = false;     ///< it may be unset, which is not its zero
  bool omits_empty = false;  ///< JSON leaves it out when it is "", 0, false or has nothing in it
  bool omits_zero = false;   ///< the same, and of messages those that are zero
  bool required = false;
  bool is_set = false;        ///< of a list: its elements can belong to different writers
  bool is_atomic = false;     ///< of an object: it belongs to one writer
  bool merges = false;        ///< a strategic merge patch merges what it has
  bool retains_keys = false;  ///< the same patch says which members stay
  const KindMessage* message = nullptr;  ///< of FieldType::Message
  std::string_view merge_key;  ///< of a list that merges: the member that elements meet by
  std::string_view list_keys;  ///< the members that elements have owners by, with commas
  std::string_view words;      ///< those that there are, with commas; "" for any
  std::vector<KindAddition> added;
};

struct KindMessage {
  std::string_view name;  ///< "apps/v1.DeploymentSpec"
  ValueKind value = ValueKind::Members;
  std::vector<KindField> fields;  ///< as JSON has them
  std::vector<const KindField*> by_number;
};

/// The field of that name; null when there is none. Fields of messages without a name are found.
[[nodiscard]] const KindField* find_field(const KindMessage& message, std::string_view name);

struct KindSubresource {
  std::string name;                ///< "scale"
  std::vector<std::string> verbs;  ///< what can be done with it
  std::string api_version;         ///< of what it shows: "autoscaling/v1"
  std::string kind;                ///< "Scale"
};

/// A kind that has a collection, or that is created to be answered.
struct Kind {
  std::string api_version;  ///< "apps/v1"
  std::string kind;         ///< "Deployment"
  std::string collection;   ///< "deployments"
  std::string singular;
  bool namespaced = true;
  bool counts_generations = false;
  std::vector<std::string> verbs;
  std::vector<std::string> short_names;
  std::vector<std::string> categories;
  std::vector<std::string> selectable_fields;
  std::vector<KindSubresource> subresources;
  const KindMessage* message = nullptr;

  /// "" for the core group.
  [[nodiscard]] std::string group() const;
  [[nodiscard]] std::string version() const;
  /// Whether there are objects of it that can be listed and watched.
  [[nodiscard]] bool has_objects() const;
};

/// The kinds of one release. It never changes; any task may read it.
class KindTable {
 public:
  /// That of the newest release which is known; read when it is first asked for.
  [[nodiscard]] static const KindTable& newest();

  [[nodiscard]] const std::string& release() const { return release_; }  ///< "1.37.2"
  [[nodiscard]] const std::vector<Kind>& kinds() const { return kinds_; }
  /// Null when there is none.
  [[nodiscard]] const Kind* find(std::string_view api_version, std::string_view collection) const;
  /// What an object is made of that says that of itself; null when that is not known. A list is
  /// known by what it lists.
  [[nodiscard]] const KindMessage* message_of(std::string_view api_version,
                                              std::string_view kind) const;
  /// The message of that name, which must be there.
  [[nodiscard]] const KindMessage& message(std::string_view name) const;

 private:
  explicit KindTable(std::span<const std::string_view> texts);
  KindTable(const KindTable&) = delete;
  KindTable& operator=(const KindTable&) = delete;
  void read_line(std::string_view line);
  void read_kind(std::string_view line);
  void read_field(std::string_view line, KindMessage& into);
  KindMessage& made(std::string_view name);

  KindMessage* reading_ = nullptr;  // whose fields the next lines are
  std::string release_;
  std::deque<std::string> names_;  // that are not in the text as they are
  std::map<std::string_view, KindMessage> messages_;
  std::vector<Kind> kinds_;
  std::map<std::pair<std::string, std::string>, const KindMessage*> messages_of_kinds_;
};

}  // namespace watchlab::sim
