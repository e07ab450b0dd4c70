// How far a search by dpor is, and how it goes on in another process.
#include <stdexcept>

#include "sim/explore/dpor_strategy.hpp"
#include "sim/explore/state_archive.hpp"

namespace watchlab::sim {
namespace {

constexpr std::string_view kVersion = "dpor5 ";

}  // namespace

double DporStrategy::explored() const {
  double behind = 0;
  double weight = 1;
  for (const Node& node : nodes_) {
    std::size_t todo = 0;
    for (std::uint32_t i = node.todo; i != WakeupTree::kNone; i = tree_[i].next) {
      ++todo;
    }
    const auto done = static_cast<double>(node.sleep_end - node.sleep_own);
    weight /= done + 1 + static_cast<double>(todo);
    behind += weight * done;
  }
  return behind + weight;
}

template <typename Archive>
void DporStrategy::visit(Archive& archive) {
  archive(mode_);
  archive(nodes_);
  archive(sleepers_);
  archive(guide_);
  archive(stuck_);
  archive(races_);
  tree_.visit(archive);
  log_.visit(archive);
  order_.visit(archive);
}

std::string DporStrategy::state() const {
  StateWriter writer;
  const_cast<DporStrategy*>(this)->visit(writer);  // a writer changes nothing
  return std::string(kVersion) + writer.text();
}

void DporStrategy::restore(std::string_view state) {
  if (!state.starts_with(kVersion)) {
    throw std::invalid_argument("this is not the state of a search by dpor");
  }
  StateReader reader(state.substr(kVersion.size()));
  const Mode mode = mode_;
  visit(reader);
  if (!reader.at_end() || mode != mode_) {
    throw std::invalid_argument("this is not the state of such a search by dpor");
  }
}

void DporStrategy::split(std::size_t /*shard*/, std::size_t shards) {
  if (shards > 1) {
    throw std::invalid_argument(
        "dpor cannot be split into shards, because what remains to be explored in one part is "
        "found while exploring another; dfs and the sampling strategies can");
  }
}

}  // namespace watchlab::sim
