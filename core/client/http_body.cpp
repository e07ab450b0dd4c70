#include "core/client/http_body.hpp"

#include <algorithm>
#include <utility>

namespace watchlab::client {

namespace {

constexpr std::size_t kBodyChunkSize = std::size_t{16} << 10;

}  // namespace

HttpBody::HttpBody(std::shared_ptr<watch::ByteStream> connection, HttpLimits limits)
    : connection_(std::move(connection)),
      limits_(limits),
      reader_(limits),
      chunk_(kBodyChunkSize, '\0') {}

/// What came before a failure is read first, so the failure is kept.
api::Result<void> HttpBody::read_more() {
  if (failure_) {
    return *failure_;
  }
  const api::Result<void> more = read_and_feed();
  if (!more) {
    failure_ = more.error();
  }
  return more;
}

api::Result<void> HttpBody::read_and_feed() {
  const api::Result<std::size_t> size = connection_->read(chunk_);
  if (!size) {
    return size.error();
  }
  return *size == 0 ? reader_.end() : reader_.feed(std::string_view(chunk_).substr(0, *size));
}

api::Result<HttpHead> HttpBody::read_head() {
  while (true) {
    if (std::optional<HttpHead> head = reader_.head()) {
      return *std::move(head);
    }
    if (const api::Result<void> more = read_more(); !more && !reader_.head()) {
      return more.error();
    }
  }
}

api::Result<std::string> HttpBody::read_all() {
  std::string body = reader_.take_body();
  while (!reader_.done()) {
    if (const api::Result<void> more = read_more(); !more) {
      return more.error();
    }
    body += reader_.take_body();
    if (body.size() > limits_.body_max) {
      return api::Error{api::ErrorKind::Decode, "the body of the response is too long", {}};
    }
  }
  return body;
}

api::Result<std::size_t> HttpBody::read(std::span<char> into) {
  while (position_ == ready_.size()) {
    ready_ = reader_.take_body();
    position_ = 0;
    if (!ready_.empty()) {
      break;
    }
    if (failure_ || reader_.done()) {
      return failure_ ? api::Result<std::size_t>(*failure_) : api::Result<std::size_t>(0);
    }
    (void)read_more();
  }
  const std::size_t count = std::min(into.size(), ready_.size() - position_);
  std::copy_n(ready_.data() + position_, count, into.data());
  position_ += count;
  return count;
}

void HttpBody::close(runtime::Location here) { connection_->close(here); }

}  // namespace watchlab::client
