#include "scenarios/cli/mcp_session.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <boost/algorithm/string/case_conv.hpp>
#include <boost/json.hpp>
#include <charconv>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <type_traits>

#include "scenarios/command_line/console.hpp"
#include "scenarios/language/document.hpp"
#include "scenarios/language/plain_text.hpp"

namespace watchlab::scenarios {
namespace {

namespace json = boost::json;

/// Revisions of the protocol that are spoken here, the newest first: they differ in what is not
/// used.
constexpr std::array<std::string_view, 3> kRevisions{"2025-06-18", "2025-03-26", "2024-11-05"};
/// The only revision with batches: later ones forbid them again.
constexpr std::string_view kWithBatches = "2025-03-26";

/// Commands that end by themselves and need no terminal.
constexpr std::array<std::string_view, 14> kTools{
    "list",   "show", "validate", "run",  "explore", "replay", "explain",
    "shrink", "diff", "trace",    "draw", "report",  "fuzz",   "museum"};

/// Those that write no file, whatever they are asked; others keep a failure, write a report, or
/// take the name of a file to write.
constexpr std::array<std::string_view, 4> kReadOnly{"list", "show", "diff", "explain"};

/// What `museum` plays as the command of that name does, and what ends only by a signal.
constexpr std::string_view kEndless = "serve-report";

// Of JSON-RPC 2.0.
constexpr int kParseError = -32700;
constexpr int kInvalidRequest = -32600;
constexpr int kMethodNotFound = -32601;
constexpr int kInvalidParams = -32602;

/// What a client has asked for that cannot be done; an answer of its own.
struct RpcError : std::runtime_error {
  RpcError(int number, const std::string& message) : std::runtime_error(message), code(number) {}
  int code;
};

/// An answer repeats the id as it was written: a number may be larger than any that is known here.
std::string answer_of(std::string_view id, std::string_view what, const json::value& content) {
  return fmt::format(R"({{"jsonrpc":"2.0","id":{},"{}":{}}})", id, what,
                     visible_text(json::serialize(content)));
}

std::string error_of(std::string_view id, int code, std::string_view message) {
  return answer_of(id, "error", json::object{{"code", code}, {"message", message}});
}

bool is_option(const Argument& argument) { return argument.name.starts_with("-"); }

/// "--jobs,-j" as "jobs", "-o,--output" as "output", "FILE" as "file".
std::string property_of(const Argument& argument) {
  const std::string& name = argument.name;
  if (is_option(argument)) {
    const std::size_t begin = name.find("--") + 2;
    return name.substr(begin, name.find(',', begin) - begin);
  }
  return boost::algorithm::to_lower_copy(name);
}

/// The type of a property, in the words of JSON Schema.
std::string_view type_of(const Argument& argument) {
  return std::visit(
      [](const auto* target) -> std::string_view {
        using Wanted = std::remove_cvref_t<decltype(*target)>;
        if constexpr (std::is_same_v<Wanted, bool>) {
          return "boolean";
        } else if constexpr (std::is_same_v<Wanted, std::vector<std::string>>) {
          return "array";
        } else if constexpr (std::is_same_v<Wanted, std::string> ||
                             std::is_same_v<Wanted, std::optional<std::string>> ||
                             std::is_same_v<Wanted, runtime::Duration>) {
          return "string";
        } else {
          return std::is_same_v<Wanted, double> || std::is_same_v<Wanted, std::optional<double>>
                     ? "number"
                     : "integer";
        }
      },
      argument.target);
}

std::vector<std::string> words_offered(const Argument& argument) {
  std::vector<std::string> words = argument.one_of;
  std::erase(words, kEndless);
  return words;
}

/// How many runs, or stories, a call may ask for: more would hold up those behind it for days.
constexpr std::uint64_t kRunsMax = 1'000'000;

bool is_count_of_runs(const Argument& argument) {
  static constexpr std::array<std::string_view, 3> kCounts{"schedules", "times", "endings"};
  return std::ranges::find(kCounts, property_of(argument)) != kCounts.end();
}

struct Bounds {
  double least;
  double most;
};

/// What a number may be: what the command says, what its type can hold, and what takes an end.
Bounds bounds_of(const Argument& argument) {
  Bounds bounds{argument.least, argument.most};
  const auto narrow = [&bounds](double least, double most) {
    bounds = {std::max(bounds.least, least), std::min(bounds.most, most)};
  };
  if (is_count_of_runs(argument)) {
    narrow(0, kRunsMax);
  }
  const auto is_of = [&](auto sample) {
    using Number = decltype(sample);
    return std::holds_alternative<Number*>(argument.target) ||
           std::holds_alternative<std::optional<Number>*>(argument.target);
  };
  if (is_of(std::size_t())) {
    narrow(0, static_cast<double>(std::numeric_limits<std::size_t>::max()));
  } else if (is_of(int())) {
    narrow(std::numeric_limits<int>::min(), std::numeric_limits<int>::max());
  }
  return bounds;
}

/// A bound as JSON has it. The largest whole number is none that a double holds.
json::value bound_value(double bound) {
  constexpr double kWholeEnd = 0x1p64;
  return bound == kWholeEnd ? json::value(std::numeric_limits<std::uint64_t>::max())
                            : json::value(bound);
}

std::string bound_text(double bound) {
  const json::value value = bound_value(bound);
  return value.is_uint64() ? std::to_string(value.as_uint64()) : fmt::format("{:.0f}", bound);
}

json::object schema_of(const Argument& argument) {
  const std::string_view type = type_of(argument);
  const Bounds bounds = bounds_of(argument);
  json::object schema{{"type", type}, {"description", argument.help}};
  if (type == "array") {
    schema["items"] = json::object{{"type", "string"}};
  } else if (!argument.one_of.empty()) {
    const std::vector<std::string> words = words_offered(argument);
    schema["enum"] = json::array(words.begin(), words.end());
  }
  if (bounds.least > std::numeric_limits<double>::lowest()) {
    schema["minimum"] = bounds.least;
  }
  if (bounds.most < std::numeric_limits<double>::max()) {
    schema["maximum"] = bound_value(bounds.most);
  }
  return schema;
}

/// What starts programs is for the person to say who starts the server.
bool is_offered(const Argument& argument) {
  return argument.name != "--" && argument.name != "--allow-run";
}

json::object tool_of(const Command& command) {
  json::object properties;
  json::array required;
  bool starts_programs = false;
  for (const Argument& argument : command.arguments) {
    starts_programs = starts_programs || argument.name == "--allow-run" || command.name == "museum";
    if (is_offered(argument)) {
      properties[property_of(argument)] = schema_of(argument);
      argument.required ? required.push_back(json::value(property_of(argument))) : void();
    }
  }
  json::object input{
      {"type", "object"}, {"properties", std::move(properties)}, {"additionalProperties", false}};
  if (!required.empty()) {
    input["required"] = std::move(required);
  }
  const bool is_read_only = std::ranges::find(kReadOnly, command.name) != kReadOnly.end();
  return {{"name", command.name},
          {"description", command.summary + "\n" + command.footer},
          {"inputSchema", std::move(input)},
          {"annotations",
           json::object{{"readOnlyHint", is_read_only}, {"openWorldHint", starts_programs}}}};
}

const Command* find_tool(const std::vector<Command>& commands, std::string_view name) {
  const auto found = std::ranges::find(commands, name, &Command::name);
  const bool is_tool = std::ranges::find(kTools, name) != kTools.end();
  return is_tool && found != commands.end() ? &*found : nullptr;
}

/// A value as a word of a command line.
std::string word_of(const std::string& property, std::string_view type, const json::value& value) {
  if (type == "string" && value.is_string()) {
    if (value.as_string().find('\0') != json::string::npos) {
      throw std::invalid_argument(
          fmt::format("{}: expected a text without the character U+0000", property));
    }
    return std::string(value.as_string());
  }
  const bool is_whole = value.is_int64() || value.is_uint64() ||
                        (value.is_double() && std::trunc(value.as_double()) == value.as_double());
  if ((type == "integer" && is_whole) || (type == "number" && value.is_number())) {
    if (value.is_int64() || value.is_uint64()) {
      return json::serialize(value);
    }
    const double number = value.as_double();
    return is_whole ? fmt::format("{:.0f}", number) : fmt::format("{}", number);
  }
  throw std::invalid_argument(fmt::format("{}: expected {} {}, not {}", property,
                                          type == "integer" || type == "array" ? "an" : "a", type,
                                          json::serialize(value)));
}

/// Throws for a number that is out of bounds.
void refuse_number(const Argument& argument, const json::value& value) {
  const Bounds bounds = bounds_of(argument);
  const auto number = value.to_number<double>();
  const std::string property = property_of(argument);
  if (number < bounds.least) {
    throw std::invalid_argument(fmt::format("{}: expected at least {:.0f}, not {}", property,
                                            bounds.least, json::serialize(value)));
  }
  constexpr double kWholeEnd = 0x1p64;  // which `most` may be, rounded up
  const bool is_beyond = value.is_double() && number >= kWholeEnd && type_of(argument) == "integer";
  if (number > bounds.most || is_beyond) {
    throw std::invalid_argument(
        fmt::format("{}: expected at most {}{}", property, bound_text(bounds.most),
                    property == "schedules" ? "; call again with another seed for more" : ""));
  }
}

/// Throws for more stories than a call may ask for. What is no range is left to the command.
void refuse_seeds(std::string_view seeds) {
  const std::size_t dots = std::min(seeds.find(".."), seeds.size());
  const std::array<std::string_view, 2> parts{seeds.substr(0, dots),
                                              seeds.substr(std::min(dots + 2, seeds.size()))};
  std::array<std::uint64_t, 2> bounds{};
  for (std::size_t i = 0; i < bounds.size(); ++i) {
    const char* const last = parts[i].data() + parts[i].size();
    const auto [end, failure] = std::from_chars(parts[i].data(), last, bounds[i]);
    if (failure != std::errc() || end != last) {
      return;
    }
  }
  if (bounds[1] >= bounds[0] && bounds[1] - bounds[0] >= kRunsMax) {
    throw std::invalid_argument(fmt::format(
        "seeds: expected at most {0} of them, as 1..{0}; call again with the next for more",
        kRunsMax));
  }
}

/// What the value of a property is on the command line.
std::vector<std::string> option_words(const Argument& argument, const json::value& value) {
  const std::string property = property_of(argument);
  if (value.is_number()) {
    refuse_number(argument, value);
  } else if (property == "seeds" && value.is_string()) {
    refuse_seeds(value.as_string());
  }
  if (!argument.one_of.empty() && value.is_string() && value.as_string() == kEndless) {
    throw std::invalid_argument(fmt::format("{}: '{}' does not end by itself; expected {}",
                                            property, kEndless, one_of(words_offered(argument))));
  }
  const std::string_view type = type_of(argument);
  const std::string before = is_option(argument) ? fmt::format("--{}=", property) : "";
  std::vector<std::string> words;
  if (type == "boolean" && value.is_bool()) {
    value.as_bool() ? words.push_back("--" + property) : void();
  } else if (type == "array" && value.is_array()) {
    for (const json::value& each : value.as_array()) {
      words.push_back(before + word_of(property, "string", each));
    }
  } else {
    words.push_back(before + word_of(property, type, value));
  }
  return words;
}

/// The words that the arguments of a call are; throws `std::invalid_argument` for what is none.
std::vector<std::string> words_of(const Command& command, const json::object& given) {
  std::vector<std::string> words{command.name};
  std::vector<std::string> places;
  std::vector<std::string> known;
  for (const Argument& argument : command.arguments) {
    if (!is_offered(argument)) {
      continue;
    }
    known.push_back(property_of(argument));
    if (const json::value* value = given.if_contains(known.back())) {
      const std::vector<std::string> made = option_words(argument, *value);
      std::vector<std::string>& to = is_option(argument) ? words : places;
      to.insert(to.end(), made.begin(), made.end());
    } else if (argument.required) {
      throw std::invalid_argument(
          fmt::format("{}: expected {}: {}", command.name, known.back(), argument.help));
    }
  }
  for (const auto& [name, value] : given) {
    if (std::ranges::find(known, name) == known.end()) {
      const std::string near = nearest_name(name, known);
      throw std::invalid_argument(
          fmt::format("{} has no argument '{}'{}", command.name, std::string_view(name),
                      near.empty() ? fmt::format("; it has {}", fmt::join(known, ", "))
                                   : fmt::format("; did you mean '{}'?", near)));
    }
  }
  for (const std::string& place : places) {
    if (place.starts_with('-')) {
      throw std::invalid_argument(
          fmt::format("{0}: {1} begins like an option; expected a name or a path, as ./{1}",
                      command.name, place));
    }
    words.push_back(place);
  }
  return words;
}

/// What a tool has to say, a part for each text that is not empty; one at least.
json::object tool_result(const std::vector<std::string>& texts, bool is_error) {
  json::array content;
  for (const std::string& text : texts) {
    if (!text.empty() || (&text == &texts.back() && content.empty())) {
      content.push_back(json::object{{"type", "text"}, {"text", text}});
    }
  }
  return {{"content", std::move(content)}, {"isError", is_error}};
}

/// As much of an output as goes to the client.
std::string shortened(const std::string& output) {
  std::size_t size = std::min(output.size(), McpSession::kOutputMax);
  while (size < output.size() && (static_cast<unsigned char>(output[size]) & 0xC0U) == 0x80U) {
    --size;  // not within a letter
  }
  return size == output.size()
             ? output
             : fmt::format("{}\n({} more bytes are left out: ask for less, or write a file)\n",
                           output.substr(0, size), output.size() - size);
}

json::object greeting(const json::object& params) {
  const json::value* const asked = params.if_contains("protocolVersion");
  const bool is_known =
      asked != nullptr && asked->is_string() &&
      std::ranges::find(kRevisions, std::string_view(asked->as_string())) != kRevisions.end();
  return {
      {"protocolVersion", is_known ? *asked : json::value(kRevisions.front())},
      {"capabilities", json::object{{"tools", json::object()}}},
      {"serverInfo", json::object{{"name", "watchlab"}, {"version", program_version().number}}},
      {"instructions",
       "Plays scenarios of the Kubernetes list-watch machinery on a virtual clock. `list` names "
       "them; `explore` looks for a schedule that fails; a failure prints its schedule, which "
       "`explain`, `shrink` and `draw` take. A command that ends with 1 has found something, which "
       "is no error of the tool."}};
}

/// Not null, which JSON-RPC discourages and MCP forbids: nobody could tell its answer.
bool is_id(const json::value& id) { return id.is_string() || id.is_number(); }

/// The client's answer to a request, of which none is made here.
bool is_answer(const json::object& message) {
  return !message.contains("method") && (message.contains("result") || message.contains("error"));
}

/// Takes valid JSON apart, whose parts are wanted as they are written.
class Spelling {
 public:
  explicit Spelling(std::string_view text) : text_(text) {}

