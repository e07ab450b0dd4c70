#include "sim/kinds/kind_table.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <tuple>
#include <utility>

#include "core/runtime/ensure.hpp"

namespace watchlab::sim {

namespace {

constexpr std::array<std::string_view, 2> kNewest{
#include "sim/kinds/kinds.inc"
};

/// Takes the text up to the next separator, and that, from the beginning of another one.
std::string_view take_word(std::string_view& text, char separator = ' ') {
  const std::size_t end = std::min(text.find(separator), text.size());
  const std::string_view word = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return word;
}

std::vector<std::string> words_in(std::string_view text, char separator) {
  std::vector<std::string> words;
  while (!text.empty() && text != "-") {
    words.emplace_back(take_word(text, separator));
  }
  return words;
}

/// "*" is what most collections can do.
std::vector<std::string> verbs_in(std::string_view text, char separator) {
  static const std::vector<std::string> kAll{"create", "delete", "deletecollection", "get",
                                             "list",   "patch",  "update",           "watch"};
  return text == "*" ? kAll : words_in(text, separator);
}

ValueKind value_of(std::string_view message) {
  constexpr std::array kValues{
      std::pair("meta/v1.Time", ValueKind::Time),
      std::pair("meta/v1.MicroTime", ValueKind::MicroTime),
      std::pair("api/resource.Quantity", ValueKind::Quantity),
      std::pair("util/intstr.IntOrString", ValueKind::IntOrString),
      std::pair("meta/v1.FieldsV1", ValueKind::Json),
      std::pair("pkg/runtime.RawExtension", ValueKind::Json),
      std::pair("apiextensions/v1.JSON", ValueKind::Json),
      std::pair("apiextensions/v1.JSONSchemaPropsOrBool", ValueKind::SchemaOrFlag),
      std::pair("apiextensions/v1.JSONSchemaPropsOrArray", ValueKind::SchemaOrList),
      std::pair("apiextensions/v1.JSONSchemaPropsOrStringArray", ValueKind::SchemaOrTexts),
  };
  const auto* const found = std::ranges::find_if(
      kValues, [&](const auto& each) { return std::string_view(each.first) == message; });
  return found == kValues.end() ? ValueKind::Members : found->second;
}

std::pair<FieldForm, bool> form_in(std::string_view& type) {
  if (type.starts_with("[]") || type.starts_with("{}")) {
    const FieldForm form = type.front() == '[' ? FieldForm::List : FieldForm::Map;
    type.remove_prefix(2);
    return {form, false};
  }
  const bool optional = type.starts_with('*');
  type.remove_prefix(optional ? 1 : 0);
  return {FieldForm::One, optional};
}

FieldType type_in(std::string_view type) {
  constexpr std::string_view kLetters = "sbildy$";
  const std::size_t at = type.size() == 1 ? kLetters.find(type[0]) : std::string_view::npos;
  return at == std::string_view::npos ? FieldType::Message : static_cast<FieldType>(at);
}

void read_marks(std::string_view marks, KindField& field) {
  while (!marks.empty()) {
    std::string_view mark = take_word(marks);
    if (mark.starts_with('=')) {
      mark.remove_prefix(1);
      std::string_view neighbour = take_word(mark, '=');
      KindAddition addition{
          .neighbour = take_word(neighbour, ':'), .word = neighbour, .json = mark};
      field.added.push_back(addition);
      continue;
    }
    // Words of several words: "e=any,cert sign,ipsec end system". They come last but for additions.
    if (mark.starts_with("e=") && !marks.starts_with('=')) {
      const std::string_view more = marks.substr(0, marks.find(" ="));
      mark = marks.empty() ? mark : std::string_view(mark.data(), more.data() + more.size());
      marks.remove_prefix(more.size());
      marks.remove_prefix(marks.empty() ? 0 : 1);
    }
    field.omits_empty = field.omits_empty || mark == "o";
    field.omits_zero = field.omits_zero || mark == "z";
    field.required = field.required || mark == "!";
    field.is_set = field.is_set || mark == "s";
    field.is_atomic = field.is_atomic || mark == "a";
    field.merges = field.merges || mark.starts_with('p');
    field.retains_keys = field.retains_keys || mark == "r";
    const std::string_view value =
        mark.substr(std::min<std::size_t>(mark.find('=') + 1, mark.size()));
    field.merge_key = mark.starts_with("p=") ? value : field.merge_key;
    field.list_keys = mark.starts_with("k=") ? value : field.list_keys;
    field.words = mark.starts_with("e=") ? value : field.words;
  }
}

KindSubresource subresource_in(std::string_view text, const Kind& kind) {
  KindSubresource made{.name = std::string(take_word(text, '='))};
  made.verbs = words_in(take_word(text, '='), '+');
  const std::size_t slash = text.rfind('/');
  const bool of_kind = text.empty();
  made.api_version = of_kind ? kind.api_version : std::string(text.substr(0, slash));
  made.kind = of_kind ? kind.kind : std::string(text.substr(slash + 1));
  return made;
}

}  // namespace

const KindField* find_field(const KindMessage& message, std::string_view name) {
  for (const KindField& field : message.fields) {
    const KindField* const found = field.name.empty() ? find_field(*field.message, name)
                                                      : (field.name == name ? &field : nullptr);
    if (found != nullptr) {
      return found;
    }
  }
  return nullptr;
}

std::string Kind::group() const {
  const std::size_t slash = api_version.find('/');
  return slash == std::string::npos ? "" : api_version.substr(0, slash);
}

std::string Kind::version() const { return api_version.substr(api_version.find('/') + 1); }

bool Kind::has_objects() const { return std::ranges::find(verbs, "watch") != verbs.end(); }

const KindTable& KindTable::newest() {
  static const KindTable kTable(kNewest);
  return kTable;
}

KindTable::KindTable(std::span<const std::string_view> texts) {
  for (std::string_view text : texts) {
    while (!text.empty()) {
      const std::string_view line = take_word(text, '\n');
      if (!line.empty() && !line.starts_with('#')) {
        read_line(line);
      }
    }
  }
  for (auto& [name, each] : messages_) {
    for (const KindField& field : each.fields) {
      each.by_number.push_back(&field);
    }
    std::ranges::sort(each.by_number, {}, &KindField::number);
  }
}

void KindTable::read_line(std::string_view line) {
  if (line.starts_with("R ")) {
    release_ = line.substr(2);
  } else if (line.starts_with("K ")) {
    read_kind(line.substr(2));
  } else if (line.starts_with("V ")) {
    line.remove_prefix(2);
    const std::string api_version(take_word(line));
    const std::string kind(take_word(line));
    messages_of_kinds_[{api_version, kind}] = &made(line);
  } else if (line.starts_with("M ")) {
    reading_ = &made(line.substr(2));
  } else {
    runtime::ensure(reading_ != nullptr, "a field of the table of kinds belongs to a message");
    read_field(line, *reading_);
  }
}

KindMessage& KindTable::made(std::string_view name) {
  KindMessage& message = messages_[name];
  message.name = name;
  message.value = value_of(name);
  return message;
}

void KindTable::read_kind(std::string_view line) {
  Kind kind{.api_version = std::string(take_word(line)), .kind = std::string(take_word(line))};
  kind.message = &made(take_word(line));
  kind.collection = take_word(line);
  kind.singular = take_word(line);
  const std::string_view scope = take_word(line);
  kind.namespaced = scope.starts_with('N');
  kind.counts_generations = scope.ends_with('g');
  kind.verbs = verbs_in(take_word(line), ',');
  kind.short_names = words_in(take_word(line), ',');
  kind.categories = words_in(take_word(line), ',');
  kind.selectable_fields = words_in(take_word(line), ',');
  for (const std::string& each : words_in(take_word(line), ',')) {
    kind.subresources.push_back(subresource_in(each, kind));
  }
  messages_of_kinds_[{kind.api_version, kind.kind}] = kind.message;
  kinds_.push_back(std::move(kind));
}

void KindTable::read_field(std::string_view line, KindMessage& into) {
  KindField field{.name = take_word(line)};
  field.name = field.name == "-" ? std::string_view() : field.name;
  const std::string_view number = take_word(line);
  std::from_chars(number.data(), number.data() + number.size(), field.number);
  std::string_view type = take_word(line);
  std::tie(field.form, field.optional) = form_in(type);
  field.type = type_in(type);
  if (field.type == FieldType::Message) {
    if (type.starts_with('.')) {
      const std::string_view package = into.name.substr(0, into.name.rfind('.'));
      type = names_.emplace_back(std::string(package) + std::string(type));
    }
    const auto known = messages_.find(type);
    field.message = known == messages_.end() ? &made(type) : &known->second;
  }
  read_marks(line, field);
  into.fields.push_back(field);
}

const Kind* KindTable::find(std::string_view api_version, std::string_view collection) const {
  const auto found = std::ranges::find_if(kinds_, [&](const Kind& each) {
    return each.collection == collection && each.api_version == api_version;
  });
  return found == kinds_.end() ? nullptr : &*found;
}

const KindMessage* KindTable::message_of(std::string_view api_version,
                                         std::string_view kind) const {
  // Options and what is made of any object belong to all groups.
  constexpr std::array<std::string_view, 3> kEverywhere{"DeleteOptions", "Status",
                                                        "PartialObjectMetadata"};
  if (std::ranges::find(kEverywhere, kind) != kEverywhere.end()) {
    return &message("meta/v1." + std::string(kind));
  }
  const auto found = messages_of_kinds_.find({std::string(api_version), std::string(kind)});
  return found == messages_of_kinds_.end() ? nullptr : found->second;
}

const KindMessage& KindTable::message(std::string_view name) const {
  const auto found = messages_.find(name);
  runtime::ensure(found != messages_.end(), "the message is in the table of kinds");
  return found->second;
}

}  // namespace watchlab::sim
