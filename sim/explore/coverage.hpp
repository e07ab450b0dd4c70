#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>

namespace watchlab::sim {

/// How many distinct partial orders runs have shown, and how likely the next run shows a new one.
/// `what_was_seen.merge(other)` gives the same result as one count over both sets of runs.
///
/// Up to `kKept` partial orders are all counted; beyond that it keeps those with the smallest
/// digests, an even sample from which the numbers are estimated. So it always fits into one line,
/// however long a campaign is.
class Coverage {
 public:
  static constexpr std::size_t kKept = 1024;

  /// A run showed the partial order with this digest.
  void add(std::uint64_t digest) { add(digest, 1); }
  void merge(const Coverage& other);

  [[nodiscard]] std::size_t runs() const { return runs_; }
  /// Distinct partial orders seen; beyond `kKept` an estimate within a few percent.
  [[nodiscard]] std::size_t orders() const;
  /// How many of these were seen only once.
  [[nodiscard]] std::size_t seen_once() const;
  /// The probability that the next run shows something new (Good-Turing): the share of runs whose
  /// order was seen only once. 1 before the first run.
  [[nodiscard]] double unseen() const;
  /// The same if no order was seen only once: the 95 % confidence bound. For stop rules.
  [[nodiscard]] double unseen_at_most() const;
  [[nodiscard]] bool is_exact() const { return !sampled_; }

  /// "612 orders in 1000 runs; the next run shows something new with p ≈ 12 %".
  [[nodiscard]] std::string to_string() const;
  /// For merging in another process: letters and digits without spaces.
  [[nodiscard]] std::string to_sketch() const;
  /// Throws `std::invalid_argument` for a text that is not from `to_sketch`.
  [[nodiscard]] static Coverage from_sketch(std::string_view text);

  bool operator==(const Coverage&) const = default;

 private:
  void add(std::uint64_t digest, std::size_t times);
  [[nodiscard]] std::size_t kept_that_were_seen(std::size_t times) const;
  /// The largest digest up to which everything seen is kept.
  [[nodiscard]] std::uint64_t last_known() const;
  /// How many orders each kept one represents.
  [[nodiscard]] double scale() const;

  std::size_t runs_ = 0;
  bool sampled_ = false;
  std::map<std::uint64_t, std::size_t> counts_;  ///< the smallest digests
};

}  // namespace watchlab::sim
