#include <boost/test/unit_test.hpp>

#include "sim/http/media_types.hpp"

using namespace watchlab;
using namespace watchlab::sim;

BOOST_AUTO_TEST_SUITE(protobuf_body_test)

namespace {

std::string field(char tag, const std::string& bytes) {
  return std::string(1, static_cast<char>(tag << 3 | 2)) +
         std::string(1, static_cast<char>(bytes.size())) + bytes;
}

/// The envelope that Go clients put around an object.
std::string envelope(const std::string& kind, const std::string& raw) {
  return std::string("k8s\0", 4) + field(1, field(1, "v1") + field(2, kind)) + field(2, raw) +
         field(3, "") + field(4, "");
}

std::int32_t code_for(const std::string& bytes) {
  const api::Result<std::string> text = json_from_protobuf(bytes);
  return text ? 0 : text.error().status.code;
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_configmap_is_read) {
  const std::string metadata =
      field(1, "demo") + field(2, "") + field(11, field(1, "l") + field(2, "1"));
  const std::string raw = field(1, metadata) + field(2, field(1, "a") + field(2, "b")) +
                          field(3, field(1, "bin") + field(2, std::string("\0\xff", 2)));
  BOOST_TEST(*json_from_protobuf(envelope("ConfigMap", raw)) ==
             R"({"metadata":{"name":"demo","labels":{"l":"1"}},"data":{"a":"b"},)"
             R"("binaryData":{"bin":"AP8="},"apiVersion":"v1","kind":"ConfigMap"})");
}

BOOST_AUTO_TEST_CASE(options_of_deletes_are_read) {
  BOOST_TEST(*json_from_protobuf(envelope("DeleteOptions", field(4, "Background"))) ==
             R"({"propagationPolicy":"Background","apiVersion":"v1","kind":"DeleteOptions"})");
}

BOOST_AUTO_TEST_CASE(other_kinds_are_refused_with_what_to_do) {
  const api::Result<std::string> text = json_from_protobuf(envelope("Job", ""));
  BOOST_REQUIRE(!text.ok());
  BOOST_TEST(text.error().status.code == 415);
  BOOST_TEST(text.error().message.find("kubectl apply -f -") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(bytes_that_are_cut_or_wrong_are_refused) {
  const std::string whole = envelope("ConfigMap", field(1, field(1, "demo")));
  BOOST_TEST(code_for(whole) == 0);
  BOOST_TEST(code_for("") == 400);
  BOOST_TEST(code_for("{}") == 400);
  for (std::size_t i = 5; i < 20; ++i) {
    BOOST_TEST(code_for(whole.substr(0, i)) != 0, i);
  }
  BOOST_TEST(code_for(envelope("ConfigMap", "\x0a\x7f")) == 400);
  BOOST_TEST(code_for(envelope("ConfigMap", std::string(12, '\xff'))) == 400);
}

BOOST_AUTO_TEST_SUITE_END()