  /// The value of the last member of that name; the text is an object.
  [[nodiscard]] std::string member(std::string_view name) {
    std::string found;
    at_ = text_.find('{') + 1;
    while (next() == '"') {
      const bool is_wanted = json::parse(value()).as_string() == name;
      (void)next();
      ++at_;  // the colon
      (void)next();
      const std::string_view written = value();
      found = is_wanted ? written : found;
      at_ += next() == ',' ? 1 : 0;
    }
    return found;
  }

  /// The elements of an array.
  [[nodiscard]] std::vector<std::string_view> elements() {
    std::vector<std::string_view> found;
    at_ = text_.find('[') + 1;
    while (next() != ']') {
      found.push_back(value());
      at_ += next() == ',' ? 1 : 0;
    }
    return found;
  }

 private:
  /// The next character that is no blank.
  char next() {
    at_ = std::min(text_.find_first_not_of(" \t\r\n", at_), text_.size());
    return at_ < text_.size() ? text_[at_] : '\0';
  }

  /// The value that begins here: up to what cannot belong to it.
  std::string_view value() {
    const std::size_t begin = at_;
    std::size_t depth = 0;
    bool is_text = false;
    for (; at_ < text_.size(); ++at_) {
      const char c = text_[at_];
      if (is_text) {
        at_ += c == '\\' ? 1 : 0;
        is_text = c != '"';
      } else if (depth == 0 && at_ > begin &&
                 std::string_view(" \t\r\n,:}]").find(c) != std::string_view::npos) {
        break;
      } else {
        is_text = c == '"';
        depth += c == '{' || c == '[' ? 1 : 0;
        depth -= c == '}' || c == ']' ? 1 : 0;
      }
    }
    return text_.substr(begin, at_ - begin);
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

/// A request by its method; throws `RpcError` for what cannot be understood.
McpOutcome handle(const std::vector<Command>& commands, const std::string& id,
                  std::string_view method, const json::object& params) {
  if (method == "ping") {
    return {.answer = answer_of(id, "result", json::object())};
  }
  if (method == "tools/list") {
    json::array tools;
    for (const std::string_view name : kTools) {
      if (const Command* const command = find_tool(commands, name)) {
        tools.push_back(tool_of(*command));
      }
    }
    return {.answer = answer_of(id, "result", json::object{{"tools", std::move(tools)}})};
  }
  if (method != "tools/call") {
    throw RpcError(kMethodNotFound, fmt::format("there is no method '{}' here", method));
  }
  const json::value* const name = params.if_contains("name");
  const json::value* const given = params.if_contains("arguments");
  const Command* const command =
      name != nullptr && name->is_string() ? find_tool(commands, name->as_string()) : nullptr;
  if (command == nullptr) {
    throw RpcError(kInvalidParams,
                   fmt::format("there is no such tool; there are {}", fmt::join(kTools, ", ")));
  }
  if (given != nullptr && !given->is_object()) {
    throw RpcError(kInvalidParams, "expected arguments that are an object");
  }
  try {
    return {.call = ToolCall{
                id, words_of(*command, given != nullptr ? given->as_object() : json::object())}};
  } catch (const std::invalid_argument& failure) {
    return {.answer = answer_of(id, "result", tool_result({failure.what()}, true))};
  }
}

}  // namespace

std::string McpBatch::add(const std::string& answer) {
  --open_;
  answers_ += answers_.empty() || answer.empty() ? "" : ",";
  answers_ += answer;
  return open_ == 0 && !answers_.empty() ? fmt::format("[{}]", answers_) : "";
}

McpOutcome McpSession::take(std::string_view message) {
  boost::system::error_code failure;
  const json::value parsed = json::parse(message, failure);
  const bool is_batch = !failure && parsed.is_array() && !parsed.get_array().empty();
  if (!is_batch) {
    return take_one(message, false);
  }
  if (revision_ != kWithBatches) {
    return {.answer = error_of("null", kInvalidRequest,
                               fmt::format("expected one message per line: only revision {} of "
                                           "the protocol allows batches",
                                           kWithBatches))};
  }
  McpOutcome outcome;
  for (const std::string_view each : Spelling(message).elements()) {
    outcome.batch.push_back(take_one(each, true));
  }
  return outcome;
}

McpOutcome McpSession::take_one(std::string_view message, bool is_in_batch) {
  std::string id = "null";  // until it is known
  try {
    const json::value parsed = json::parse(message);
    const json::object* const request = parsed.if_object();
    if (request == nullptr) {
      throw RpcError(kInvalidRequest, "expected an object with a method");
    }
    if (is_answer(*request)) {
      return {};
    }
    const json::value* const given = request->if_contains("id");
    if (given != nullptr && !is_id(*given)) {
      throw RpcError(kInvalidRequest, "an id is a string, or a number that JSON can hold");
    }
    id = given != nullptr ? Spelling(message).member("id") : id;
    const json::value* const version = request->if_contains("jsonrpc");
    if (version == nullptr || !version->is_string() || version->as_string() != "2.0") {
      throw RpcError(kInvalidRequest, R"(expected "jsonrpc": "2.0")");
    }
    const json::value* const method = request->if_contains("method");
    if (method == nullptr || !method->is_string()) {
      throw RpcError(kInvalidRequest, "expected a method");
    }
    const json::value* const found = request->if_contains("params");
    const json::object params =
        found != nullptr && found->is_object() ? found->as_object() : json::object();
    if (given == nullptr) {  // a notification is not answered
      const bool is_cancelled =
          method->as_string() == "notifications/cancelled" && params.contains("requestId");
      return is_cancelled
                 ? McpOutcome{.cancelled =
                                  Spelling(Spelling(message).member("params")).member("requestId")}
                 : McpOutcome{};
    }
    if (method->as_string() == "initialize") {
      if (is_in_batch) {
        throw RpcError(kInvalidRequest, "expected initialize outside of a batch");
      }
      json::object greets = greeting(params);
      revision_ = greets.at("protocolVersion").as_string();
      return {.answer = answer_of(id, "result", std::move(greets))};
    }
    return handle(commands_, id, method->as_string(), params);
  } catch (const boost::system::system_error& failure) {
    return {.answer = error_of(id, kParseError, "this is no JSON: " + failure.code().message())};
  } catch (const RpcError& failure) {
    return {.answer = error_of(id, failure.code, failure.what())};
  }
}

std::string McpSession::finished(const ToolCall& call, const ToolOutcome& outcome) {
  json::object result = tool_result({shortened(outcome.out), shortened(outcome.err)},
                                    outcome.exit_code >= kExitUsage);
  result["structuredContent"] = json::object{{"exit", outcome.exit_code}};
  return answer_of(call.id, "result", std::move(result));
}

}  // namespace watchlab::scenarios
