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

/// What a story writes down while it runs, as values: one list a layer, in the order in which
/// things happened, and never more than happened.
namespace watchlab::sim {

using cache::DeltaType;

/// A LIST or WATCH that a client sent; of an external client any request.
struct RequestRecord {
  runtime::TimePoint at;
  std::string client;
  Verb verb = Verb::List;
  api::ListOptions options;
  AnswerKind answer = AnswerKind::Pending;
  std::optional<StreamEnd> end;  ///< nothing when there is no stream
  /// When the answer was there, and for a WATCH when its stream had ended.
  std::optional<runtime::TimePoint> ended;
  std::uint64_t events = 0;  ///< of a WATCH: that the client has taken from the stream
  std::uint64_t lost = 0;    ///< of a WATCH: that a fault has made disappear
  /// Time since the same client's request before this one had ended, or had been sent if it has not
  /// ended; nothing for the first one.
  std::optional<runtime::Duration> delay;
  /// Of a request about one object: its key, "default/demo"; "" for one without a name.
  std::string key = {};
};

/// An event as it reached a client.
struct FrameRecord {
  runtime::TimePoint at;
  watch::Event event;
};

/// What a request was answered, in full.
struct AnswerRecord {
  std::optional<runtime::TimePoint> at;  ///< nothing while there is no answer
  std::optional<api::Error> error;       ///< instead of a list or a stream
  api::ObjectList list;                  ///< of a LIST that succeeded
  std::vector<FrameRecord> frames;       ///< of a WATCH
};

/// A delta that a client's consumer popped from its queue.
struct DeltaRecord {
  runtime::TimePoint at;
  std::string client;
  DeltaType type = DeltaType::Added;
  std::string key;
  api::ObjectPtr object;  ///< the last known one for a tombstone; may be null
  bool tombstone = false;
  bool initial = false;  ///< popped as a part of the first list
  bool failed = false;   ///< its consumer said so, and it is to be tried again
};

/// A state that a consumer took from a queue of newest states.
struct PopRecord {
  runtime::TimePoint at;
  std::string client;
  std::string key;
  api::ObjectPtr object;
  bool initial = false;  ///< popped as a part of the first list
  bool failed = false;   ///< its consumer said so, and puts it back
  /// Whether the queue said before this pop that everything of the first list was popped.
  bool synced = false;
};

/// What a reader of an indexed store was given.
struct ReadRecord {
  runtime::TimePoint at;
  std::string client;
  /// The label and value that were asked for: "colour=red"; "" when it was asked for `like`.
  std::string value;
  api::ObjectPtr like;  ///< what shares a label with this one; null when a value was asked for
  std::vector<api::ObjectPtr> objects;
};

/// A call of a handler.
struct CallRecord {
  runtime::TimePoint at;
  std::string client;
  std::string handler;
  CallType type = CallType::Add;
  std::string key;
  api::ObjectPtr object;  ///< the new one for an update; the last known one for a tombstone
  api::ObjectPtr before;  ///< the old one, for an update
  bool tombstone = false;
  bool initial = false;
  /// The revision that the client's store held of the key when the call began; "" when it held
  /// none.
  std::string cached;
  /// Whether the same handler was still in another call.
  bool overlaps = false;
  /// Of a call of the first list: whether the registration said already that its handler has
  /// synced; of shared informers only.
  bool synced = false;
  bool panics = false;  ///< it ended in a panic
  /// Which revision the client's store had come to before `cached` was read; "" where it says none.
  std::string reached = {};
};

/// A handler's place in a shared informer.
struct HandlerRecord {
  std::string client;
  std::string name;
  runtime::TimePoint joined;
  std::optional<runtime::TimePoint> left;    ///< a step of the story has removed it
  std::optional<runtime::TimePoint> synced;  ///< for a transcript, while it was there
  runtime::Duration resync{0};               ///< the period that it asked for; 0 for none
  runtime::Duration takes{0};                ///< that each of its calls takes
};

/// A client came to its end by itself.
struct EndRecord {
  runtime::TimePoint at;
  std::string client;
  EndCause cause = EndCause::Other;
};

/// Something that a program outside has said for the record.
struct SaidRecord {
  runtime::TimePoint at;
  std::string client;
  std::string text;
};

/// A state that the server gave an object, by any client.
struct WriteRecord {
  runtime::TimePoint at;
  std::string key;
  std::string revision;
  api::ObjectPtr object;      ///< null when it was deleted
  std::string resource = {};  ///< the collection: "configmaps", "deployments.apps"
};

/// A fault that the story injected.
struct FaultRecord {
  std::string name;
  std::string as;  ///< by what name it is healed
  bool legal = true;
  bool in_place = true;  ///< it was not healed
  runtime::TimePoint at;
  std::optional<runtime::TimePoint> healed;
  std::string of;  ///< the client that it hits; "" for all
  int line = 0;    ///< where a scenario file says it; 0 when none does
  /// Whether it acts is left to the schedule, so that it need not.
  bool choice = false;
  std::uint64_t id = 0;    ///< among the faults of the servers
  std::int64_t acted = 0;  ///< how many messages it touched; 1 for one that changed the servers
};

/// A client as it was when the story ended, before it was asked to.
struct ClientRecord {
  std::string name;
  std::string namespace_;
  std::string label_selector;
  std::string field_selector;
  bool started = false;
  bool stopped = false;   ///< a step of the story had stopped it
  bool informer = false;  ///< it has a handler
  bool synced = false;
  bool keeps_deltas = true;      ///< its deltas are in the record; a shared informer shows none
  bool keeps_store = true;       ///< it has a store that should equal the server
  bool workers = false;          ///< it has a work queue
  runtime::Duration resync{0};   ///< its period; 0 for none
  runtime::Duration slowest{0};  ///< that a call, a pause or a piece of work takes
  std::vector<std::string> handlers;  ///< those that are there
  std::string resource = {};          ///< the collection that it lists and watches
};

/// What was done with a key of a work queue.
struct WorkRecord {
  WorkType type = WorkType::Added;
  std::string key;
  std::string worker;
  std::string client;    ///< whose queue it is
  std::string revision;  ///< of Done: which state the worker had read; "" for none
  runtime::TimePoint at;
};

/// An index over the labels of a store's objects: sorted keys by "label=value".
using IndexRecord = std::map<std::string, std::vector<std::string>>;

/// Everything that was recorded, and the stores as they were when recording ended.
struct Record {
  runtime::TimePoint began;
  std::vector<RequestRecord> requests;
  /// What else clients that are ours have sent about one object, as a controller's writes.
  std::vector<RequestRecord> asked = {};
  /// One for each request of a story; none in records that are made by hand.
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
  /// When each client had synced, for a transcript.
  std::map<std::string, runtime::TimePoint> synced_at;
  std::map<std::string, runtime::TimePoint> stopped;  ///< clients that the script stopped
  runtime::TimePoint closed;                          ///< when recording ended
  std::vector<WriteRecord> writes;
  std::vector<FaultRecord> faults;
  std::vector<ClientRecord> clients;
  std::vector<WorkRecord> work;
  /// Which revision the store of each client says that it has come to; "" where it does not say.
  std::map<std::string, std::string> store_versions;
  /// The server's newest revision.
  std::string revision;
  /// Whether the story had become quiet, and nothing was done to it since.
  bool quiet = false;
  /// Clients from whom events were lost on a stream that was open at the end.
  std::vector<std::string> lost_events;
  /// Watches that were open although all clients had ended, in words.
  std::vector<std::string> left_open;
  /// Requests that had no answer although all clients had ended, in words.
  std::vector<std::string> left_pending;
  /// How long it took until all clients had ended.
  runtime::Duration ending{0};
  /// For a transcript: what happened from `asked_to_end` on, when all clients were asked to end,
  /// with the stores as they were when all had ended. Null otherwise.
  std::shared_ptr<const Record> afterwards;
  runtime::TimePoint asked_to_end;                  ///< for a transcript
  std::map<std::string, runtime::TimePoint> ended;  ///< when each client had, for a transcript
  /// By client, of those whose store has one.
  std::map<std::string, IndexRecord> indices;
  /// By client, of those whose store got another one when the story was over.
  std::map<std::string, IndexRecord> late_indices;
};

}  // namespace watchlab::sim
