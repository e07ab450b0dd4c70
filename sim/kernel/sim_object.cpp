#include "sim/kernel/sim_object.hpp"

#include <fmt/format.h>

#include <array>
#include <charconv>

#include "sim/kernel/mix.hpp"
#include "sim/kernel/path_text.hpp"
#include "sim/kernel/scheduler.hpp"
#include "sim/kernel/sim_task.hpp"

namespace watchlab::sim {

std::string_view to_string(ObjectKind kind) {
  static constexpr std::array<std::string_view, 10> kNames{
      "task",  "mutex",      "shared mutex", "condition", "channel",
      "timer", "wait group", "cell",         "gate",      "atomic"};
  return kNames.at(static_cast<std::size_t>(kind));
}

std::string Identity::path() const {
  std::string path = creator ? creator->identity().path() + "/" : "";
  if (kind != ObjectKind::Task) {
    path += '@';
    path += std::to_string(static_cast<int>(kind));
  }
  path += escape_name(name);
  if (occurrence > 1) {
    path += fmt::format("#{}", occurrence);
  }
  return path;
}

std::string Identity::readable_path() const {
  return fmt::format("{}{}{}", creator ? creator->identity().readable_path() + "/" : "", name,
                     occurrence > 1 ? fmt::format("#{}", occurrence) : "");
}

std::uint64_t family_digest(std::uint64_t creator, ObjectKind kind, std::string_view name) {
  return mix(mix(creator, static_cast<std::uint64_t>(kind)), digest_of(name));
}

std::uint64_t identity_digest(std::uint64_t creator, ObjectKind kind, std::string_view name,
                              std::uint32_t occurrence) {
  return mix(family_digest(creator, kind, name), occurrence);
}

std::uint64_t digest_of_path(std::string_view path) {
  std::uint64_t digest = 0;
  while (!path.empty()) {
    const std::size_t slash = path.find('/');
    const std::optional<PathPart> part = parse_path_part(path.substr(0, slash));
    if (!part) {
      return 0;
    }
    digest = identity_digest(digest, part->kind, part->name, part->occurrence);
    path = slash == std::string_view::npos ? "" : path.substr(slash + 1);
  }
  return digest;
}

void SimObject::forget_looks() { scheduler_.forget_looks_at(*this); }

std::string SimObject::describe() const {
  const bool is_gate = identity_.kind == ObjectKind::Gate;
  if (!is_gate && !identity_.name.empty()) {
    return fmt::format("{} '{}'", kind_text(), identity_.name);
  }
  const std::string_view what = is_gate ? identity_.name : kind_text();
  return ordinal_ == 1 ? fmt::format("the {} of {}", what, place_text(made_))
                       : fmt::format("{} {} of {}", what, ordinal_, place_text(made_));
}

std::string_view SimObject::kind_text() const { return to_string(identity_.kind); }

std::vector<const SimTask*> SimObject::releasers(const SimTask&) const { return {}; }

std::string SimObject::blocked_because(const SimTask&) const { return ""; }

}  // namespace watchlab::sim
