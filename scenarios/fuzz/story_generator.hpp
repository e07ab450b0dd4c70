#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "scenarios/language/scenario.hpp"

namespace watchlab::scenarios {

/// A random story: a server with a few objects, one or two clients, objects that come, change and
/// go, and legal faults, all of which are healed before the end. The story ends when it is quiet,
/// and expects nothing by itself. The seed decides everything, on every platform.
[[nodiscard]] Scenario generate_story(std::uint64_t seed);

/// A random story in which much happens at once to few objects: they come, change, go and come
/// again in two namespaces while watches end, histories expire and consumers are slow, so that
/// lists meet what is still queued. One in twenty has more objects than fit on a page of a list.
///
/// Like `swarm_story`, which draws it for some of its seeds, it heals all faults and expects
/// nothing; the seed decides everything, on every platform.
[[nodiscard]] Scenario storm_story(std::uint64_t seed);

/// A random flood: more changes than a slow client can work on at once, so that many
/// keys wait in its queue while objects come, go and come back, while watches break off and lists
/// meet what is queued, while handlers join and leave, while a resync falls due, or while the
/// client is stopped. There are few kinds of faults: all that ends a watch, mostly so that a
/// list must follow.
///
/// Like `swarm_story`, which draws it for some of its seeds, it expects nothing but that the story
/// becomes quiet within half an hour of virtual time after the last step; none of its faults lasts.
/// The seed decides everything, on every platform.
[[nodiscard]] Scenario flood_story(std::uint64_t seed);

/// A random story for the fuzzer, from the whole language: objects that live and die, one to three
/// clients of all kinds, handlers that join and leave, clients that are restarted, lagging servers,
/// and legal faults, with some stories on the wire. Each story draws from a small part of all that,
/// another one each time (a swarm), so that what hides one another is rarely together.
///
/// The story has two phases. First the faults do what they like; then the last step of the script
/// heals all of them and starts the clients that have not started. From there the story must become
/// quiet within half an hour of virtual time, and then the invariants say what has to be true. It
/// expects nothing else. The seed decides everything, on every platform.
[[nodiscard]] Scenario swarm_story(std::uint64_t seed);

/// A story of the fuzzer, on the wire: its messages are HTTP in bytes, and some of its steps put
/// one of the legal faults in place that are about bytes. The step that heals the story heals them
/// too. The seed decides which.
[[nodiscard]] Scenario over_the_wire(Scenario story, std::uint64_t seed);

/// The names of the faults that it draws.
[[nodiscard]] std::vector<std::string_view> wire_fault_names();

/// The story with none to four labels on each object, which change with each write.
[[nodiscard]] Scenario labelled_story(Scenario story, std::uint64_t seed);
/// The story, in a third of the seeds with indexed stores that are read while they are filled
/// instead of informers.
[[nodiscard]] Scenario with_stores(Scenario story, std::uint64_t seed);
/// Whether a story of that seed has an outage that is longer than a lease; a tenth have,
/// but no floods.
[[nodiscard]] bool has_long_outage(std::uint64_t seed);
/// The story with such an outage somewhere, for that much longer.
[[nodiscard]] Scenario with_long_outage(Scenario story, std::uint64_t seed);

/// A story of the fuzzer about objects of another kind, custom resources among them, some of whose
/// updates are patches or server-side applies. The seed decides which. Stories with bulk
/// objects stay about ConfigMaps.
[[nodiscard]] Scenario varied_story(Scenario story, std::uint64_t seed);

// Stories whose transcripts another implementation lives through.

/// The story of the fuzzer with this seed, so that no two things of a client fall due at one
/// instant, where their order would be open: whatever takes its time takes some odd microseconds
/// more, as does each period of resyncs; a handler is removed in a step of its own; and a client
/// that puts keys back has one worker. All else in a story happens at whole milliseconds.
[[nodiscard]] Scenario compared_story(std::uint64_t seed);

/// A random story of one of eleven shapes that the other generators rarely come to: long histories
/// with many lists, one name in several namespaces, objects that leave a selector and come back,
/// handlers that come and go when a resync falls due, handlers with periods of their own, lists
/// whose pages expire, every answer of a server that fails, minutes of nothing but bookmarks,
/// watches that end about a second after they began, clients that are asked to end while much is on
/// its way, and handlers behind whose slow calls much is queued. No two things of a client fall due
/// at one instant, as in `compared_story`; the seed decides everything.
[[nodiscard]] Scenario shaped_story(std::uint64_t seed);
/// Whether that story is compared with its locks handed over to those who starve: every second one
/// with a slow handler is.
[[nodiscard]] bool locks_are_handed_over(std::uint64_t seed);
/// The same with times as they were drawn.
[[nodiscard]] Scenario drawn_shape(std::uint64_t seed);

/// A story of `generate_story` with illegal faults in it: frames without an object, of an unknown
/// type or kind, out of order, twice, or no JSON at all; lists without objects or a revision. What
/// the invariants say of it means nothing.
[[nodiscard]] Scenario illegal_story(std::uint64_t seed);

}  // namespace watchlab::scenarios
