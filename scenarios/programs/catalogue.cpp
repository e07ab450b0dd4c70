#include "scenarios/programs/catalogue.hpp"

#include <algorithm>
#include <iterator>
#include <vector>

namespace watchlab::scenarios {
namespace {

std::vector<Program> all_families() {
  std::vector<Program> all;
  for (const auto& family :
       {informer_programs, handler_programs, modern_programs, queue_programs, watch_programs}) {
    std::ranges::copy(family(), std::back_inserter(all));
  }
  std::ranges::sort(all, {}, &Program::name);
  return all;
}

}  // namespace

std::span<const Program> program_catalogue() {
  static const std::vector<Program> all = all_families();
  return all;
}

const Program* find_program(std::string_view name) {
  const std::span<const Program> all = program_catalogue();
  const auto found = std::ranges::find(all, name, &Program::name);
  return found == all.end() ? nullptr : &*found;
}

}  // namespace watchlab::scenarios
