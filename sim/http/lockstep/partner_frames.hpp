#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/api/result.hpp"
#include "core/runtime/time.hpp"

/// What a world and a program outside of it say to each other, as values and as text. First each
/// says a line, the hello; then the world sends frames and gets one back for each. A frame is a
/// length of four bytes, the highest first, and that much JSON. docs/go.md describes it.
namespace watchlab::sim {

/// Of the lines and frames; both sides must speak the same.
inline constexpr std::int64_t kPartnerProtocol = 1;
/// A longer one is none.
inline constexpr std::size_t kPartnerFrameMax = std::size_t{64} << 20;
inline constexpr std::size_t kPartnerPrefixSize = 4;

/// What a program is told when it starts.
struct PartnerHello {
  std::string client;        ///< who it is in the story
  std::string scenario;      ///< the name of the story
  std::uint64_t seed = 1;    ///< of all that it draws
  std::int64_t life = 1;     ///< counts the starts of this client
  runtime::TimePoint epoch;  ///< the moment at which it starts
  bool chosen = false;       ///< the world chooses which of its goroutines goes next
};

/// One thing about a connection, or a note.
struct PartnerEvent {
  enum class Kind : std::uint8_t {
    Dial,   ///< from the program: it wants that connection
    Open,   ///< to it: there it is
    Data,   ///< bytes, both ways
    Eof,    ///< to it: no more will come
    Reset,  ///< to it: the connection is broken
    Close,  ///< from it: it has closed its end
    Note,   ///< from it: something for the record
  };

  Kind kind = Kind::Data;
  std::int64_t connection = 0;  ///< the program's number for it; 0 for a note
  std::string text{};           ///< the bytes, or the note

  bool operator==(const PartnerEvent&) const = default;
};

struct FrameToPartner {
  std::vector<PartnerEvent> events;  ///< what happens to it now; then it must not let time pass
  runtime::TimePoint until;          ///< it may go so far, and must come back at the latest then
  bool stop = false;                 ///< it shall end, as after a SIGTERM
  bool alone = false;                ///< the world is no more: it ends by itself, on its own time
  /// Drawn ahead for the choices among its goroutines, a byte for each; 0 is the default order.
  std::string turns{};
};

/// A goroutine that went before the one whose turn it was.
struct PartnerSwap {
  std::string place;  ///< "1.1.2@3:1.1.1": before its third step, 1.1.2 stopped and 1.1.1 went on
  std::string text;   ///< for people

  bool operator==(const PartnerSwap&) const = default;
};

struct FrameFromPartner {
  runtime::TimePoint now;  ///< where it has come to
  std::vector<PartnerEvent> events;
  bool done = false;                 ///< it has ended
  std::string failed;                ///< why it cannot continue, in a message; "" when it can
  std::size_t taken = 0;             ///< of the turns
  std::vector<PartnerSwap> swaps{};  ///< what they have changed
};

/// The line without its line feed.
[[nodiscard]] std::string hello_line(const PartnerHello& hello);
/// Fails, with a message, for a line that is no hello or of another version.
[[nodiscard]] api::Result<void> read_hello(std::string_view line);

/// With its length before it.
[[nodiscard]] std::string frame_text(const FrameToPartner& frame);
/// How long the frame is that begins with these four bytes; fails for one that is too long.
[[nodiscard]] api::Result<std::size_t> frame_size(std::string_view prefix);
/// Fails, with a message that shows how it begins, for what is no frame.
[[nodiscard]] api::Result<FrameFromPartner> frame_from(std::string_view json);

/// Brings what was said at one instant into an order that does not depend on the one in which the
/// program's goroutines ran: by content, the events of each connection in their own order.
void put_in_canonical_order(std::vector<PartnerEvent>& events);

/// A failure of the partner as the rest of this folder reports it.
[[nodiscard]] api::Error partner_failure(std::string message);

/// The way to a program that shares a world's clock. Its calls block in real time, in which no
/// virtual time passes. A failure says what the program did, so that its name can stand before it:
/// "sent what is no frame: …". One of the kind Timeout has cost seconds of real time. After a
/// failure only `kill` may follow. One thread.
class PartnerLink {
 public:
  PartnerLink() = default;
  PartnerLink(const PartnerLink&) = delete;
  PartnerLink& operator=(const PartnerLink&) = delete;
  /// Ends the program, if it runs.
  virtual ~PartnerLink() = default;

  /// Says hello and hears it. To be called first.
  [[nodiscard]] virtual api::Result<void> greet(const PartnerHello& hello) = 0;
  [[nodiscard]] virtual api::Result<FrameFromPartner> exchange(const FrameToPartner& frame) = 0;
  /// Waits for the end of a program that has said that it is done. Fails when it ended badly.
  [[nodiscard]] virtual api::Result<void> finish() = 0;
  /// Ends it at once, as a crash does.
  virtual void kill() = 0;
};

}  // namespace watchlab::sim
