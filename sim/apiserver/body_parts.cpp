#include "sim/apiserver/body_parts.hpp"

#include <array>
#include <boost/json.hpp>
#include <utility>

#include "sim/apiserver/body_pair.hpp"

namespace watchlab::sim {

namespace {

boost::json::object parsed(const std::string& body) {
  boost::system::error_code error;
  boost::json::value value = boost::json::parse(body.empty() ? "{}" : body, error);
  return !error && value.is_object() ? std::move(value.get_object()) : boost::json::object();
}

/// Room for what is read only to be compared; bodies that are larger take more from the heap.
class Room {
 public:
  [[nodiscard]] boost::json::object read(const std::string& body) {
    boost::system::error_code error;
    boost::json::value value =
        boost::json::parse(body.empty() ? "{}" : body, error, boost::json::storage_ptr(&memory_));
    return !error && value.is_object() ? std::move(value.get_object())
                                       : boost::json::object(boost::json::storage_ptr(&memory_));
  }

 private:
  static constexpr std::size_t kSize = 2048;
  std::array<unsigned char, kSize> buffer_;
  boost::json::monotonic_resource memory_{buffer_.data(), buffer_.size()};
};

bool same_when_read(const std::string& a, const std::string& b) {
  Room room;
  return room.read(a) == room.read(b);
}

}  // namespace

bool same_body(const std::string& a, const std::string& b) {
  return a == b || (!BodyPair(a, b).differs_plainly() && same_when_read(a, b));
}

bool same_but_for_status(const std::string& a, const std::string& b) {
  if (a == b) {
    return true;
  }
  boost::json::object first = parsed(a);
  boost::json::object second = parsed(b);
  first.erase("status");
  second.erase("status");
  return first == second;
}

std::string with_status_of(const std::string& body, const std::string& source) {
  boost::json::object merged = parsed(body);
  const boost::json::object other = parsed(source);
  if (const auto* status = other.if_contains("status")) {
    merged["status"] = *status;
  } else {
    merged.erase("status");
  }
  return boost::json::serialize(merged);
}

}  // namespace watchlab::sim
