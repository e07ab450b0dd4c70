#pragma once

#include <sys/types.h>

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/http/lockstep/partner_frames.hpp"

namespace watchlab::sim {

struct PartnerCommand {
  std::vector<std::string> words;  ///< the program and its arguments
  std::string folder;              ///< where it runs; "" for here
  std::uint64_t seed = 0;          ///< it finds it in WATCHLAB_SEED, before it is greeted
  /// Of real time, for one answer, in which nothing of the program could run: on a busy machine
  /// what could does not count, up to `kPatience` times as long.
  std::chrono::milliseconds answer_max = std::chrono::minutes(1);
  /// Of its processor time, for one answer: what needs more does not wait, and never will.
  std::chrono::milliseconds computes_max = std::chrono::seconds(3);
};

/// A program in a process group of its own, which is ended with the link. It finds its end of the
/// connection as a descriptor, whose number WATCHLAB_LOCKSTEP says. What it prints is kept, and
/// stands in the message when it fails.
class PartnerProcess final : public PartnerLink {
 public:
  /// Throws `std::invalid_argument`, with a sentence, when there is no such program or folder, and
  /// `std::runtime_error` when the system cannot start one.
  explicit PartnerProcess(PartnerCommand command);
  ~PartnerProcess() override;

  [[nodiscard]] api::Result<void> greet(const PartnerHello& hello) override;
  [[nodiscard]] api::Result<FrameFromPartner> exchange(const FrameToPartner& frame) override;
  [[nodiscard]] api::Result<void> finish() override;
  void kill() override;

 private:
  static constexpr int kPatience = 10;

  void start();
  [[nodiscard]] api::Result<void> send(std::string_view bytes);
  [[nodiscard]] api::Result<std::string> receive(std::size_t size);
  [[nodiscard]] api::Result<std::string> receive_line();
  [[nodiscard]] api::Error silence(std::chrono::milliseconds waited);
  [[nodiscard]] api::Error circles();
  [[nodiscard]] api::Error gone();
  [[nodiscard]] bool ends_within(std::chrono::milliseconds time);
  [[nodiscard]] std::string stacks();
  [[nodiscard]] std::string output_from(std::size_t begin, std::size_t max) const;
  /// The end of what it has printed, each line indented, or the words of its panic; "" for nothing.
  [[nodiscard]] std::string printed() const;

  PartnerCommand command_;
  pid_t process_ = -1;
  int socket_ = -1;
  int output_ = -1;
  std::optional<int> status_;  // as waitpid says it
  std::string received_;       // that was not asked for yet
  std::array<char, std::size_t{1} << 16U> chunk_{};
};

}  // namespace watchlab::sim
