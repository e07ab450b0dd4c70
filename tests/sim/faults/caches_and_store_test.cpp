#include <boost/test/unit_test.hpp>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "sim/faults/fault_catalogue.hpp"
#include "tests/sim/apiserver/small_cluster.hpp"

// docs/apiserver_rules.md V6: whatever becomes of a server, its cache is the store of an earlier
// moment. So a server that compared them, as real ones do, would find no difference.

using namespace watchlab;
using namespace watchlab::sim;
using namespace std::chrono_literals;
using Parameters = std::map<std::string, ParameterValue, std::less<>>;

BOOST_AUTO_TEST_SUITE(caches_and_store_test)

namespace {

/// Names and revisions of what is listed, as a digest of a real server has them.
std::string content_of(const Response& response) {
  std::string content;
  for (const api::ObjectPtr& item : list_in(response).items) {
    content += item->metadata.name + "/" + item->metadata.resource_version + " ";
  }
  return content;
}

/// Lists what the cache has, and then the store at that revision.
void check_agreement(SmallCluster& cluster) {
  const Response cached = cluster.list({.resource_version = "0"});
  const std::string revision = list_in(cached).resource_version;
  const Response stored =
      cluster.list({.resource_version = revision, .resource_version_match = kExact});
  if (stored.code == 200) {
    BOOST_TEST(content_of(cached) == content_of(stored));
  } else {
    BOOST_TEST(stored.code == 410);  // it is compacted: a real server finds nothing then
  }
}

void write_some(SmallCluster& cluster) {
  for (const char* name : {"a", "b", "c"}) {
    (void)cluster.create(name);
    (void)cluster.update(name, R"({"data":{"k":")" + revision_text(cluster.revision()) + R"("}})");
  }
  (void)cluster.remove("b");
  cluster.now += 2s;
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_cache_agrees_with_its_store_whatever_happens_to_its_server) {
  const std::map<std::string, Parameters> given{{"lag_server", {{"by", runtime::Duration(1s)}}},
                                                {"withdraw_resource", {{"resource", "pods"}}}};
  for (const FaultEntry& entry : fault_catalogue()) {
    const std::string name(entry.name);
    if (entry.scope != FaultScope::Servers && name != "cache_not_ready") {
      continue;
    }
    BOOST_TEST_CONTEXT(name) {
      SmallCluster cluster;
      write_some(cluster);
      check_agreement(cluster);
      const auto found = given.find(name);
      FaultRule rule = make_fault(name, {}, found == given.end() ? Parameters{} : found->second);
      cluster.plane.change(cluster.now, [&] { rule.fault->activate(cluster.plane, cluster.now); });
      check_agreement(cluster);
      write_some(cluster);
      check_agreement(cluster);
      cluster.plane.change(cluster.now, [&] { rule.fault->heal(cluster.plane, cluster.now); });
      write_some(cluster);
      check_agreement(cluster);
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()
