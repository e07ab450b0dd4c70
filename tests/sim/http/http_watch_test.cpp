#include <boost/test/unit_test.hpp>

#include "sim/faults/fault_catalogue.hpp"
#include "tests/sim/http/served_server.hpp"

using namespace watchlab;
using namespace watchlab::sim;

BOOST_AUTO_TEST_SUITE(http_watch_test)

namespace {

const std::string kMaps = "/api/v1/namespaces/default/configmaps";
const std::string kTable = "application/json;as=Table;v=v1;g=meta.k8s.io,application/json";

/// The exchange of the only watch, once its stream has ended; a test asks until it has.
Exchange ended_watch(const ServedServer& served) {
  while (true) {
    for (const Exchange& exchange : served.front.host()->exchanges()) {
      if (exchange.request.verb == Verb::Watch && exchange.ended) {
        return exchange;
      }
    }
    std::this_thread::yield();
  }
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_watch_brings_what_others_write) {
  const ServedServer served;
  Tester tester(served);
  OpenWatch watch(served, kMaps + "?watch=true&resourceVersion=0");
  BOOST_TEST(watch.code == 200);
  (void)tester.create("a");
  (void)tester.ask("PATCH", kMaps + "/a",
                   {.type = "application/merge-patch+json", .body = R"({"data":{"x":"y"}})"});
  (void)tester.ask("DELETE", kMaps + "/a");
  for (const std::string type : {"ADDED", "MODIFIED", "DELETED"}) {
    const boost::json::value event = watch.next();
    BOOST_TEST(event.at("type").as_string() == type);
    BOOST_TEST(event.at("object").at("metadata").at("name").as_string() == "a");
  }
}

BOOST_AUTO_TEST_CASE(a_watch_that_is_over_leaves_its_connection_to_the_next_request) {
  const ServedServer served;
  Tester tester(served);
  (void)tester.create("a");
  const HttpAnswer whole = tester.ask("GET", kMaps + "?watch=true&timeoutSeconds=1");
  BOOST_TEST(text_at(whole.body, "/type") == "ADDED");
  BOOST_TEST(tester.code("GET", kMaps) == 200);
  BOOST_TEST((ended_watch(served).end == StreamEnd::Closed));
}

BOOST_AUTO_TEST_CASE(a_streamed_list_ends_with_a_bookmark) {
  const ServedServer served;
  Tester tester(served);
  (void)tester.create("a");
  OpenWatch watch(served, kMaps +
                              "?watch=1&sendInitialEvents=true&allowWatchBookmarks=true"
                              "&resourceVersionMatch=NotOlderThan");
  BOOST_TEST(watch.next_type() == "ADDED");
  const boost::json::value bookmark = watch.next();
  BOOST_TEST(bookmark.at("type").as_string() == "BOOKMARK");
  BOOST_TEST(bookmark.at("object")
                 .at("metadata")
                 .at("annotations")
                 .as_object()
                 .contains("k8s.io/initial-events-end"));
}

BOOST_AUTO_TEST_CASE(events_are_rows_of_tables_for_people) {
  const ServedServer served;
  Tester tester(served);
  OpenWatch watch(served, kMaps + "?watch=true", kTable);
  (void)tester.create("a", R"({"x":"y"})");
  (void)tester.create("b");
  const boost::json::value first = watch.next().at("object");
  BOOST_TEST(first.at("kind").as_string() == "Table");
  BOOST_TEST(first.at("columnDefinitions").as_array().size() == 3U);
  BOOST_TEST(first.at("rows").at(0).at("cells").at(0).as_string() == "a");
  BOOST_TEST(first.at("rows").at(0).at("cells").at(1).as_int64() == 1);
  const boost::json::value second = watch.next().at("object");
  BOOST_TEST(second.at("columnDefinitions").is_null());
}

BOOST_AUTO_TEST_CASE(a_client_that_goes_ends_its_stream) {
  const ServedServer served;
  OpenWatch watch(served, kMaps + "?watch=true");
  watch.socket->close();
  const Exchange exchange = ended_watch(served);
  BOOST_TEST((exchange.end == StreamEnd::Stopped));
  BOOST_TEST(exchange.request.client == "tester");
}

BOOST_AUTO_TEST_CASE(too_old_a_revision_is_an_event) {
  ServedServer served;
  Tester tester(served);
  (void)tester.create("a");
  served.there([&] {
    served.front.host()->transact(
        [](ServerHost::Transaction& host) { host.servers().server(0).expire_all_below(99); });
  });
  OpenWatch watch(served, kMaps + "?watch=true&resourceVersion=1");
  const boost::json::value event = watch.next();
  BOOST_TEST(event.at("type").as_string() == "ERROR");
  BOOST_TEST(event.at("object").at("code").as_int64() == 410);
  BOOST_TEST(watch.next_type() == "end");
  BOOST_TEST(!watch.failure.has_value());
}

BOOST_AUTO_TEST_CASE(a_fault_cuts_the_stream_of_the_client_that_it_names) {
  ServedServer served;
  Tester tester(served);
  OpenWatch watch(served, kMaps + "?watch=true");
  const FaultId other = served.add_fault(make_fault("cut_watch", {.client = "else"}));
  (void)tester.create("a");
  BOOST_TEST(watch.next_type() == "ADDED");
  served.there([&] { (void)served.front.host()->remove_fault(other); });
  (void)served.add_fault(make_fault("cut_watch", {.client = "tester"}));
  BOOST_TEST(watch.next_type() == "end");
  BOOST_TEST((watch.failure == api::ErrorKind::ConnectionReset ||
              watch.failure == api::ErrorKind::UnexpectedEof));
  BOOST_TEST((ended_watch(served).end == StreamEnd::Cut));
}

BOOST_AUTO_TEST_CASE(a_fault_answers_in_place_of_the_server) {
  ServedServer served;
  Tester tester(served);
  (void)served.add_fault(
      make_fault("fail_requests", {.times = 2},
                 {{"answer", std::string("too_many")}, {"retry_after", std::int64_t{3}}}));
  const HttpAnswer refused = tester.ask("GET", kMaps);
  BOOST_TEST(refused.head.code == 429);
  BOOST_TEST(field_of(refused.head.fields, "Retry-After") == "3");
  BOOST_TEST(tester.code("GET", kMaps) == 429);
  BOOST_TEST(tester.code("GET", kMaps) == 200);
}

BOOST_AUTO_TEST_CASE(a_write_that_a_fault_refuses_is_not_done) {
  ServedServer served;
  Tester tester(served);
  (void)served.add_fault(
      make_fault("fail_requests", {.times = 1}, {{"answer", std::string("internal")}}));
  BOOST_TEST(tester.create("a").head.code == 500);
  BOOST_TEST(tester.code("GET", kMaps + "/a") == 404);
  BOOST_TEST(tester.create("a").head.code == 201);
  BOOST_TEST(tester.create("a").head.code == 409);
}

/// A client that is not known by its User-Agent alone, which is all that the bytes say.
BOOST_AUTO_TEST_CASE(a_request_whose_bytes_were_changed_keeps_its_clients_name) {
  ServedServer served;
  Tester tester(served);
  const std::string whole = tester.ask("GET", kMaps).body;
  (void)served.add_fault(
      make_fault("split_bytes", {.client = "tester"}, {{"what", std::string("requests")}}));
  BOOST_TEST(tester.ask("GET", kMaps).body == whole);
  (void)served.add_fault(
      make_fault("garble_bytes", {.client = "tester"}, {{"what", std::string("answers")}}));
  const std::string garbled = tester.ask("GET", kMaps).body;
  BOOST_TEST(garbled.size() == whole.size());
  BOOST_TEST(garbled != whole);
}

BOOST_AUTO_TEST_CASE(a_write_that_a_fault_makes_unreadable_is_not_done) {
  ServedServer served;
  Tester tester(served);
  (void)served.add_fault(make_fault("garble_bytes", {.client = "tester", .times = 1},
                                    {{"what", std::string("requests")}}));
  const Asked spoiled{.body = R"({"metadata":{"name":"spoiled"}})"};
  BOOST_TEST(tester.code("POST", kMaps, spoiled) == 400);
  BOOST_TEST(tester.code("GET", kMaps + "/spoiled") == 404);
  BOOST_TEST(tester.code("POST", kMaps, spoiled) == 201);
}

BOOST_AUTO_TEST_CASE(bytes_are_garbled_on_real_sockets_too) {
  ServedServer served;
  Tester tester(served);
  OpenWatch watch(served, kMaps + "?watch=true");
  (void)served.add_fault(make_fault("garble_bytes", {.times = 1}));
  (void)tester.create("a");
  std::array<char, 64> bytes{};
  const api::Result<std::size_t> size = watch.body.read(bytes);
  BOOST_REQUIRE(size.ok());
  BOOST_TEST(static_cast<unsigned char>(bytes[0]) == 0xFFU);
}

BOOST_AUTO_TEST_SUITE_END()
