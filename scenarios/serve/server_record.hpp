#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/api/object.hpp"
#include "core/api/options.hpp"
#include "core/runtime/runtime.hpp"
#include "sim/network/exchange.hpp"

/// What a server wrote down of its clients: a file of JSON lines, one for each thing that happened,
/// in the order of time. A line is written whole or not at all, so that the file is right up to its
/// last line whatever ends the server.
namespace watchlab::scenarios {

/// Writes the record.
class RecordWriter final : public sim::ExchangeObserver {
 public:
  /// Begins the file anew. `on_failure` gets a message, once, when no more can be written; the file
  /// holds everything until then. Throws `std::runtime_error` when it cannot be begun.
  RecordWriter(std::string path, std::function<void(const std::string&)> on_failure);
  ~RecordWriter() override;

  void changed(const sim::Exchange& exchange) override;
  void arrived(const sim::Exchange& exchange, const watch::Event& event) override;
  void wrote(const sim::Change& change) override;

  /// By what clock events come; to be called before the first request.
  void use_clock(runtime::Runtime& runtime) { runtime_ = &runtime; }
  /// Whether something could not be written.
  [[nodiscard]] bool failed() const { return failed_; }

 private:
  struct Known {
    bool answered = false;
    bool ended = false;
  };

  /// Seconds since the first thing that was written down.
  [[nodiscard]] double since_began(runtime::TimePoint moment);
  void write(const std::string& line);

  std::string path_;
  std::function<void(const std::string&)> on_failure_;
  int descriptor_ = -1;
  std::int64_t size_ = 0;  // of whole lines
  bool failed_ = false;
  std::optional<runtime::TimePoint> began_;
  runtime::Runtime* runtime_ = nullptr;
  std::map<std::uint64_t, Known> open_;  // exchanges that are not over
};

/// A state that the server gave an object.
struct RecordedWrite {
  runtime::Duration at{0};
  api::GroupVersionResource resource;
  std::string key;
  api::ObjectPtr object;  ///< the last state of one that was deleted
  bool deleted = false;
};

/// A request of a client, and what became of it.
struct RecordedRequest {
  runtime::Duration at{0};
  std::string client;
  sim::Verb verb = sim::Verb::Get;
  api::GroupVersionResource resource;
  std::string namespace_;
  api::ListOptions options;
  sim::AnswerKind answer = sim::AnswerKind::Pending;
  std::optional<runtime::Duration> answered;
  std::optional<sim::StreamEnd> end;
  std::optional<runtime::Duration> ended;
  std::uint64_t events = 0;  ///< that the client has taken from the stream
};

struct ServerRecord {
  std::vector<RecordedWrite> writes;
  std::vector<RecordedRequest> requests;
  bool torn = false;  ///< the last line was cut off, and is left out
};

/// Reads a record. `problem` gets the first thing that is wrong, with file and line; then nothing
/// is returned.
[[nodiscard]] std::optional<ServerRecord> read_record(const std::string& path,
                                                      std::string& problem);

}  // namespace watchlab::scenarios
