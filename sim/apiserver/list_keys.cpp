#include "sim/apiserver/list_keys.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace watchlab::sim {

std::optional<std::string_view> merge_key_of(std::string_view list) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 12> keys{{
      {"containers", "name"},
      {"initContainers", "name"},
      {"ephemeralContainers", "name"},
      {"env", "name"},
      {"volumes", "name"},
      {"imagePullSecrets", "name"},
      {"secrets", "name"},
      {"volumeMounts", "mountPath"},
      {"ports", "containerPort"},
      {"conditions", "type"},
      {"addresses", "type"},
      {"ownerReferences", "uid"},
  }};
  const auto* found = std::find_if(keys.begin(), keys.end(),
                                   [list](const auto& each) { return each.first == list; });
  return found == keys.end() ? std::nullopt : std::optional(found->second);
}

bool is_set_of_strings(std::string_view list) { return list == "finalizers"; }

bool is_atomic_object(std::string_view member) {
  return member == "selector" || member == "nodeSelector";
}

}  // namespace watchlab::sim
