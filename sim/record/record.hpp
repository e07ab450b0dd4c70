#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/api/error.hpp"
#include "core/api/object.hpp"
#include "core/api/options.hpp"
#include "core/cache/queue.hpp"
#include "core/runtime/time.hpp"
#include "core/watch/watch.hpp"
#include "sim/apiserver/request.hpp"
#include "sim/record/vocabulary.hpp"

/// What a story records while it runs, as plain values: one list per layer, in the order in which
/// things happened. The lists only grow.
namespace watchlab::sim {

using cache::DeltaType;

/// A LIST or WATCH that a client sent; for an external client, any request.
struct RequestRecord {
  runtime::TimePoint at;
  std::string client;
  Verb verb = Verb::List;
  api::ListOptions options;
  AnswerKind answer = AnswerKind::Pending;
  std::optional<StreamEnd> end;  ///< nothing if there is no stream
  /// When the answer arrived; for a WATCH, when its stream ended.
  std::optional<runtime::TimePoint> ended;
  std::uint64_t events = 0;  ///< for a WATCH: events that the client has taken from the stream
  std::uint64_t lost = 0;    ///< for a WATCH: events that a fault has dropped
  /// Time since the client's previous request ended, or was sent if it has not ended; nothing for
  /// the first request.
  std::optional<runtime::Duration> delay;
  /// For a request about one object: its key, such as "default/demo"; "" for an object without a
  /// name.
  std::string key = {};
};

/// An event as it reached a client.
struct FrameRecord {
  runtime::TimePoint at;
  watch::Event event;
};

/// The full answer to a request.
struct AnswerRecord {
  std::optional<runtime::TimePoint> at;  ///< nothing while there is no answer
  std::optional<api::Error> error;       ///< instead of a list or a stream
  api::ObjectList list;                  ///< for a LIST that succeeded
  std::vector<FrameRecord> frames;       ///< for a WATCH
};

/// A delta that a client's consumer popped from its queue.
struct DeltaRecord {
  runtime::TimePoint at;
  std::string client;
  DeltaType type = DeltaType::Added;
  std::string key;
  api::ObjectPtr object;  ///< for a tombstone the last known one; may be null
  bool tombstone = false;
  bool initial = false;  ///< popped as part of the first list
  bool failed = false;   ///< its consumer reported a failure, and it will be retried
};

/// A state that a consumer took from a queue of newest states.
struct PopRecord {
  runtime::TimePoint at;
  std::string client;
  std::string key;
  api::ObjectPtr object;
  bool initial = false;  ///< popped as part of the first list
  bool failed = false;   ///< its consumer reported a failure and puts it back
  /// Whether the queue said before this pop that all of the first list had been popped.
  bool synced = false;
};

/// What a read of an indexed store returned.
struct ReadRecord {
  runtime::TimePoint at;
  std::string client;
  /// The requested label and value, such as "colour=red"; "" for a read by `like`.
  std::string value;
  api::ObjectPtr like;  ///< the object whose labels the results share; null for a read by value
  std::vector<api::ObjectPtr> objects;
};

/// A call of a handler.
struct CallRecord {
  runtime::TimePoint at;
  std::string client;
  std::string handler;
  CallType type = CallType::Add;
  std::string key;
  api::ObjectPtr object;  ///< for an update the new one; for a tombstone the last known one
  api::ObjectPtr before;  ///< for an update: the old one
  bool tombstone = false;
  bool initial = false;
  /// The revision of the key in the client's store when the call started; "" if it was not there.
  std::string cached;
  /// Whether the same handler was still in another call.
  bool overlaps = false;
  /// For a call of the first list, and shared informers only: whether the registration already
  /// reported that its handler has synced.
  bool synced = false;
  bool panics = false;  ///< the call ended in a panic
  /// The revision that the client's store had reached before `cached` was read; "" if the store
  /// does not report one.
  std::string reached = {};
};

/// A handler of a shared informer.
struct HandlerRecord {
  std::string client;
  std::string name;
  runtime::TimePoint joined;
  std::optional<runtime::TimePoint> left;    ///< when a step of the story removed it
  std::optional<runtime::TimePoint> synced;  ///< while it was there; for a transcript
  runtime::Duration resync{0};               ///< the requested period; 0 for none
  runtime::Duration takes{0};                ///< how long each of its calls takes
};

/// A client ended by itself.
struct EndRecord {
  runtime::TimePoint at;
  std::string client;
  EndCause cause = EndCause::Other;
};

/// A note that an external program has written.
struct SaidRecord {
  runtime::TimePoint at;
  std::string client;
  std::string text;
};

/// A state that an object got on the server, whichever client wrote it.
struct WriteRecord {
  runtime::TimePoint at;
  std::string key;
  std::string revision;
  api::ObjectPtr object;      ///< null for a deletion
  std::string resource = {};  ///< the collection: "configmaps", "deployments.apps"
};

/// A fault that the story injected.
struct FaultRecord {
  std::string name;
  std::string as;  ///< the name for healing it
  bool legal = true;
  bool in_place = true;  ///< it has not been healed
  runtime::TimePoint at;
  std::optional<runtime::TimePoint> healed;
  std::string of;  ///< the client that it hits; "" for all
  int line = 0;    ///< its line in the scenario file; 0 if there is none
  /// Whether the schedule decides if it acts, so that it may never act.
  bool choice = false;
  std::uint64_t id = 0;    ///< its number among the faults of the servers
  std::int64_t acted = 0;  ///< messages it affected; 1 if it changed the servers
};

/// A client as it was when the story ended, before it was stopped.
struct ClientRecord {
  std::string name;
  std::string namespace_;
  std::string label_selector;
  std::string field_selector;
  bool started = false;
  bool stopped = false;   ///< a step of the story stopped it
  bool informer = false;  ///< it has a handler
  bool synced = false;
  bool keeps_deltas = true;      ///< its deltas are in the record; not for shared informers
  bool keeps_store = true;       ///< it has a store that should equal the server
  bool workers = false;          ///< it has a work queue
  runtime::Duration resync{0};   ///< its period; 0 for none
  runtime::Duration slowest{0};  ///< the longest time that a call, a pause or a piece of work takes
  std::vector<std::string> handlers;  ///< the handlers that are present
  std::string resource = {};          ///< the collection that it lists and watches
};

/// Something that happened to a key of a work queue.
struct WorkRecord {
  WorkType type = WorkType::Added;
  std::string key;
  std::string worker;
  std::string client;    ///< whose queue it is
  std::string revision;  ///< for Done: the state that the worker had read; "" for none
  runtime::TimePoint at;
};

/// An index over the labels of a store's objects: sorted keys for each "label=value".
using IndexRecord = std::map<std::string, std::vector<std::string>>;

/// Everything that was recorded, and the stores as they were when recording ended.
struct Record {
  runtime::TimePoint began;
  std::vector<RequestRecord> requests;
  /// Other requests about one object by simulated clients, such as the writes of a controller.
  std::vector<RequestRecord> asked = {};
  /// One for each request of a story; empty in handmade records.
  std::vector<AnswerRecord> answers;
  std::vector<DeltaRecord> deltas;
  std::vector<PopRecord> pops;
  std::vector<ReadRecord> reads;
  std::vector<CallRecord> calls;
  std::vector<EndRecord> ends;
  std::vector<SaidRecord> notes;                              ///< of clients of the kind go
  std::vector<HandlerRecord> handlers;                        ///< of shared informers
  std::map<std::string, std::vector<api::ObjectPtr>> stores;  ///< by client, in key order
  std::map<std::string, bool> synced;                         ///< by client, for a transcript
  /// When each client synced, for a transcript.
  std::map<std::string, runtime::TimePoint> synced_at;
  std::map<std::string, runtime::TimePoint> stopped;  ///< clients that the script stopped
  runtime::TimePoint closed;                          ///< when recording ended
  std::vector<WriteRecord> writes;
  std::vector<FaultRecord> faults;
  std::vector<ClientRecord> clients;
  std::vector<WorkRecord> work;
  /// The revision that each client's store reports; "" if it does not report one.
  std::map<std::string, std::string> store_versions;
  /// The server's newest revision.
  std::string revision;
  /// Whether the story had become quiet and nothing was done to it afterwards.
  bool quiet = false;
  /// Clients that lost events on a stream that was open at the end.
  std::vector<std::string> lost_events;
  /// Watches that were still open after all clients had ended, in words.
  std::vector<std::string> left_open;
  /// Requests that were still unanswered after all clients had ended, in words.
  std::vector<std::string> left_pending;
  /// How long it took until all clients had ended.
  runtime::Duration ending{0};
  /// For a transcript: what happened from `asked_to_end` on, when all clients were stopped, with
  /// the stores as they were when all had ended. Otherwise null.
  std::shared_ptr<const Record> afterwards;
  runtime::TimePoint asked_to_end;                  ///< for a transcript
  std::map<std::string, runtime::TimePoint> ended;  ///< when each client ended, for a transcript
  /// By client, for clients whose store has an index.
  std::map<std::string, IndexRecord> indices;
  /// By client, for clients whose store got another index when the story was over.
  std::map<std::string, IndexRecord> late_indices;
};

}  // namespace watchlab::sim
