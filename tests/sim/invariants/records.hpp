#pragma once

#include <boost/test/unit_test.hpp>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "sim/invariants/invariant_catalogue.hpp"
#include "sim/record/record.hpp"

/// Records made by hand, for tests of invariants.
namespace watchlab::tests {

using namespace watchlab::sim;

inline api::ObjectPtr object(const std::string& name, const std::string& revision) {
  api::Object made;
  made.metadata.namespace_ = "default";
  made.metadata.name = name;
  made.metadata.resource_version = revision;
  return std::make_shared<const api::Object>(std::move(made));
}

inline DeltaRecord delta(DeltaType type, const std::string& name, const std::string& revision) {
  DeltaRecord made;
  made.client = "informer";
  made.type = type;
  made.key = "default/" + name;
  made.object = object(name, revision);
  return made;
}

inline CallRecord call(CallType type, const std::string& name, const std::string& revision) {
  CallRecord made;
  made.client = "informer";
  made.handler = "handler";
  made.type = type;
  made.key = "default/" + name;
  made.object = object(name, revision);
  made.cached = type == CallType::Delete ? "" : revision;
  return made;
}

inline RequestRecord request(Verb verb, const std::string& revision) {
  RequestRecord made;
  made.client = "informer";
  made.verb = verb;
  made.options.resource_version = revision;
  made.answer = AnswerKind::Ok;
  return made;
}

inline FrameRecord frame(watch::EventType type, const std::string& name,
                         const std::string& revision) {
  FrameRecord made;
  made.event = {type, object(name, revision)};
  return made;
}

/// Two objects, of which one is changed and the other deleted, and an informer that knows it all.
inline Record good_record() {
  Record record;
  record.quiet = true;
  record.revision = "5";
  record.writes = {{.key = "default/a", .revision = "2", .object = object("a", "2")},
                   {.key = "default/b", .revision = "3", .object = object("b", "3")},
                   {.key = "default/a", .revision = "4", .object = object("a", "4")},
                   {.key = "default/b", .revision = "5", .object = nullptr}};
  record.clients = {{.name = "informer",
                     .started = true,
                     .informer = true,
                     .synced = true,
                     .handlers = {"handler"}}};
  record.requests = {request(Verb::List, "0"), request(Verb::Watch, "3")};
  record.requests.back().end = StreamEnd::Open;
  record.requests.back().delay = runtime::Duration::zero();
  record.answers.resize(2);
  record.answers[0].list.resource_version = "3";
  record.answers[0].list.items = {object("a", "2"), object("b", "3")};
  record.answers[1].frames = {frame(watch::EventType::Modified, "a", "4"),
                              frame(watch::EventType::Deleted, "b", "5")};
  record.deltas = {delta(DeltaType::Replaced, "a", "2"), delta(DeltaType::Replaced, "b", "3"),
                   delta(DeltaType::Updated, "a", "4"), delta(DeltaType::Deleted, "b", "5")};
  record.deltas[0].initial = record.deltas[1].initial = true;
  record.calls = {call(CallType::Add, "a", "2"), call(CallType::Add, "b", "3"),
                  call(CallType::Update, "a", "4"), call(CallType::Delete, "b", "5")};
  record.calls[0].initial = record.calls[1].initial = true;
  record.calls[2].before = object("a", "2");
  record.stores["informer"] = {object("a", "4")};
  record.work = {{WorkType::Added, "default/a", ""},
                 {WorkType::Taken, "default/a", "one"},
                 {WorkType::Done, "default/a", "one"}};
  return record;
}

/// What the invariant of that name says of a record.
inline Finding finding_of(std::string_view name, const Record& record) {
  for (const Invariant& invariant : invariant_catalogue()) {
    if (invariant.name == name) {
      return invariant.check(record);
    }
  }
  BOOST_FAIL("there is no invariant " << name);
  return std::nullopt;
}

inline void check_breaks(std::string_view name, const Record& record, std::string_view words) {
  const Finding finding = finding_of(name, record);
  BOOST_REQUIRE(finding.has_value());
  BOOST_TEST(finding->find(words) != std::string::npos, *finding << " lacks " << words);
}

}  // namespace watchlab::tests
