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
std::string envelope(const std::string& kind, const std::string& raw,
                     const std::string& version = "v1") {
  const std::string size(1, static_cast<char>((raw.size() & 0x7FU) | 0x80U));
  const std::string more(1, static_cast<char>(raw.size() >> 7U));
  return std::string("k8s\0", 4) + field(1, field(1, version) + field(2, kind)) + "\x12" + size +
         more + raw + field(3, "") + field(4, "");
}

/// A field that is a small number.
std::string number(char tag, char value) { return {static_cast<char>(tag << 3), value}; }

/// 2001-09-09T01:46:40.000005Z
const std::string kMoment = std::string("\x08\x80\x94\xeb\xdc\x03") + "\x10\x88\x27";

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

BOOST_AUTO_TEST_CASE(preconditions_of_deletes_are_read) {
  BOOST_TEST(*json_from_protobuf(envelope("DeleteOptions", field(2, field(1, "u")))) ==
             R"({"preconditions":{"uid":"u"},"apiVersion":"v1","kind":"DeleteOptions"})");
}

BOOST_AUTO_TEST_CASE(a_lease_is_read_with_its_times) {
  const std::string spec = field(1, "me") + number(2, 15) + field(4, kMoment) + number(5, 1);
  BOOST_TEST(*json_from_protobuf(envelope("Lease", field(1, field(1, "l")) + field(2, spec),
                                          "coordination.k8s.io/v1")) ==
             R"({"metadata":{"name":"l"},"spec":{"holderIdentity":"me","leaseDurationSeconds":15,)"
             R"("renewTime":"2001-09-09T01:46:40.000005Z","leaseTransitions":1},)"
             R"("apiVersion":"coordination.k8s.io/v1","kind":"Lease"})");
  const std::string never = field(3, "\x08" + std::string(9, '\xff') + "\x01");
  BOOST_TEST(json_from_protobuf(envelope("Lease", field(2, never)))->find("null") !=
             std::string::npos);
  const std::string late = field(3, "\x08" + std::string(8, '\xff') + "\x7f");
  BOOST_TEST(code_for(envelope("Lease", field(2, late))) == 400);
}

BOOST_AUTO_TEST_CASE(events_of_both_groups_are_read) {
  const std::string about = field(1, "Pod") + field(3, "p");
  const std::string old = field(2, about) + field(3, "Started") + field(5, field(1, "kubelet")) +
                          field(6, kMoment) + number(8, 3);
  BOOST_TEST(*json_from_protobuf(envelope("Event", old)) ==
             R"({"involvedObject":{"kind":"Pod","name":"p"},"reason":"Started",)"
             R"("source":{"component":"kubelet"},"firstTimestamp":"2001-09-09T01:46:40Z",)"
             R"("count":3,"apiVersion":"v1","kind":"Event"})");
  const std::string recent = field(2, kMoment) + field(8, about) + field(10, "It runs.");
  BOOST_TEST(*json_from_protobuf(envelope("Event", recent, "events.k8s.io/v1")) ==
             R"({"eventTime":"2001-09-09T01:46:40.000005Z","regarding":{"kind":"Pod","name":"p"},)"
             R"("note":"It runs.","apiVersion":"events.k8s.io/v1","kind":"Event"})");
}

BOOST_AUTO_TEST_CASE(parts_of_messages_are_no_kinds) {
  for (const std::string kind : {"meta", "series", "events.k8s.io/Event", ""}) {
    BOOST_TEST(code_for(envelope(kind, "")) == 415, kind);
  }
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
  BOOST_TEST(code_for(whole.substr(0, whole.size() - 5)) == 400);  // in the object
  BOOST_TEST(code_for(envelope("ConfigMap", "\x0a\x7f")) == 400);
  BOOST_TEST(code_for(envelope("ConfigMap", std::string(12, '\xff'))) == 400);
}

BOOST_AUTO_TEST_SUITE_END()
