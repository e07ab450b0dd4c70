#include "sim/http/http_session.hpp"

#include <algorithm>
#include <array>
#include <exception>
#include <new>
#include <utility>

#include "sim/http/kind_protobuf.hpp"
#include "sim/http/request_checks.hpp"
#include "sim/network/connection.hpp"
#include "sim/network/wire_messages.hpp"

namespace watchlab::sim {

namespace {

using runtime::TimePoint;

/// How often a request that waits for the server asks again at least.
constexpr runtime::Duration kAskAgain = std::chrono::milliseconds(10);
/// What may come ahead of the answer to the request before.
constexpr std::size_t kInputMax = std::size_t{64} << 10;
/// How often a body that is being parsed is checked on, besides the callback.
constexpr runtime::Duration kLookAgain = std::chrono::seconds(10);
/// Longer YAML bodies are parsed in another task: parsing takes a millisecond per KiB.
constexpr std::size_t kReadHere = std::size_t{8} << 10;
constexpr std::int32_t kTimeoutCode = 408;
/// What comes of a second request before the end of input is nothing, up to that. Mirrors Go's
/// net/http, conn.serve, as does what may stand between a POST and the next request.
constexpr std::size_t kNothing = 4;
constexpr std::int32_t kFirstRefusal = 300;
constexpr std::int32_t kCreatedCode = 201;
/// Shorter answers are not packed. Mirrors apiserver's defaultGzipThresholdBytes.
constexpr std::size_t kGzipMin = std::size_t{128} << 10;

/// What the client has sent instead of a request, where that can be recognised.
std::string refusal_text(std::string_view first_bytes, const std::string& otherwise) {
  if (first_bytes.starts_with("PRI * HTTP/2")) {
    return "this server speaks HTTP/1.1, and the client began with HTTP/2";
  }
  if (first_bytes.starts_with("\x16\x03")) {
    return "this server speaks plain HTTP, and the client began with TLS: its URL begins with "
           "http:";
  }
  return otherwise;
}

/// Whether it is a health check; the answer is always the same.
bool is_probe(const HttpRequest& http) {
  static constexpr std::array<std::string_view, 3> kProbes{"/healthz", "/livez", "/readyz"};
  return std::ranges::find(kProbes, http.target.substr(0, http.target.find('?'))) != kProbes.end();
}

/// Whether it reads one object, or discovery. /api/v1/nodes/n1 is an object, and
/// /api/v1/namespaces/a/pods a collection; a path with a group has one more segment.
bool reads_little(const HttpRequest& http) {
  const std::string_view path = std::string_view(http.target).substr(0, http.target.find('?'));
  const auto words = std::ranges::count(path, '/');
  const bool names_an_object = (path.starts_with("/api/") && words % 2 == 0) ||
                               (path.starts_with("/apis/") && words % 2 == 1);
  return http.method == "GET" && (words <= 2 || names_an_object) && !path.starts_with("/openapi");
}

api::Result<Response> outcome_of(const Response& response) {
  const auto* status = std::get_if<api::Status>(&response.answer);
  return status != nullptr && status->status == "Failure"
             ? api::Result<Response>(api::error_from(*status))
             : api::Result<Response>(response);
}

}  // namespace

/// A request whose body another task parses.
struct HttpSession::Begun {
  Begun(HttpRequest http_in, std::string client_in, std::shared_ptr<BodyReader::Reading> reading_in)
      : http(std::move(http_in)), client(std::move(client_in)), reading(std::move(reading_in)) {}
  Begun(const Begun&) = delete;
  Begun& operator=(const Begun&) = delete;
  ~Begun() { reading->let_go(); }

