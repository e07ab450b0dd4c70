#include "sim/http/media_types.hpp"

#include <boost/test/unit_test.hpp>

#include "sim/http/http_client.hpp"

using namespace watchlab::sim;

BOOST_AUTO_TEST_SUITE(media_types_test)

BOOST_AUTO_TEST_CASE(the_first_form_that_there_is_counts) {
  const auto form_in = [](std::string_view accept) { return accepted_in(accept, true)->form; };
  BOOST_TEST((form_in("") == BodyForm::Plain));
  BOOST_TEST((form_in("*/*") == BodyForm::Plain));
  BOOST_TEST((form_in("application/json, */*;q=0.8") == BodyForm::Plain));
  BOOST_TEST((form_in("application/json;as=Table;v=v1;g=meta.k8s.io,application/json") ==
              BodyForm::Table));
  BOOST_TEST((form_in("application/json; as=Table; g=meta.k8s.io; v=v1beta1") == BodyForm::Table));
  BOOST_TEST((form_in("application/json;as=Table;v=v9;g=meta.k8s.io,application/json") ==
              BodyForm::Plain));
  BOOST_TEST((form_in("application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io") ==
              BodyForm::Metadata));
}

BOOST_AUTO_TEST_CASE(protobuf_is_taken_where_there_is_some) {
  const std::string both = "application/vnd.kubernetes.protobuf,application/json";
  BOOST_TEST((accepted_in(both, true) == AcceptedForm{BodyForm::Plain, true}));
  BOOST_TEST((accepted_in(both, false) == AcceptedForm{BodyForm::Plain, false}));
  BOOST_TEST((accepted_in("application/json," + both, true) == AcceptedForm{}));
  BOOST_TEST(!accepted_in("application/vnd.kubernetes.protobuf", false).has_value());
  BOOST_TEST((accepted_in("application/vnd.kubernetes.protobuf;as=Table;v=v1;g=meta.k8s.io,"
                          "application/json",
                          true) == AcceptedForm{}));
  BOOST_TEST((accepted_in("application/vnd.kubernetes.protobuf;as=PartialObjectMetadata;v=v1;"
                          "g=meta.k8s.io",
                          false) == AcceptedForm{BodyForm::Metadata, true}));
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

BOOST_AUTO_TEST_CASE(names_are_the_same_in_capitals_and_values_with_quotes) {
  BOOST_TEST((accepted_in("APPLICATION/JSON", true) == AcceptedForm{}));
  BOOST_TEST((accepted_in("Application/Vnd.Kubernetes.Protobuf", true) ==
              AcceptedForm{BodyForm::Plain, true}));
  BOOST_TEST((accepted_in(R"(Application/JSON;AS="Table";V = v1;G="meta.k8s.io")", true) ==
              AcceptedForm{BodyForm::Table, false}));
  BOOST_TEST(takes_gzip("GZIP"));
  BOOST_TEST(takes_gzip("identity, gzip;Q=0.5"));
  BOOST_TEST(!takes_gzip("gzip;Q=0.000"));
  BOOST_TEST(media_type_of({{"content-TYPE", "Application/JSON ;Charset=UTF-8"}}) ==
             "application/json");
  BOOST_TEST(media_type_of({}) == "");
}

BOOST_AUTO_TEST_CASE(a_word_of_a_field_is_the_same_in_capitals_and_among_others) {
  const HttpFields fields{{"Connection", "keep-alive, CLOSE"}, {"Upgrade", "websockets"}};
  BOOST_TEST(has_word(fields, "connection", "close"));
  BOOST_TEST(!has_word(fields, "Connection", "alive"));
  BOOST_TEST(!has_word(fields, "Upgrade", "websocket"));
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
