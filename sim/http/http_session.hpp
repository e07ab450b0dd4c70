#pragma once

#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "sim/faults/message_context.hpp"
#include "sim/http/http_front.hpp"
#include "sim/http/list_body.hpp"
#include "sim/network/http_names.hpp"

namespace watchlab::sim {

/// What a session asks of the connection below it. The connection answers by the session's `on_…`
/// functions, and never from within one of these.
class SessionWire {
 public:
  SessionWire() = default;
  SessionWire(const SessionWire&) = delete;
  SessionWire& operator=(const SessionWire&) = delete;
  virtual ~SessionWire() = default;

  /// Takes bytes for the client, and calls `on_sent` each time that some are gone.
  virtual void send(std::string bytes) = 0;
  /// The orderly end, behind all that was sent.
  virtual void finish() = 0;
  /// A reset, behind all that was sent.
  virtual void cut() = 0;
  /// The end at once; what was sent and is not gone is dropped. Never destroys the session.
  virtual void abandon() { cut(); }
  /// Calls `on_time` then, or earlier, when the session can ask again.
  virtual void wake_at(runtime::TimePoint time) = 0;
  /// Calls `on_ring` soon. Any thread may call it.
  virtual void ring() = 0;
  /// Whether the session may build an answer, or events, now. If not, it calls `on_turn` soon, and
  /// the session asks again then.
  [[nodiscard]] virtual bool take_turn() { return true; }
  /// Bytes that were taken and are not gone.
  [[nodiscard]] virtual std::size_t unsent() const = 0;
  /// The port of the server that the client has come to; 0 when there is none.
  [[nodiscard]] virtual std::uint16_t port() const { return 0; }
  /// Who is at the other end, without a port; "" where all are the same.
  [[nodiscard]] virtual std::string peer() const { return ""; }
};

struct SessionLimits {
  runtime::Duration idle_max = std::chrono::seconds(90);     ///< between two requests
  runtime::Duration request_max = std::chrono::seconds(32);  ///< from its first byte to its last
  std::size_t body_max = std::size_t{3} << 20;               ///< as a real server
  std::size_t unsent_max = std::size_t{256} << 10;           ///< then it waits for its client
  runtime::Duration unread_max = std::chrono::seconds(60);   ///< for a piece of a long list
};

/// The server's end of one connection: takes requests out of its bytes, one after the other, asks
/// the front, and writes answers and events as bytes. What the faults say about the messages
/// happens to their bytes here. The same as `WireServer` does in a simulation, without a task: it
/// does what can be done now, and says when it wants to be called again. One thread.
class HttpSession final : public ConnectionBudget::Connection {
 public:
  HttpSession(HttpFront& front, SessionWire& wire, SessionLimits limits = {});
  HttpSession(const HttpSession&) = delete;
  HttpSession& operator=(const HttpSession&) = delete;
  /// Ends the stream that is open, if there is one, as one that its client has stopped.
  ~HttpSession() override;

  void on_start() { drive(); }
  void on_bytes(std::string_view bytes);
  /// The client will not send any more, or has gone.
  void on_end_of_input();
  void on_sent() { drive(); }
  /// So much of what was taken is gone, and there is more.
  void on_progress(std::size_t bytes) { front_.budget().moved(*this, bytes); }
  void on_time() { drive(); }
  void on_turn() { drive(); }
  void on_ring();
  /// Whether there is room for more bytes of the client.
  [[nodiscard]] bool wants_input() const;
  void give_up_room() override;
  void give_up_place() override;
  [[nodiscard]] bool is_waiting() const override { return next_ == nullptr && !over_; }
  /// Whether its next turn is one of many: of a long list, or after a long request.
  [[nodiscard]] bool takes_long() const;
  /// Whether the request is for one object or less.
  [[nodiscard]] bool asks_little() const { return asks_little_; }

 private:
  struct Outgoing {
    std::string bytes;
    runtime::TimePoint leave;
    WireMessage::After after = WireMessage::After::Open;
  };
  using Step = void (HttpSession::*)();

