#include <algorithm>
#include <boost/json.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "core/features/release_profile.hpp"
#include "tests/scenarios/report/played.hpp"

using namespace watchlab;
using namespace watchlab::tests;
using namespace watchlab::scenarios;

BOOST_AUTO_TEST_SUITE(page_record_test)

namespace {

namespace json = boost::json;

/// What the server has written by a step: how many of the record's writes.
std::size_t written_by(const PlayedStory& story, std::size_t step) {
  return static_cast<std::size_t>(std::ranges::count_if(
      story.seen.witness.result.notes,
      [&](const sim::NoteRecord& note) { return note.kind == "write" && note.step <= step; }));
}

/// The server's part of the state, of the record alone: log and objects after so many writes.
json::object recorded_server(const json::object& data, const sim::Record& record,
                             std::size_t writes) {
  json::object log;
  json::object objects;
  for (std::size_t i = 0; i < writes; ++i) {
    const sim::WriteRecord& write = record.writes[i];
    const json::array& keys = data.at("keys").as_array();
    const auto key =
        static_cast<std::size_t>(std::ranges::find(keys, json::value(write.key)) - keys.begin());
    const std::string resource = write.resource.substr(0, write.resource.find('.'));
    log[std::to_string(i)] = json::array{write.revision, write.object == nullptr, key, resource};
    const std::string name = resource + "/" + std::to_string(key);
    if (write.object == nullptr) {
      objects.erase(name);
    } else {
      objects[name] = write.revision;
    }
  }
  return {{"log", log}, {"objects", objects}};
}

json::object shown_server(const json::value& state) {
  json::object log;
  for (const auto& [number, entry] : state.at("server").at("log").as_object()) {
    log[number] = json::array{entry.at(0), text_of(entry.at(1)) == "DELETED",
                              entry.at(2).to_number<std::size_t>(), entry.at(3)};
  }
  return {{"log", log}, {"objects", state.at("server").at("objects")}};
}

/// A store as the deltas of the record leave it one after another, and which of these states is
/// shown: never an earlier one than before, and never one of a delta that is not yet popped.
class RecordedStore {
 public:
  RecordedStore(const PlayedStory& story, std::string client) : client_(std::move(client)) {
    std::map<std::string, std::string> store;
    states_.push_back(store);
    popped_.push_back(0);
    for (const Growth& growth : story.seen.growth) {
      const sim::DeltaRecord* const delta =
          growth.list == RecordKind::Deltas ? &story.seen.record->deltas.at(growth.index) : nullptr;
      if (delta == nullptr || delta->client != client_) {
        continue;
      }
      if (delta->type == cache::DeltaType::Deleted) {
        store.erase(delta->key);
      } else {
        store[delta->key] = delta->object->metadata.resource_version;
      }
      states_.push_back(store);
      popped_.push_back(growth.step);
    }
  }
  [[nodiscard]] bool shows(const std::map<std::string, std::string>& shown, std::size_t step) {
    while (states_[at_] != shown && at_ + 1 < states_.size()) {
      ++at_;
    }
    // The record gets a delta when its pop is over; the store has it before.
    return states_[at_] == shown && (at_ == 0 || popped_[at_] <= step + kStepsOfPop);
  }
  [[nodiscard]] std::size_t states() const { return states_.size(); }

 private:
  static constexpr std::size_t kStepsOfPop = 30;

  std::string client_;
  std::vector<std::map<std::string, std::string>> states_;
  std::vector<std::size_t> popped_;
  std::size_t at_ = 0;
};

}  // namespace

