#pragma once

// How an invariant is asked from the process that has the queue.
#include "exercises/16-state-it/invariants.hpp"
#include "exercises/toolkit/search.hpp"

namespace watchlab::exercise {

/// How an invariant is broken: by which step of which run; empty when it is not. Plays a small
/// story on the queue, in every order that there is with one preemption.
[[nodiscard]] course::Findings failures_of(const Invariant& invariant);

/// What the process of the library has.
using LibraryFunctions = course::Methods<&failures_of>;

}  // namespace watchlab::exercise

namespace watchlab::course {

template <>
struct Coded<exercise::Entry> {
  static void write(Peer& /*peer*/, ByteWriter& writer, const exercise::Entry& entry,
                    Published& /*published*/) {
    writer.text(entry.name);
    writer.number(static_cast<std::uint64_t>(entry.version));
  }
  static exercise::Entry read(Peer& /*peer*/, ByteReader& reader, Published& /*published*/) {
    exercise::Entry entry;
    entry.name = reader.text();
    entry.version = static_cast<int>(reader.number());
    return entry;
  }
};

template <>
struct Coded<exercise::Step> {
  static void write(Peer& peer, ByteWriter& writer, const exercise::Step& step,
                    Published& published) {
    writer.number(static_cast<std::uint64_t>(step.deed));
    Coded<exercise::Entry>::write(peer, writer, step.entry, published);
  }
  static exercise::Step read(Peer& peer, ByteReader& reader, Published& published) {
    const auto deed = static_cast<exercise::Deed>(reader.number());
    return {deed, Coded<exercise::Entry>::read(peer, reader, published)};
  }
};

template <>
struct Coded<exercise::Moment> {
  static void write(Peer& peer, ByteWriter& writer, const exercise::Moment& moment,
                    Published& published) {
    Coded<std::vector<exercise::Step>>::write(peer, writer, moment.steps, published);
    Coded<std::vector<exercise::Entry>>::write(peer, writer, moment.waiting, published);
  }
  static exercise::Moment read(Peer& peer, ByteReader& reader, Published& published) {
    exercise::Moment moment;
    moment.steps = Coded<std::vector<exercise::Step>>::read(peer, reader, published);
    moment.waiting = Coded<std::vector<exercise::Entry>>::read(peer, reader, published);
    return moment;
  }
};

template <>
struct Coded<exercise::Invariant> {
  using Holds = std::function<bool(const exercise::Moment&)>;

  static void write(Peer& peer, ByteWriter& writer, const exercise::Invariant& invariant,
                    Published& published) {
    writer.text(invariant.name);
    Coded<Holds>::write(peer, writer, invariant.holds, published);
  }
  static exercise::Invariant read(Peer& peer, ByteReader& reader, Published& published) {
    std::string name(reader.text());
    return {std::move(name), Coded<Holds>::read(peer, reader, published)};
  }
};

}  // namespace watchlab::course
