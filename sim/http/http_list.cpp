// What a session does with a list that is too long to be written in one go.
#include <utility>
#include <variant>

#include "sim/http/http_session.hpp"
#include "sim/network/connection.hpp"
#include "sim/network/wire_messages.hpp"

namespace watchlab::sim {

/// Not what a fault changes, which needs the whole text.
bool HttpSession::begins_list() const {
  const auto* const list = std::get_if<api::ObjectList>(&reply_.response.answer);
  return list != nullptr && !std::holds_alternative<Distort>(reply_.verdict) &&
         is_long(list->items);
}

void HttpSession::begin_list() {
  finish_exchange(reply_.message, reply_.response);
  const std::int32_t code = reply_.response.code;
  list_ = std::make_unique<ListBody>(std::get<api::ObjectList>(std::move(reply_.response.answer)),
                                     view_, now(), takes_gzip_);
  request_ = {};
  reply_ = {};
  begin_list({code, {{"Content-Type", std::string(list_->type())}}}, view_);
}

/// Sends the head. A client of HTTP/1.0 sees the end of the list by that of the connection.
void HttpSession::begin_list(HttpHead head, const BodyView& view) {
  list_until_ = now() + limits_.unread_max;
  if (takes_gzip_) {
    head.fields.push_back({"Content-Encoding", "gzip"});
  }
  WireMessage message{.framing = to_string(head, std::nullopt)};
  if (!takes_chunks_) {
    constexpr std::string_view kChunked = "Transfer-Encoding: chunked\r\n";
    message.framing.replace(message.framing.find(kChunked), kChunked.size(),
                            "Connection: close\r\n");
    keeps_alive_ = false;
  }
  add_common_fields(message, view);
  transmit(message);
  has_turn_ = false;  // what the list is made of has been looked for in this one
  then(now(), &HttpSession::continue_list);
}

void HttpSession::continue_list() {
  std::string piece = list_->next();
  has_turn_ = false;  // others are served between two pieces
  list_until_ = now() + limits_.unread_max;
  if (!piece.empty()) {
    const std::string line = takes_chunks_ ? chunk_line(piece.size()) : "";
    transmit(
        {.framing = line, .payload = std::move(piece), .trailer = takes_chunks_ ? "\r\n" : ""});
  }
  if (!list_->done()) {
    then(now(), &HttpSession::continue_list);
    return;
  }
  list_.reset();
  WireMessage end{.trailer = takes_chunks_ ? last_chunk() : ""};
  if (keeps_alive_) {
    then(now(), &HttpSession::next_request);
  } else {
    end.after = WireMessage::After::Finished;
  }
  transmit(end);
}

/// A client that takes nothing of a list keeps the objects in memory as they were.
void HttpSession::end_list_unread() {
  if (list_ == nullptr || over_) {
    return;
  }
  if (now() < list_until_) {
    wire_.wake_at(list_until_);
  } else {
    give_up_place();
  }
}

}  // namespace watchlab::sim
