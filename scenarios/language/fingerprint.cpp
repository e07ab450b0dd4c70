#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "scenarios/language/parse.hpp"

namespace watchlab::scenarios {
namespace {

/// FNV-1a over a canonical text, in which no two different trees look the same.
class Hash {
 public:
  void add(std::string_view text) {
    for (const char c : text) {
      value_ = (value_ ^ static_cast<unsigned char>(c)) * 1099511628211ULL;
    }
    value_ = (value_ ^ 0xFF) * 1099511628211ULL;
  }
  [[nodiscard]] std::uint64_t value() const { return value_; }

 private:
  std::uint64_t value_ = 14695981039346656037ULL;
};

void add_node(const Node& node, Hash& hash) {
  switch (node.kind) {
    case Node::Kind::Scalar:
      hash.add("=");
      hash.add(node.text);
      return;
    case Node::Kind::Sequence:
      hash.add("[");
      for (const Node& item : node.items) {
        add_node(item, hash);
      }
      hash.add("]");
      return;
    case Node::Kind::Mapping:
      break;
  }
  std::vector<const Node::Entry*> sorted;
  for (const Node::Entry& entry : node.entries) {
    sorted.push_back(&entry);
  }
  std::sort(sorted.begin(), sorted.end(),
            [](const Node::Entry* a, const Node::Entry* b) { return a->key < b->key; });
  hash.add("{");
  for (const Node::Entry* entry : sorted) {
    hash.add(entry->key);
    add_node(entry->value, hash);
  }
  hash.add("}");
}

}  // namespace

std::uint64_t fingerprint_of(const Node& root) {
  constexpr std::array<std::string_view, 8> deciding{"name",   "program", "server", "clients",
                                                     "script", "until",   "within", "transport"};
  Hash hash;
  // The direct transport is what a file without a word gets: naming it changes no run.
  const auto decides = [](std::string_view key, const Node& value) {
    return key != "transport" || value.text != "direct";
  };
  for (const std::string_view key : deciding) {
    if (const Node* value = root.find(key); value != nullptr && decides(key, *value)) {
      hash.add(key);
      add_node(*value, hash);
    }
  }
  return hash.value();
}

}  // namespace watchlab::scenarios
