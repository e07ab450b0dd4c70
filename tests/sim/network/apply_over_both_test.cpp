#include <boost/test/unit_test.hpp>

#include "core/api/json.hpp"
#include "tests/sim/network/small_network.hpp"
#include "tests/support/campaign.hpp"

// Server-side apply by a client: the same on both transports.

using namespace watchlab;
using namespace watchlab::sim;
using namespace watchlab::tests;

BOOST_AUTO_TEST_SUITE(apply_over_both_test)

namespace {

api::Object configuration(const std::string& colour) {
  return {.api_version = "v1",
          .kind = "ConfigMap",
          .metadata = {.name = "demo", .namespace_ = "default"},
          .body = R"({"data":{"colour":")" + colour + R"("}})"};
}

void in_both_transports(void (*story)(SmallNetwork&)) {
  for (const Transport transport : {Transport::Direct, Transport::Wire}) {
    holds_in_every_world([story, transport](runtime::Runtime& runtime) {
      SmallNetwork net(runtime, {}, transport);
      story(net);
    });
  }
}

}  // namespace

BOOST_AUTO_TEST_CASE(an_apply_creates_and_changes_what_it_owns) {
  in_both_transports([](SmallNetwork& net) {
    const auto made = net.connection.apply(net.stop.token(), configuration("red"), "painter");
    expect(made.ok(), "what is absent is created");
    expect_equal((*made)->metadata.resource_version, "3");
    const auto same = net.connection.apply(net.stop.token(), configuration("red"), "painter");
    expect_equal((*same)->metadata.resource_version, "3");
    const auto changed = net.connection.apply(net.stop.token(), configuration("blue"), "painter");
    expect_equal((*changed)->body, R"({"data":{"colour":"blue"}})");
    expect_equal((*changed)->metadata.resource_version, "4");
    expect(
        (*changed)->metadata.other_members.find(R"("f:data":{"f:colour":{}})") != std::string::npos,
        "the object says whose the colour is");
  });
}

BOOST_AUTO_TEST_CASE(a_conflict_names_the_owner_and_force_overrides_it) {
  in_both_transports([](SmallNetwork& net) {
    (void)net.connection.apply(net.stop.token(), configuration("red"), "painter");
    const auto refused = net.connection.apply(net.stop.token(), configuration("blue"), "other");
    expect(!refused.ok(), "the colour is the painter's");
    expect_equal(api::to_json(refused.error().status),
                 R"({"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure",)"
                 R"("message":"Apply failed with 1 conflict: conflict with \"painter\": )"
                 R"(.data.colour","reason":"Conflict","details":{"causes":[{"reason":)"
                 R"("FieldManagerConflict","message":"conflict with \"painter\"","field":)"
                 R"(".data.colour"}]},"code":409})");
    const auto forced =
        net.connection.apply(net.stop.token(), configuration("blue"), "other", true);
    expect_equal((*forced)->body, R"({"data":{"colour":"blue"}})");
    expect_equal((*forced)->metadata.resource_version, "4");
    const std::string& owners = (*forced)->metadata.other_members;
    expect(owners.find(R"("manager":"other")") != std::string::npos, "the colour is the other's");
    expect(owners.find(R"("manager":"painter")") == std::string::npos, "the painter owns nothing");
  });
}

BOOST_AUTO_TEST_CASE(an_updater_is_known_by_its_client_or_by_what_it_calls_itself) {
  in_both_transports([](SmallNetwork& net) {
    const auto made = net.connection.apply(net.stop.token(), configuration("red"), "painter");
    for (const char* name : {"", "me"}) {
      Request update = SmallNetwork::about(Verb::Update, "demo");
      api::Object object = **made;
      object.metadata.resource_version.clear();
      object.body = R"({"data":{"by":")" + std::string(name) + R"("}})";
      update.object = std::make_shared<const api::Object>(std::move(object));
      update.field_manager = name;
      const auto response = net.connection.request(net.stop.token(), std::move(update));
      const std::string owner = *name == '\0' ? "reflector" : name;
      expect(std::get<api::ObjectPtr>(response->answer)
                     ->metadata.other_members.find(R"("manager":")" + owner) != std::string::npos,
             "the updater is named");
    }
  });
}

BOOST_AUTO_TEST_SUITE_END()
