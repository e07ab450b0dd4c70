#include "sim/story/recorder.hpp"

#include <algorithm>
#include <utility>

#include "sim/apiserver/resource_type.hpp"

namespace watchlab::sim {
namespace {

/// The end of a request: of its stream, or of its answer, or its beginning while it continues.
runtime::TimePoint end_of(const RequestRecord& request) {
  return request.ended.value_or(request.at);
}

RequestRecord request_from(const Exchange& exchange) {
  RequestRecord request;
  request.at = exchange.sent;
  request.client = exchange.request.client;
  request.verb = exchange.request.verb;
  request.options = exchange.request.options;
  const api::ObjectPtr& object = exchange.request.object;
  const std::string& name = object != nullptr ? object->metadata.name : exchange.request.name;
  request.key = name.empty() ? "" : api::key_from(exchange.request.namespace_, name);
  request.answer = exchange.answer;
  request.end = exchange.end;
  request.events = exchange.events;
  request.lost = exchange.lost;
  request.ended = exchange.ended;
  if (!request.ended && !request.end) {
    request.ended = exchange.answered;
  }
  return request;
}

bool lists_or_watches(const Exchange& exchange) {
  return exchange.request.verb == Verb::List || exchange.request.verb == Verb::Watch;
}

/// An update that brings nothing new, as a resync does.
bool repeats(const CallRecord& call) {
  return call.before && call.object &&
         call.before->metadata.resource_version == call.object->metadata.resource_version;
}

}  // namespace

Recorder::Recorder(runtime::Runtime& runtime)
    : runtime_(runtime), mutex_(runtime, "recorder"), changed_(runtime, "recorded") {
  record_.began = last_ = runtime.now();
}

template <typename Write>
void Recorder::write(bool periodic, Write write_down) {
  const runtime::TimePoint now = runtime_.now();
  runtime::Lock lock(mutex_);
  write_down(now);
  if (closed_) {
    return;
  }
  if (!periodic) {
    last_ = now;
  }
  has_written();
}

void Recorder::has_written() {
  ++written_;
  if (listener_) {
    listener_(record_);
  }
  if (waiting_ > 0) {
    changed_.notify_all();
  }
}

template <typename Entry>
void Recorder::append(std::vector<Entry> Record::*entries, Entry entry, bool periodic) {
  write(periodic, [&](runtime::TimePoint now) {
    entry.at = now;
    (record_.*entries).push_back(std::move(entry));
  });
}

bool Recorder::is_recorded(const Exchange& exchange) const {
  if (outsiders_.empty()) {
    return lists_or_watches(exchange);
  }
  const std::string& client = exchange.request.client;
  return outsiders_.contains(client) || (ours_.contains(client) && lists_or_watches(exchange));
}

void Recorder::changed(const Exchange& exchange) {
  if (!is_recorded(exchange)) {
    if (ours_.contains(exchange.request.client)) {
      asked(exchange);
    }
    return;
  }
  runtime::Lock lock(mutex_);
  const auto [place, is_new] = request_of_.try_emplace(exchange.number, record_.requests.size());
  if (is_new) {
    RequestRecord request = request_from(exchange);
    const auto before =
        std::find_if(record_.requests.rbegin(), record_.requests.rend(),
                     [&](const RequestRecord& each) { return each.client == request.client; });
    if (before != record_.requests.rend() && !closed_) {
      request.delay = request.at - end_of(*before);
    }
    record_.requests.push_back(std::move(request));
  }
  if (closed_) {
    return;
  }
  if (!is_new) {
    RequestRecord& known = record_.requests[place->second];
    if (known.answer == exchange.answer && known.end == exchange.end) {
      return;  // events on a stream: they show in what they cause
    }
    const auto delay = known.delay;
    known = request_from(exchange);
    known.delay = delay;
  }
  last_ = runtime_.now();
  has_written();
}

void Recorder::asked(const Exchange& exchange) {
  if (!announces_writes_) {
    asked_[exchange.number] = request_from(exchange);
    return;
  }
  const runtime::Lock lock(mutex_);
  asked_[exchange.number] = request_from(exchange);
  record_.asked.clear();
  for (const auto& [number, request] : asked_) {
    record_.asked.push_back(request);
  }
  if (!closed_) {
    has_written();
  }
}

void Recorder::answered(const Exchange& exchange, const api::Result<Response>& outcome) {
  AnswerRecord& answer = answers_[exchange.number];
  answer.at = exchange.answered;
  if (!outcome) {
    answer.error = outcome.error();
  } else if (const auto* list = std::get_if<api::ObjectList>(&outcome->answer)) {
    answer.list = *list;
  }
}

void Recorder::arrived(const Exchange& exchange, const watch::Event& event) {
  answers_[exchange.number].frames.push_back({runtime_.now(), event});
  if (notes_marks_ && event.type == watch::EventType::Bookmark &&
      event.object->metadata.annotations.contains(std::string(api::kInitialEventsEnd))) {
    write(true, [](runtime::TimePoint) {});
  }
}

void Recorder::wrote(const Change& change) {
  writes_.push_back({.at = change.at,
                     .key = change.key,
                     .revision = revision_text(change.revision),
                     .object = change.type == watch::EventType::Deleted ? nullptr : change.object,
                     .resource = qualified_name(*change.resource)});
}

void Recorder::stopped(const std::string& client) {
  write(true, [&](runtime::TimePoint now) { record_.stopped.try_emplace(client, now); });
}

void Recorder::popped(DeltaRecord delta) {
  const bool resyncs = delta.type == DeltaType::Sync;
  append(&Record::deltas, std::move(delta), resyncs);
}

void Recorder::popped(PopRecord pop) { append(&Record::pops, std::move(pop), false); }

void Recorder::read(ReadRecord read) { append(&Record::reads, std::move(read), true); }

void Recorder::called(CallRecord call) {
  write(repeats(call), [&](runtime::TimePoint now) {
    call.at = now;
    record_.calls.push_back(std::move(call));
    ++busy_;
  });
}

void Recorder::paused() {
  write(true, [&](runtime::TimePoint) { ++busy_; });
}

void Recorder::rested() {
  write(true, [&](runtime::TimePoint) { --busy_; });
}

void Recorder::ended(EndRecord end) { append(&Record::ends, std::move(end), false); }

void Recorder::noted(SaidRecord note) { append(&Record::notes, std::move(note), false); }

void Recorder::worked(WorkRecord work, bool repeats) {
  append(&Record::work, std::move(work), repeats);
}

void Recorder::joined(HandlerRecord handler) {
  write(true, [&](runtime::TimePoint now) {
    handler.joined = now;
    record_.handlers.push_back(std::move(handler));
  });
}

void Recorder::left(const std::string& client, const std::string& handler) {
  write(true, [&](runtime::TimePoint now) {
    for (HandlerRecord& each : record_.handlers) {
      if (each.client == client && each.name == handler) {
        each.left = now;
      }
    }
  });
}

bool Recorder::wait_until(const std::function<bool(const Record&)>& holds,
                          runtime::TimePoint deadline) {
  runtime::Lock lock(mutex_);
  ++waiting_;
  bool held = holds(record_);
  while (!held && changed_.wait_until(lock, end_of_wait(deadline))) {
    held = holds(record_);
  }
  --waiting_;
  return held || holds(record_);
}

void Recorder::rest_until(runtime::TimePoint deadline) {
  runtime::Lock lock(mutex_);
  ++waiting_;
  while (changed_.wait_until(lock, end_of_wait(deadline))) {
  }
  --waiting_;
}

void Recorder::interrupt(runtime::TimePoint at) {
  const runtime::Lock lock(mutex_);
  interrupted_at_ = at;
  changed_.notify_all();
}

bool Recorder::interrupted() {
  const runtime::TimePoint now = runtime_.now();
  const runtime::Lock lock(mutex_);
  return interrupted_at_ && *interrupted_at_ <= now;
}

void Recorder::wait_for_news(runtime::TimePoint deadline) {
  runtime::Lock lock(mutex_);
  ++waiting_;
  (void)changed_.wait_until(lock, deadline);
  --waiting_;
}

std::optional<std::uint64_t> Recorder::wait_for_more(std::uint64_t than) {
  runtime::Lock lock(mutex_);
  ++waiting_;
  while (!closed_ && written_ <= than) {
    changed_.wait(lock);
  }
  --waiting_;
  return closed_ ? std::nullopt : std::optional(written_);
}

Recorder::Activity Recorder::activity() {
  runtime::Lock lock(mutex_);
  return {last_, busy_ > 0};
}

Record Recorder::close() {
  const runtime::TimePoint now = runtime_.now();
  runtime::Lock lock(mutex_);
  closed_ = true;
  record_.closed = now;
  if (waiting_ > 0) {
    changed_.notify_all();
  }
  Record closed = std::exchange(record_, {});
  record_.began = closed.began;
  return closed;
}

Record Recorder::afterwards() {
  const runtime::Lock lock(mutex_);
  return record_;
}

void Recorder::complete(Record& record, const std::vector<Exchange>& exchanges) {
  const runtime::Lock lock(mutex_);
  record.writes = writes_;
  record.asked.clear();
  for (const auto& [number, request] : asked_) {
    if (request.at <= record.closed) {
      record.asked.push_back(request);
    }
  }
  record.answers.resize(record.requests.size());
  for (const Exchange& exchange : exchanges) {
    const auto found = request_of_.find(exchange.number);
    if (found == request_of_.end() || found->second >= record.requests.size()) {
      continue;
    }
    RequestRecord& request = record.requests[found->second];
    request.events = exchange.events;
    request.lost = exchange.lost;
    if (const auto answer = answers_.find(exchange.number); answer != answers_.end()) {
      record.answers[found->second] = answer->second;
    }
  }
}

}  // namespace watchlab::sim
