#include "sim/apiserver/by_resource.hpp"

#include <boost/test/unit_test.hpp>

using namespace watchlab;
using namespace watchlab::sim;

BOOST_AUTO_TEST_SUITE(by_resource_test)

const api::GroupVersionResource kPods{"", "v1", "pods"};
const api::GroupVersionResource kNodes{"", "v1", "nodes"};
const api::GroupVersionResource kLeases{"coordination.k8s.io", "v1", "leases"};

BOOST_AUTO_TEST_CASE(finds_what_is_kept_in_whatever_order_it_is_asked_for) {
  ByResource<int> numbers;
  numbers.emplace(kPods, 1);
  numbers.emplace(kNodes, 2);
  numbers.emplace(kLeases, 3);
  for (const auto& [resource, number] :
       {std::pair(kPods, 1), std::pair(kNodes, 2), std::pair(kPods, 1), std::pair(kPods, 1),
        std::pair(kLeases, 3), std::pair(kPods, 1), std::pair(kNodes, 2), std::pair(kLeases, 3)}) {
    const int* const found = numbers.find(resource);
    BOOST_REQUIRE(found != nullptr);
    BOOST_TEST(*found == number);
  }
}

BOOST_AUTO_TEST_CASE(distinguishes_what_differs_in_one_part) {
  ByResource<int> numbers;
  numbers.emplace(kPods, 1);
  BOOST_TEST(numbers.find({"", "v1", "nodes"}) == nullptr);
  BOOST_TEST(numbers.find({"", "v2", "pods"}) == nullptr);
  BOOST_TEST(numbers.find({"metrics.k8s.io", "v1", "pods"}) == nullptr);
  numbers[kNodes] = 2;
  BOOST_TEST(numbers.find({"metrics.k8s.io", "v1", "pods"}) == nullptr);
  BOOST_TEST(numbers.find({"", "v2", "pods"}) == nullptr);
}

BOOST_AUTO_TEST_CASE(an_entry_keeps_its_place) {
  ByResource<int> numbers;
  auto& pods = numbers.entry(kPods);
  pods.second = 7;
  numbers[kNodes] = 8;
  numbers[kLeases] = 9;
  BOOST_TEST(&numbers.entry(kPods) == &pods);
  BOOST_TEST(pods.first.resource == "pods");
  BOOST_TEST(numbers[kPods] == 7);
}

BOOST_AUTO_TEST_SUITE_END()