BOOST_DATA_TEST_CASE(server_and_stores_are_at_each_step_what_the_record_makes_of_them, stories,
                     name) {
  const PlayedStory story = play_for_page(scenario_named(name));
  BOOST_TEST_REQUIRE(story.seen.record.has_value());
  const json::object data = story.data->window(kWhole);
  std::map<std::string, RecordedStore> stores;
  for (const sim::ClientRecord& client : story.seen.record->clients) {
    if (client.keeps_deltas) {
      stores.try_emplace(client.name, story, client.name);
    }
  }
  step_through(data, [&](std::size_t step, const json::value& state) {
    if (step > story.seen.story_end()) {
      return;
    }
    const json::object expected =
        recorded_server(data, *story.seen.record, written_by(story, step));
    BOOST_TEST_REQUIRE((shown_server(state) == expected), "step " << step);
    for (auto& [client, store] : stores) {
      BOOST_TEST_REQUIRE(
          (store.states() == 1 || store.shows(shown_cache(data, state, client), step)),
          "step " << step << ", " << client);
    }
  });
}

BOOST_DATA_TEST_CASE(calls_are_at_each_step_those_of_the_record, stories, name) {
  const PlayedStory story = play_for_page(scenario_named(name));
  const sim::Record& record = *story.seen.record;
  const json::object data = story.data->window(kWhole);
  std::map<std::string, std::vector<const sim::CallRecord*>> calls;
  for (const sim::CallRecord& call : record.calls) {
    calls[call.client].push_back(&call);
  }
  step_through(data, [&](std::size_t step, const json::value& state) {
    for (const auto& [client, recorded] : calls) {
      json::object delivered;
      const json::object& shown = state.at("clients").at(client).at("calls").as_object();
      for (std::size_t i = 0; i < shown.size(); ++i) {
        const json::value& call = shown.at(std::to_string(i));
        const auto same = [&](const sim::CallRecord* each) {
          return text_of(call.at(0)) == each->handler &&
                 text_of(call.at(1)) == to_string(each->type) &&
                 text_of(data.at("keys").at(call.at(2).to_number<std::size_t>())) == each->key &&
                 text_of(call.at(3)) ==
                     (each->object ? each->object->metadata.resource_version : "");
        };
        BOOST_TEST_REQUIRE((i < recorded.size() && same(recorded[i])), "step " << step);
        const std::string key = std::to_string(call.at(2).to_number<std::size_t>());
        json::value& of_handler = delivered[text_of(call.at(0))];
        if (!of_handler.is_object()) {
          of_handler.emplace_object();
        }
        of_handler.as_object()[key] = json::array{call.at(1), call.at(3)};
      }
      for (const auto& [handler, keys] : delivered) {
        BOOST_TEST_REQUIRE((state.at("clients").at(client).at("delivered").at(handler) == keys),
                           "step " << step);
      }
    }
  });
}

BOOST_AUTO_TEST_CASE(indices_are_in_the_end_as_the_record_has_them) {
  std::size_t entries = 0;
  const std::vector<std::string> indexed{"list_refused_by_the_store", "set_made_after_a_crash",
                                         "duplicates_from_a_stale_store",
                                         "scaled_down_after_asking"};
  for (const std::string& name : indexed) {
    const PlayedStory story = play_for_page(scenario_named(name));
    BOOST_TEST(story.data->corrected() == 0U);
    const json::object data = story.data->window(kWhole);
    json::value at_the_end;
    step_through(data, [&](std::size_t step, const json::value& state) {
      at_the_end = step == story.seen.story_end() ? state : std::move(at_the_end);
    });
    for (const auto& [client, index] : story.seen.record->indices) {
      const json::object& own = at_the_end.at("clients").at(client).as_object();
      sim::IndexRecord shown;
      for (const auto& [label, keys] :
           own.contains("index") ? own.at("index").as_object() : json::object()) {
        for (const json::value& key : keys.as_array()) {
          shown[label].push_back(text_of(data.at("keys").at(key.to_number<std::size_t>())));
        }
      }
      BOOST_TEST((shown == index), name << " " << client);
      entries += index.size();
    }
  }
  BOOST_TEST(entries > 0U);
}

BOOST_DATA_TEST_CASE(stores_of_every_machine_are_known_without_the_record, stories, name) {
  for (const std::string& machine : features::machine_names()) {
    const PlayedStory story = play_for_page(on_machine(machine, scenario_named(name)));
    BOOST_TEST(story.data->corrected() == 0U, name << " on " << machine);
  }
}

BOOST_AUTO_TEST_SUITE_END()
