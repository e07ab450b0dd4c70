#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "core/runtime/runtime.hpp"

namespace watchlab::sim {

/// Writes down where messages go, so that a picture can draw an arrow for each. A message is a
/// number; its notes have the kind `send`, `receive` or `lost`, the subject `m<number>` and the
/// text
/// `<from> <to> <what>`, where neither name contains a space. A message that was sent and neither
/// received nor lost was still on its way.
class MessageNotes {
 public:
  MessageNotes(runtime::Runtime& runtime, bool enabled) : runtime_(runtime), enabled_(enabled) {}

  /// Names the way of a message.
  struct Way {
    std::string_view from;
    std::string_view to;
    std::string_view what;
  };

  /// A message leaves. Returns its number.
  std::uint64_t send(const Way& way);
  void receive(std::uint64_t message, const Way& way) { write("receive", message, way); }
  /// A message will never arrive.
  void lost(std::uint64_t message, const Way& way) { write("lost", message, way); }
  [[nodiscard]] bool enabled() const { return enabled_; }

 private:
  void write(std::string_view kind, std::uint64_t message, const Way& way);

  runtime::Runtime& runtime_;
  bool enabled_;
  std::uint64_t next_ = 1;
};

}  // namespace watchlab::sim
