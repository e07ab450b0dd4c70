#include "sim/http/media_types.hpp"

#include <boost/test/unit_test.hpp>

#include "sim/http/http_client.hpp"

using namespace watchlab::sim;

BOOST_AUTO_TEST_SUITE(media_types_test)

BOOST_AUTO_TEST_CASE(the_first_form_that_there_is_counts) {
  BOOST_TEST((form_in("") == BodyForm::Plain));
  BOOST_TEST((form_in("*/*") == BodyForm::Plain));
  BOOST_TEST((form_in("application/json, */*;q=0.8") == BodyForm::Plain));
  BOOST_TEST((form_in("application/json;as=Table;v=v1;g=meta.k8s.io,application/json") ==
              BodyForm::Table));
  BOOST_TEST((form_in("application/json; as=Table; g=meta.k8s.io; v=v1beta1") == BodyForm::Table));
  BOOST_TEST((form_in("application/json;as=Table;v=v9;g=meta.k8s.io,application/json") ==
              BodyForm::Plain));
  BOOST_TEST((form_in("application/vnd.kubernetes.protobuf;as=Table;v=v1;g=meta.k8s.io,"
                      "application/json") == BodyForm::Plain));
  BOOST_TEST((form_in("application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io") ==
              BodyForm::Metadata));
  BOOST_TEST(!form_in("application/vnd.kubernetes.protobuf").has_value());
}

BOOST_AUTO_TEST_CASE(the_aggregated_form_is_for_those_who_name_it_first) {
  BOOST_TEST(aggregated_discovery_in(
                 "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList,"
                 "application/json") == "v2");
  BOOST_TEST(aggregated_discovery_in(
                 "application/json;g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList") ==
             "v2beta1");
  BOOST_TEST(aggregated_discovery_in("application/json, */*") == "");
  BOOST_TEST(aggregated_discovery_in("") == "");
}

BOOST_AUTO_TEST_CASE(urls_of_servers_are_taken_apart) {
  BOOST_TEST((endpoint_from("http://127.0.0.1:8001") == HttpEndpoint{"127.0.0.1", 8001}));
  BOOST_TEST((endpoint_from("http://localhost/") == HttpEndpoint{"localhost", 80}));
  BOOST_TEST((endpoint_from("https://a/") == HttpEndpoint{"a", 443, true}));
  BOOST_TEST((endpoint_from("http://[::1]:9") == HttpEndpoint{"::1", 9}));
  for (const char* wrong : {"", "127.0.0.1:80", "ftp://a:1", "http://", "http://a:b",
                            "http://a:99999", "http://a/b", "https://a/b"}) {
    BOOST_TEST(!endpoint_from(wrong).has_value(), wrong);
  }
}

BOOST_AUTO_TEST_SUITE_END()
