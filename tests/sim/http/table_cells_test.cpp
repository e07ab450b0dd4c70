#include <boost/test/unit_test.hpp>

#include "sim/apiserver/stamps.hpp"
#include "sim/http/table_view.hpp"

using namespace watchlab;
using namespace watchlab::sim;

BOOST_AUTO_TEST_SUITE(table_cells_test)

namespace {

std::string cells_of(const api::GroupVersionResource& resource, const api::Object& object) {
  const runtime::TimePoint now(std::chrono::hours(24 * 365));
  std::string cells;
  for (const TableColumn& column : columns_of(resource)) {
    cells +=
        (cells.empty() ? "" : " ") + std::string(column.name) + "=" + column.cell({object, now});
  }
  return cells;
}

}  // namespace

BOOST_AUTO_TEST_CASE(spans_are_for_people) {
  using namespace std::chrono_literals;
  BOOST_TEST(human_duration(-5s) == "0s");
  BOOST_TEST(human_duration(119s) == "119s");
  BOOST_TEST(human_duration(120s) == "2m");
  BOOST_TEST(human_duration(200s) == "3m20s");
  BOOST_TEST(human_duration(45min) == "45m");
  BOOST_TEST(human_duration(200min) == "3h20m");
  BOOST_TEST(human_duration(30h) == "30h");
  BOOST_TEST(human_duration(50h) == "2d2h");
  BOOST_TEST(human_duration(24h * 100) == "100d");
  BOOST_TEST(human_duration(24h * 365 * 3) == "3y");
}

BOOST_AUTO_TEST_CASE(times_come_back_from_their_text) {
  const runtime::TimePoint moment(std::chrono::hours(20'000 * 24) + std::chrono::seconds(12'345));
  BOOST_TEST((moment_from(timestamp(moment)) == moment));
  for (const char* wrong : {"", "yesterday", "2025-13-01T00:00:00Z", "2025-01-01 00:00:00Z"}) {
    BOOST_TEST(!moment_from(wrong).has_value(), wrong);
  }
}

BOOST_AUTO_TEST_CASE(rows_show_what_their_kind_is_about) {
  const api::ObjectMeta metadata{.name = "a", .creation_timestamp = "1970-12-31T23:59:50Z"};
  BOOST_TEST(cells_of({"", "v1", "configmaps"},
                      {.metadata = metadata, .body = R"({"data":{"x":"","y":""}})"}) ==
             R"(Name="a" Data=2 Age="10s")");
  BOOST_TEST(cells_of({"", "v1", "namespaces"}, {.metadata = metadata}) ==
             R"(Name="a" Status="Active" Age="10s")");
  BOOST_TEST(cells_of({"example.com", "v1", "widgets"}, {.metadata = metadata}) ==
             R"(Name="a" Age="10s")");
  const std::string pod = cells_of(
      {"", "v1", "pods"},
      {.metadata = metadata,
       .body = R"({"spec":{"containers":[{},{}]},"status":{"phase":"Running",)"
               R"("containerStatuses":[{"ready":true,"restartCount":3},{"ready":false}]}})"});
  BOOST_TEST(pod == R"(Name="a" Ready="1/2" Status="Running" Restarts="3" Age="10s" )"
                    R"(IP="<none>" Node="<none>")");
}

BOOST_AUTO_TEST_SUITE_END()
