#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "scenarios/command_line/command_line.hpp"

/// Commands as tools for editors and assistants, by the Model Context Protocol
/// (modelcontextprotocol.io): messages of JSON-RPC 2.0, a line each.
namespace watchlab::scenarios {

/// The answers to the requests of a batch, which form a batch as well.
class McpBatch {
 public:
  /// Expects one more answer.
  void expect() { ++open_; }
  /// Adds an answer; "" for one that will never come. Returns the batch once it is complete, unless
  /// it is empty.
  [[nodiscard]] std::string add(const std::string& answer);

 private:
  std::size_t open_ = 0;
  std::string answers_;
};

/// A tool that a client calls: a command of the program, with its words.
struct ToolCall {
  std::string id;  ///< of the request, as it was written
  std::vector<std::string> words;
  std::shared_ptr<McpBatch> batch = nullptr;  ///< of the request; null for none
};

/// What became of a call.
struct ToolOutcome {
  int exit_code = 0;
  std::string out;  ///< all that the command has printed
  std::string err;  ///< what it has said beside that
};

/// What a message leads to; each may be missing.
struct McpOutcome {
  std::string answer = {};                    ///< a line to send
  std::optional<ToolCall> call = {};          ///< to run; `finished` makes its answer
  std::optional<std::string> cancelled = {};  ///< the id of a call that nobody waits for any more
  std::vector<McpOutcome> batch = {};         ///< the outcomes of a batch
};

/// One client's side of the conversation. The tools and their schemas are made from the rows of the
/// commands, so that a new option is a new property.
class McpSession {
 public:
  /// How much of what a command prints goes to the client, in bytes.
  static constexpr std::size_t kOutputMax = 200'000;

  /// `commands` outlives the session.
  explicit McpSession(const std::vector<Command>& commands) : commands_(commands) {}

  /// Takes a message. If anything is wrong with it, the answer says so. One revision of the
  /// protocol has batches.
  [[nodiscard]] McpOutcome take(std::string_view message);
  /// The answer to a call.
  [[nodiscard]] static std::string finished(const ToolCall& call, const ToolOutcome& outcome);

 private:
  [[nodiscard]] McpOutcome take_one(std::string_view message, bool is_in_batch);

  const std::vector<Command>& commands_;
  std::string revision_;  ///< of the protocol; "" until it is agreed on
};

/// Answers what comes from standard input until its end: calls run one after another as processes
/// of this program, and a client can cancel them. Returns the exit status.
[[nodiscard]] int serve_tools(const std::vector<Command>& commands);
/// A process that it called ends when it has gone, however it went; others go on.
void end_with_server_of_tools();

}  // namespace watchlab::scenarios
