#pragma once

#include <memory>
#include <string>
#include <vector>

#include "sim/faults/fault.hpp"

/// What the faults that change events have in common.
namespace watchlab::sim {

/// Judges events only; everything else passes.
class EventFault : public Fault {
 public:
  Verdict judge(const Passage& passage) final {
    return passage.stage == Stage::Frame ? on_event(passage, *passage.event) : Verdict(Pass{});
  }

 private:
  virtual Verdict on_event(const Passage& passage, const watch::Event& event) = 0;
};

/// Whether the event tells of an object, not of a bookmark or an error.
[[nodiscard]] bool is_change(const watch::Event& event);
/// The event with another revision on its object.
[[nodiscard]] watch::Event with_revision(const watch::Event& event, const std::string& revision);
/// An ERROR event with that status.
[[nodiscard]] watch::Event error_event(api::Status status);
/// What a client's decoder makes of bytes that are no event: an ERROR event with the code 500 and
/// the cause ClientWatchDecoding.
[[nodiscard]] watch::Event undecodable_event(const std::string& why);

}  // namespace watchlab::sim
