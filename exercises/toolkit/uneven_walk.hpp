#pragma once

#include <cstdint>
#include <unordered_map>

#include "sim/explore/random_numbers.hpp"
#include "sim/kernel/strategy.hpp"

namespace watchlab::course {

/// Hears of calls that tests make, each time while the calling task runs. One that throws does not
/// end.
class CallListener {
 public:
  CallListener() = default;
  CallListener(const CallListener&) = delete;
  CallListener& operator=(const CallListener&) = delete;
  virtual ~CallListener() = default;

  virtual void begins(std::uint32_t method) = 0;
  virtual void ends() = 0;
};

/// A random walk on which a task goes on past each operation of a call with a probability of its
/// own, drawn from `lot`: 0.1 to 0.9 for the n-th operation of which method, or of what kind
/// on which object outside of calls. How often other tasks run during a call does not tell then how
/// many operations the library needs for it, which tests could know libraries by.
class UnevenWalk final : public sim::Strategy, public CallListener {
 public:
  UnevenWalk(std::uint64_t seed, std::uint64_t lot) : seed_(seed), lot_(lot), numbers_(seed) {}

  [[nodiscard]] bool prepare(std::size_t run) override;
  [[nodiscard]] bool varies_seed() const override { return true; }
  [[nodiscard]] std::uint32_t choose(const sim::Choice& choice) override;
  [[nodiscard]] bool observes() const override { return true; }
  void executed(const sim::Actor& actor) override { running_ = &actor; }
  /// What is played next may be another strategy's run, whose tasks this does not see.
  void end(const sim::RunResult& /*result*/) override { running_ = nullptr; }

  void begins(std::uint32_t method) override;
  void ends() override;

 private:
  struct Call {
    std::uint32_t method;
    std::uint32_t began;  ///< how many operations the task had published
  };

  [[nodiscard]] std::uint64_t place_of(const sim::Actor& actor) const;

  std::uint64_t seed_;
  std::uint64_t lot_;
  sim::RandomNumbers numbers_;
  const sim::Actor* running_ = nullptr;
  std::unordered_map<std::uint64_t, Call> calls_;  ///< by the digest of its task
};

}  // namespace watchlab::course