  HttpRequest http;
  std::string client;
  std::shared_ptr<BodyReader::Reading> reading;
};

HttpSession::HttpSession(HttpFront& front, SessionWire& wire, SessionLimits limits)
    : front_(front), wire_(wire), limits_(limits), idle_since_(front.now()) {
  front_.budget().enter(*this, wire_.peer());
}

HttpSession::~HttpSession() {
  begun_.reset();
  front_.budget().leave(*this);
  end_stream({StreamEnd::Stopped, ""});
  if (is_open_) {
    finish_exchange(0, cancelled());
  }
}

bool HttpSession::wants_input() const {
  return !over_ && (next_ == nullptr || input_.size() < kInputMax);
}

void HttpSession::on_bytes(std::string_view bytes) {
  front_.budget().moved(*this, bytes.size());
  input_ += bytes;
  drive();
}

void HttpSession::on_end_of_input() {
  input_ended_ = true;
  keeps_alive_ = false;
  if (stream_ != nullptr || (next_ != nullptr && due_ == TimePoint::max())) {
    end_stream({StreamEnd::Stopped, ""});
    transmit({.after = WireMessage::After::Finished});
  }
  drive();
}

void HttpSession::on_ring() {
  if (resting_) {
    due_ = TimePoint::min();
  }
  drive();
}

void HttpSession::drive() {
  was_free_ = false;
  do_what_is_due();
  end_list_unread();
  has_turn_ = false;
  count_kept();
}

void HttpSession::do_what_is_due() {
  while (!over_ && flush() && !over_ && wire_.unsent() <= limits_.unsent_max) {
    try {
      if (!do_next()) {
        return;
      }
    } catch (const std::bad_alloc&) {
      give_up(api::failure(api::StatusReason::TooManyRequests,
                           "the system refuses the server the memory that this request takes"));
    } catch (const std::exception& failure) {
      give_up(api::failure(api::StatusReason::InternalError,
                           std::string("this is a bug of watchlab: ") + failure.what()));
    }
  }
}

/// False when the next step has to wait.
bool HttpSession::do_next() {
  if (next_ == nullptr) {
    return wait_for_request();
  }
  if (now() < due_) {
    wire_.wake_at(due_);
    return false;
  }
  if (!may(next_)) {
    return false;
  }
  resting_ = false;
  const Step step = std::exchange(next_, nullptr);
  (this->*step)();
  return true;
}

/// Steps that may take long wait for a turn, which lasts for the rest of one answer. A probe does
/// not: its answer is tiny, and behind those of many new connections it would be late. Only one
/// probe goes first each time, because a client may send many at once.
bool HttpSession::may(Step step) {
  static constexpr std::array<Step, 6> kLong{&HttpSession::begin,         &HttpSession::begin_read,
                                             &HttpSession::ask,           &HttpSession::send_answer,
                                             &HttpSession::continue_list, &HttpSession::deliver};
  if (step == kLong.front() && asks_health_ && !was_free_) {
    was_free_ = true;
    return true;
  }
  const bool is_long = std::ranges::find(kLong, step) != kLong.end();
  has_turn_ = has_turn_ || (is_long && wire_.take_turn());
  return has_turn_ || !is_long;
}

/// A mistake of ours ends this connection and no other. Mirrors apiserver's
/// filters.WithPanicRecovery.
void HttpSession::give_up(api::Status why) {
  next_ = nullptr;
  if (is_open_) {
    finish_exchange(0, cancelled());
  }
  if (stream_ != nullptr || list_ != nullptr) {
    end_stream({StreamEnd::Stopped, ""});
    list_.reset();
    transmit({.after = WireMessage::After::Cut});
    return;
  }
  refuse(api::error_from(std::move(why)));
}

void HttpSession::count_kept() {
  front_.budget().keep(
      *this, held_bytes_ + outbox_bytes_ + wire_.unsent() + (list_ == nullptr ? 0 : list_->kept()));
}

bool HttpSession::takes_long() const {
  constexpr std::size_t kLongRequest = std::size_t{64} << 10;
  return list_ != nullptr || held_bytes_ > kLongRequest;
}

/// The client of a request that is not whole still gets an answer to it; one that does not read
/// what it was sent gets nothing more.
void HttpSession::give_up_room() {
  if (is_waiting() && reader_ != nullptr && outbox_.empty() && wire_.unsent() == 0) {
    refuse_for_room();
    drive();
  } else {
    give_up_place();
  }
}

void HttpSession::give_up_place() {
  forget_request();
  begun_.reset();
  outbox_.clear();
  outbox_bytes_ = 0;
  list_.reset();
  over_ = true;
  wire_.abandon();
}

/// Sends what may leave by now. False when the rest has to wait.
bool HttpSession::flush() {
  while (!outbox_.empty() && !over_) {
    Outgoing& first = outbox_.front();
    if (now() < first.leave) {
      wire_.wake_at(first.leave);
      return false;
    }
    outbox_bytes_ -= first.bytes.size();
    if (!first.bytes.empty()) {
      wire_.send(std::move(first.bytes));
    }
    if (first.after != WireMessage::After::Open) {
      over_ = true;
      first.after == WireMessage::After::Cut ? wire_.cut() : wire_.finish();
    }
    outbox_.pop_front();
  }
  return true;
}

void HttpSession::then(TimePoint time, Step step) {
  next_ = step;
  due_ = time;
}

void HttpSession::rest_until(TimePoint time, Step step) {
  then(time, step);
  resting_ = true;
}

/// Reads what has come. False when there is no whole request yet.
bool HttpSession::wait_for_request() {
  if (!input_.empty()) {
    read(std::exchange(input_, {}));
    if (next_ != nullptr || !outbox_.empty()) {
      return true;
    }
  }
  if (input_ended_ && began_ && (held_bytes_ >= kNothing || !had_request_)) {
    refuse(api::error_from(api::failure(api::StatusReason::BadRequest,
                                        "malformed HTTP request: it ends in its middle")));
    return true;
  }
  if (input_ended_) {
    transmit({.after = WireMessage::After::Finished});
    return true;
  }
  const TimePoint deadline =
      began_ ? *began_ + limits_.request_max : idle_since_ + limits_.idle_max;
  if (now() < deadline) {
    wire_.wake_at(deadline);
    return false;
  }
  if (began_) {
    api::Status status =
        api::failure(api::StatusReason::Timeout, "the request did not come to its end in time");
    status.code = kTimeoutCode;
    refuse(api::error_from(std::move(status)));
  } else {
    transmit({.after = WireMessage::After::Finished});
  }
  return true;
}

void HttpSession::read(std::string_view bytes) {
  if (std::exchange(had_post_, false)) {
    bytes.remove_prefix(std::min({bytes.find_first_not_of("\r\n"), bytes.size(), kNothing}));
    if (bytes.empty()) {
      return;
    }
  }
  if (reader_ == nullptr) {
    reader_ = std::make_unique<HttpRequestReader>(HttpLimits{.body_max = limits_.body_max});
    began_ = now();
    invited_ = head_is_right_ = false;
  }
  held_bytes_ += bytes.size();
  count_kept();
  const api::Result<void> fed = reader_->feed(bytes);
  if (const auto head = head_is_right_ ? std::nullopt : reader_->head()) {
    if (const std::optional<api::Status> wrong = refusal_of_head(*head)) {
      refuse(api::error_from(*wrong));
      return;
    }
    head_is_right_ = true;
    asks_health_ = is_probe(*head);
    asks_little_ = reads_little(*head);
  }
  if (!fed) {
    const bool is_status = fed.error().kind == api::ErrorKind::Status;
    refuse(is_status ? fed.error()
                     : api::error_from(api::failure(api::StatusReason::BadRequest,
                                                    refusal_text(bytes, fed.error().message))));
    return;
  }
  if (!invited_ && reader_->expects_continue()) {
    invited_ = true;
    transmit({.framing = "HTTP/1.1 100 Continue\r\n\r\n"});
  }
  if (reader_->done()) {
    input_ = reader_->take_rest();
    then(now(), &HttpSession::begin);
  }
}

/// Until then the whole request is counted as one that is not.
void HttpSession::begin() {
  HttpRequest http = reader_->take();
  forget_request();
  begin(std::move(http));
}

/// Makes ready for the next one.
void HttpSession::forget_request() {
  reader_.reset();
  began_.reset();
  held_bytes_ = 0;
}

/// Answers what is no request, and ends the connection: what follows cannot be understood.
void HttpSession::refuse(const api::Error& error) {
  front_.refused(error.status);
  forget_request();
  keeps_alive_ = false;
  send_page(page_of(error.status));
}

void HttpSession::refuse_for_room() {
  api::Status status = api::failure(
      api::StatusReason::TooManyRequests,
      "the server had no room left for a request that does not come to its end; try again in a "
      "second");
  status.details.retry_after_seconds = 1;
  refuse(api::error_from(std::move(status)));
}

void HttpSession::begin(HttpRequest http) {
  keeps_alive_ = http.keep_alive && !input_ended_;
  had_request_ = true;
  had_post_ = http.method == "POST";
  std::string client = front_.client_of(http, wire_.port());
  takes_gzip_ = takes_gzip(field_of(http.fields, "Accept-Encoding"));
  takes_body_ = http.method != "HEAD";
  takes_chunks_ = !http.is_http_10;
  if (!front_.needs_reading(http) || front_.refusal_for(http)) {
    begin_with(http, std::move(client), nullptr);
  } else if (http.body.size() > kReadHere) {
    held_bytes_ = http.body.size();
    std::string body = std::exchange(http.body, {});
    begun_ =
        std::make_unique<Begun>(std::move(http), std::move(client),
                                front_.bodies().begin(std::move(body), [this] { wire_.ring(); }));
    rest_until(now() + kLookAgain, &HttpSession::begin_read);
  } else {
    const api::Result<ReadBody> read = front_.read_body(http.body);
    read ? HttpFront::put_json(http, read->json) : void();
    begin_with(http, std::move(client), &read);
  }
}

/// Continues once the body is parsed.
void HttpSession::begin_read() {
  const std::optional<api::Result<ReadBody>> read = begun_->reading->take();
  if (!read) {
    rest_until(now() + kLookAgain, &HttpSession::begin_read);
    return;
  }
  held_bytes_ = 0;
  const std::unique_ptr<Begun> begun = std::exchange(begun_, nullptr);
  *read ? HttpFront::put_json(begun->http, (*read)->json) : void();
  begin_with(begun->http, std::move(begun->client), &*read);
}

void HttpSession::begin_with(const HttpRequest& http, std::string client, BodyAsRead read) {
  if (std::optional<HttpPage> page = front_.page_for(http, read)) {
    send_page(*std::move(page));
    return;
  }
  api::Result<Request> request = front_.request_for(http, read);
  if (!request) {
    front_.refused(request.error().status);
    send_page(page_of(request.error().status));
    return;
  }
  api::Result<BodyView> view = front_.view_for(http, *request, read);
  if (!view) {
    send_page(page_of(view.error().status));
    return;
  }
  request_ = *std::move(request);
  request_.client = std::move(client);
  view_ = *std::move(view);
  departure_ = host().depart(front_.server(), request_);
  is_open_ = true;
  depart(http);
}

void HttpSession::send_page(HttpPage page) {
  HttpHead head{page.code, {{"Content-Type", std::move(page.type)}}};
  std::ranges::move(page.fields, std::back_inserter(head.fields));
  if (is_long(page.items)) {
    list_ = std::make_unique<ListBody>(std::move(page.body), std::move(page.items), takes_gzip_);
    begin_list(std::move(head), {});
    return;
  }
  if (!page.items.empty()) {
    page.body = ListBody(std::move(page.body), std::move(page.items), false).whole();
  }
  if (!keeps_alive_) {
    head.fields.push_back({"Connection", "close"});
  }
  WireMessage message = answer_message(std::move(head), std::move(page.body));
  add_common_fields(message, {});
  if (!takes_body_) {
    message.payload.clear();
  }
  if (keeps_alive_) {
    message.after = WireMessage::After::Open;
    then(now(), &HttpSession::next_request);
  }
  transmit(message);
}

void HttpSession::add_common_fields(WireMessage& message, const BodyView& view) {
  message.framing.insert(message.framing.find("\r\n") + 2, front_.common_fields(view));
}

/// A whole answer; packed, when it is long and the client takes that.
WireMessage HttpSession::answer_message(HttpHead head, std::string body) const {
  if (takes_gzip_ && body.size() >= kGzipMin) {
    body = gzipped(body);
    head.fields.push_back({"Content-Encoding", "gzip"});
  }
  return message_of(head, std::move(body));
}

void HttpSession::next_request() {
  idle_since_ = now();
  takes_body_ = true;
  has_turn_ = false;
  request_ = {};
  reply_ = {};
  if (!keeps_alive_) {
    transmit({.after = WireMessage::After::Finished});
  }
}

/// The request leaves its client: what the faults say to that comes first.
void HttpSession::depart(const HttpRequest& http) {
  const Verdict verdict = std::exchange(departure_.verdict, Pass{});
  if (const auto* fault = std::get_if<Fail>(&verdict)) {
    fail_with(fault->error, fault->after);
  } else if (std::holds_alternative<Drop>(verdict)) {
    lose_answer();
  } else if (const auto* fault = std::get_if<Distort>(&verdict)) {
    distort(http, *fault);
  } else {
    then(now() + lateness(verdict), &HttpSession::ask);
  }
}

void HttpSession::distort(const HttpRequest& http, const Distort& fault) {
  const std::string text = to_string(http);
  const std::size_t body = text.find("\r\n\r\n") + 4;
  WireMessage message{.framing = text.substr(0, body), .payload = text.substr(body)};
  fault.how(message);
  HttpRequestReader reader({.body_max = limits_.body_max});
  const api::Result<void> fed = reader.feed(message.bytes());
  if (!fed) {
    finish_exchange(0, fed.error());
    refuse(api::error_from(api::failure(api::StatusReason::BadRequest, fed.error().message)));
    return;
  }
  api::Result<Request> request =
      reader.done() ? front_.request_for(reader.take()) : api::Result<Request>(cancelled());
  if (!request) {
    fail_with(request.error(), {});
    return;
  }
  std::string client = std::move(request_.client);
  request_ = *std::move(request);
  request_.client = std::move(client);  // faults know it by the name that it had
  then(now(), &HttpSession::ask);
}

void HttpSession::ask() {
  auto served = host().try_serve(departure_, request_);
  if (const auto* time = std::get_if<TimePoint>(&served)) {
    then(std::min(*time, now() + kAskAgain), &HttpSession::ask);
    return;
  }
  reply_ = std::move(std::get<ServerHost::Reply>(served));
  front_.served(request_, reply_.response);
  answer();
}

void HttpSession::answer() {
  if (const auto* fault = std::get_if<Fail>(&reply_.verdict)) {
    fail_with(fault->error, fault->after);
  } else if (std::holds_alternative<Drop>(reply_.verdict)) {
    lose_answer();
  } else {
    then(now() + lateness(reply_.verdict), &HttpSession::send_answer);
  }
}

void HttpSession::send_answer() {
  if (begins_list()) {
    begin_list();
    return;
  }
  const bool distorted = std::holds_alternative<Distort>(reply_.verdict);
  takes_gzip_ = takes_gzip_ && !distorted;  // faults change the text
  WireMessage message = message_of(reply_.response);
  std::string shown = shown_body(reply_.response, view_, now());
  if (view_.form == BodyForm::Done && !shown.empty()) {
    reply_.response.code = kCreatedCode;
  }
  if (shown.empty() && message.payload.size() >= kGzipMin && takes_gzip_) {
    shown = std::move(message.payload);
  }
  if (view_.protobuf) {
    message = as_protobuf(std::move(message), shown);
  } else if (!shown.empty()) {
    message = answer_message({reply_.response.code, {{"Content-Type", "application/json"}}},
                             std::move(shown));
  }
  add_common_fields(message, reply_.response.code < kFirstRefusal ? view_ : BodyView{});
  // What a fault has changed ends the connection as it does in a simulation.
  if (const auto* fault = std::get_if<Distort>(&reply_.verdict)) {
    fault->how(message);
  } else if (keeps_alive_) {
    message.after = WireMessage::After::Open;
  }
  finish_exchange(reply_.message, outcome_of(reply_.response));
  const WireMessage::After after = message.after;
  transmit(message);
  stream_ = std::move(reply_.stream);
  request_ = {};  // with the answer they may hold more than its bytes, which are counted
  reply_.response = {};
  if (stream_ == nullptr) {
    if (after == WireMessage::After::Open) {
      then(now(), &HttpSession::next_request);
    }
  } else if (after == WireMessage::After::Open) {
    first_event_ = true;
    host().listen(*stream_, [this] { wire_.ring(); });
    then(now(), &HttpSession::pump);
  } else {
    end_stream({end_for(after), reply_.fault});
  }
}

/// An answer, or the head of a stream, for a client that takes protobuf. `shown` stands in the
/// place of the message's body unless it is "".
WireMessage HttpSession::as_protobuf(WireMessage json, const std::string& shown) const {
  const std::int32_t code = reply_.response.code;
  if (reply_.stream != nullptr) {
    constexpr std::string_view kJson = "application/json";
    json.framing.replace(json.framing.find(kJson), kJson.size(),
                         std::string(kProtobufType) + ";stream=watch");
    return json;
  }
  const std::string& body = shown.empty() ? json.payload : shown;
  if (std::optional<std::string> packed = protobuf_from_json(body)) {
    return answer_message({code, {{"Content-Type", std::string(kProtobufType)}}},
                          *std::move(packed));
  }
  return shown.empty() ? json
                       : answer_message({code, {{"Content-Type", "application/json"}}}, shown);
}

void HttpSession::fail_with(api::Error error, runtime::Duration after) {
  finish_exchange(0, error);
  failure_ = std::move(error);
  then(now() + after, &HttpSession::fail);
}

void HttpSession::fail() {
  std::optional<WireMessage> message = message_of(*std::exchange(failure_, std::nullopt));
  if (!message) {
    transmit({.after = WireMessage::After::Cut});
    return;
  }
  const bool is_whole = message->after == WireMessage::After::Finished && !message->payload.empty();
  if (is_whole && keeps_alive_) {
    message->after = WireMessage::After::Open;
    then(now(), &HttpSession::next_request);
  }
  transmit(*message);
}

/// The client waits until it gives up.
void HttpSession::lose_answer() {
  reply_.stream.reset();
  then(TimePoint::max(), &HttpSession::next_request);
}

void HttpSession::finish_exchange(std::uint64_t message, const api::Result<Response>& outcome) {
  is_open_ = false;
  host().finish(departure_.exchange, message, outcome);
}

void HttpSession::transmit(const WireMessage& message) {
  const std::string bytes = message.bytes();
  const std::size_t piece = message.piece == 0 ? bytes.size() : message.piece;
  TimePoint leave = outbox_.empty() ? now() : std::max(now(), outbox_.back().leave);
  for (std::size_t sent = 0; sent < bytes.size(); sent += piece) {
    leave += sent == 0 ? runtime::Duration{} : message.pause;
    outbox_.push_back({.bytes = bytes.substr(sent, piece), .leave = leave});
    outbox_bytes_ += outbox_.back().bytes.size();
  }
  if (message.after != WireMessage::After::Open) {
    outbox_.push_back({.bytes = {}, .leave = leave, .after = message.after});
  }
}

}  // namespace watchlab::sim
