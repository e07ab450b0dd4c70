#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>

namespace watchlab::sim {

/// How many different partial orders runs have shown, and how likely the next run shows one more.
/// `what_was_seen.merge(other)` comes to the same as one count over the runs of both.
///
/// Every partial order is counted up to `kKept` of them; beyond that, those with the smallest
/// digests are kept, an even sample from which the numbers are estimated. So the size stays small
/// enough to write into one line, however long a campaign is.
class Coverage {
 public:
  static constexpr std::size_t kKept = 1024;

  /// One run showed the partial order with this digest.
  void add(std::uint64_t digest) { add(digest, 1); }
  void merge(const Coverage& other);

  [[nodiscard]] std::size_t runs() const { return runs_; }
  /// Different partial orders seen; an estimate within a few percent beyond `kKept`.
  [[nodiscard]] std::size_t orders() const;
  /// Of these, how many were seen once only.
  [[nodiscard]] std::size_t seen_once() const;
  /// The probability that the next run shows something new (Good-Turing): the part of all runs
  /// whose order was seen once only. 1 before the first run.
  [[nodiscard]] double unseen() const;
  /// The same where no order was seen once only: what 95 % confidence allows then. For stop rules.
  [[nodiscard]] double unseen_at_most() const;
  [[nodiscard]] bool is_exact() const { return !sampled_; }

  /// "612 orders in 1000 runs; the next run shows something new with p ≈ 12 %".
  [[nodiscard]] std::string to_string() const;
  /// For another process to merge: letters and digits without spaces.
  [[nodiscard]] std::string to_sketch() const;
  /// Throws `std::invalid_argument` for a text that `to_sketch` did not write.
  [[nodiscard]] static Coverage from_sketch(std::string_view text);

  bool operator==(const Coverage&) const = default;

 private:
  void add(std::uint64_t digest, std::size_t times);
  [[nodiscard]] std::size_t kept_that_were_seen(std::size_t times) const;
  /// Up to which digest all that was seen is kept.
  [[nodiscard]] std::uint64_t last_known() const;
  /// How many orders each kept one stands for.
  [[nodiscard]] double scale() const;

  std::size_t runs_ = 0;
  bool sampled_ = false;
  std::map<std::uint64_t, std::size_t> counts_;  ///< the smallest digests
};

}  // namespace watchlab::sim
