// What lists show of each state that there was: whole, in pages, and behind each token. Pins what
// the shared storage test RunTestList pins of exact lists and of tokens since 0.33.
#include <boost/test/unit_test.hpp>
#include <map>
#include <vector>

#include "sim/apiserver/list_page.hpp"
#include "tests/sim/apiserver/small_cluster.hpp"

using namespace watchlab;
using namespace watchlab::sim;

BOOST_AUTO_TEST_SUITE(listed_history_test)

namespace {

using State = std::map<std::string, api::ObjectPtr>;  ///< by "namespace/name"

/// Writes pods of three namespaces and remembers the state after each revision: six come, one is
/// changed, one goes, and at last the revision moves on without a change of any pod. What was
/// before the first pod is compacted.
struct History : SmallCluster {
  History()
      : SmallCluster({.servers = {{}, {.profile = profile_of(ServerRelease::V1_30)}},
                      .namespaces = {"first", "second", "third"},
                      .compaction_period = {}}) {
    for (const char* key :
         {"first/bar", "second/bar", "second/foo", "third/barfoo", "third/foo", "second/baz"}) {
      write(Verb::Create, key, "{}");
    }
    plane.compact(states.begin()->first);
    write(Verb::Update, "first/bar", R"({"spec":{"nodeName":"n1"}})");
    (void)send({.verb = Verb::Delete, .resource = kPods, .namespace_ = "second", .name = "baz"});
    State last = states.rbegin()->second;
    last.erase("second/baz");
    states[revision()] = last;
    (void)send({.verb = Verb::Create,
                .resource = kConfigMaps,
                .namespace_ = "first",
                .object = object("other")});
    states[revision()] = last;
  }

  void write(Verb verb, const std::string& key, const std::string& body) {
    const std::size_t slash = key.find('/');
    const Response response = send({.verb = verb,
                                    .resource = kPods,
                                    .namespace_ = key.substr(0, slash),
                                    .object = object(key.substr(slash + 1), body)});
    State state = states.empty() ? State() : states.rbegin()->second;
    state[key] = std::get<api::ObjectPtr>(response.answer);
    states[revision()] = std::move(state);
  }

  Response list_pods(const api::ListOptions& options, std::size_t server) {
    return send({.verb = Verb::List, .resource = kPods, .options = options}, server);
  }

  std::map<Revision, State> states;
};

const std::vector<std::size_t> kLimits{0, 1, 2, 4, 8};

/// What a list is to show: at most `limit` pods of the state, from behind that key on.
struct Excerpt {
  Revision revision;
  const State& state;
  std::string behind;
  std::size_t limit;

  /// The token that asks for it; as of that revision, which is -1 for the newest.
  [[nodiscard]] api::ListOptions by_token(Revision asked) const {
    return {.limit = static_cast<std::int64_t>(limit),
            .continue_token = encode({asked, behind + std::string(1, '\0')})};
  }
};

void check(const Response& response, const Excerpt& excerpt) {
  const auto& [revision, state, start, limit] = excerpt;
  const api::ObjectList& list = list_in(response);
  auto next = state.upper_bound(start);
  for (const api::ObjectPtr& item : list.items) {
    BOOST_REQUIRE((next != state.end()));
    BOOST_TEST((*item == *next->second), next->first);
    ++next;
  }
  const auto left = std::distance(next, state.end());
  BOOST_TEST(list.resource_version == revision_text(revision));
  BOOST_TEST((left == 0 || list.items.size() == limit));
  BOOST_TEST((limit == 0 || list.items.size() <= limit));
  BOOST_TEST(list.remaining_item_count.value_or(0) == left);
  BOOST_TEST(list.continue_token.empty() == (left == 0));
  if (left != 0) {
    const ContinueToken expected{revision, std::prev(next)->first + std::string(1, '\0')};
    BOOST_TEST((*decode_continue_token(list.continue_token) == expected));
  }
}

}  // namespace

BOOST_AUTO_TEST_CASE(every_state_is_listed_whole_and_in_pages) {
  for (const std::size_t server : {0, 1}) {
    History history;
    BOOST_TEST(history.states.size() == 9U);
    for (const auto& [revision, state] : history.states) {
      for (const std::size_t limit : kLimits) {
        const api::ListOptions exactly{.resource_version = revision_text(revision),
                                       .resource_version_match = kExact,
                                       .limit = static_cast<std::int64_t>(limit)};
        BOOST_TEST_INFO("rv " << revision << ", limit " << limit << ", server " << server);
        check(history.list_pods(exactly, server), {revision, state, "", limit});
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(a_token_shows_what_is_behind_it_in_its_state_or_in_the_newest) {
  for (const std::size_t server : {0, 1}) {
    History history;
    const auto& [now, newest] = *history.states.rbegin();
    for (const auto& [revision, state] : history.states) {
      for (const auto& [key, pod] : state) {
        for (const std::size_t limit : kLimits) {
          const Excerpt then{revision, state, key, limit};
          check(history.list_pods(then.by_token(revision), server), then);
          const Excerpt still{now, newest, key, limit};
          check(history.list_pods(still.by_token(-1), server), still);
        }
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(what_was_before_a_compaction_and_what_is_to_come_is_refused) {
  for (const std::size_t server : {0, 1}) {
    History history;
    const auto message_at = [&](Revision revision) {
      return status_in(history.list_pods({.resource_version = revision_text(revision),
                                          .resource_version_match = kExact},
                                         server))
          .message;
    };
    const Revision first = history.states.begin()->first;
    BOOST_TEST(message_at(first - 1) == "The resourceVersion for the provided list is too old.");
    BOOST_TEST(message_at(history.revision() + 1).find("Too large resource version") !=
               std::string::npos);
    const Response late = history.list_pods(
        {.limit = 1, .continue_token = encode({first - 1, std::string("first/bar\0", 10)})},
        server);
    BOOST_TEST(status_in(late).message.starts_with("The provided continue parameter is too old "));
  }
}

BOOST_AUTO_TEST_SUITE_END()