  // The loop.
  void drive();
  void do_what_is_due();
  [[nodiscard]] bool do_next();
  [[nodiscard]] bool may(Step step);
  void count_kept();
  [[nodiscard]] bool flush();
  void then(runtime::TimePoint time, Step step);
  void rest_until(runtime::TimePoint time, Step step);
  [[nodiscard]] bool wait_for_request();

  // A request.
  void read(std::string_view bytes);
  void forget_request();
  void refuse(const api::Error& error);
  void refuse_for_room();
  void give_up(api::Status why);
  void begin();
  void begin(HttpRequest http);
  void begin_read();
  void begin_with(const HttpRequest& http, std::string client, BodyAsRead read);
  void send_page(HttpPage page);
  [[nodiscard]] WireMessage answer_message(HttpHead head, std::string body) const;
  [[nodiscard]] WireMessage as_protobuf(WireMessage json, const std::string& shown) const;
  void add_common_fields(WireMessage& message, const BodyView& view);
  void depart(const HttpRequest& http);
  void distort(const HttpRequest& http, const Distort& fault);
  void ask();
  void answer();
  void send_answer();
  void next_request();
  void fail_with(api::Error error, runtime::Duration after);
  void fail();
  void lose_answer();
  void finish_exchange(std::uint64_t message, const api::Result<Response>& outcome);

  // A long list.
  [[nodiscard]] bool begins_list() const;
  void begin_list();
  void begin_list(HttpHead head, const BodyView& view);
  void continue_list();
  void end_list_unread();

  // A watch.
  void pump();
  void deliver();
  void end_watch();
  void end_stream(const StreamEnding& ending);
  [[nodiscard]] std::optional<StreamEnding> send_events(const stream_step::Deliver& step);
  void send_in_stream(WireMessage message);

  void transmit(const WireMessage& message);
  [[nodiscard]] runtime::TimePoint now() { return front_.now(); }
  [[nodiscard]] ServerHost& host() { return *front_.host(); }

  HttpFront& front_;
  SessionWire& wire_;
  SessionLimits limits_;

  bool had_request_ = false;  ///< a whole one, of this connection
  bool had_post_ = false;     ///< nothing has come since that
  std::unique_ptr<HttpRequestReader> reader_;
  std::string input_;                        // what came while a request was being served
  std::optional<runtime::TimePoint> began_;  // when the first byte of a request came
  std::size_t held_bytes_ = 0;               // of it
  bool asks_little_ = false;                 // it does not read a collection
  bool asks_health_ = false;                 // it is a probe
  bool was_free_ = false;                    // a probe has been answered without a turn
  struct Begun;
  std::unique_ptr<Begun> begun_;  // a request whose body another task is parsing
  runtime::TimePoint idle_since_;
  bool invited_ = false;        // to send the body of the request
  bool head_is_right_ = false;  // of the request
  bool input_ended_ = false;
  bool keeps_alive_ = true;  // the connection stays open after this answer
  bool takes_gzip_ = false;  // the client of this request
  bool takes_body_ = true;   // not one that has asked by HEAD: it would take it for the next answer
  bool takes_chunks_ = true;
  bool over_ = false;

  Step next_ = nullptr;  // what is done next; nothing while a request is awaited
  runtime::TimePoint due_;
  bool resting_ = false;  // a ring brings the next step forward
  bool has_turn_ = false;

  Request request_;
  BodyView view_;
  ServerHost::Departure departure_;
  ServerHost::Reply reply_;
  std::optional<api::Error> failure_;
  bool is_open_ = false;  // the exchange is not finished

  std::unique_ptr<ListBody> list_;  // the rest of it
  runtime::TimePoint list_until_;   // when it is given up if nobody takes of it

  std::shared_ptr<Stream> stream_;
  stream_step::Deliver events_;
  stream_step::End end_;
  bool first_event_ = true;
  std::string held_;  // bytes of events that wait for what follows
  std::optional<runtime::TimePoint> held_until_;

  std::deque<Outgoing> outbox_;
  std::size_t outbox_bytes_ = 0;
};

}  // namespace watchlab::sim
