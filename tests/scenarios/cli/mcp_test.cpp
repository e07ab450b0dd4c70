#include <boost/json.hpp>
#include <boost/test/unit_test.hpp>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "core/runtime/fibers/switch.hpp"
#include "tests/scenarios/cli/process.hpp"

using namespace watchlab::tests;
namespace json = boost::json;

BOOST_AUTO_TEST_SUITE(mcp_test)

namespace {

const std::string hello =
    R"({"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-03-26"}})"
    "\n"
    R"({"jsonrpc":"2.0","method":"notifications/initialized"})"
    "\n";

/// What the server answers to these messages, by the ids of the requests.
std::map<std::string, json::value> answers_to(const std::string& messages) {
  const Finished finished = run_watchlab({"mcp"}, {.input = hello + messages});
  BOOST_TEST(finished.exit_code == 0);
  BOOST_TEST(finished.err == "");
  std::map<std::string, json::value> answers;
  std::istringstream in(finished.out);
  for (std::string line; std::getline(in, line);) {
    const json::value answer = json::parse(line);
    answers[json::serialize(answer.at("id"))] = answer;
  }
  return answers;
}

std::string call(const std::string& id, const std::string& tool, const std::string& arguments) {
  return R"({"jsonrpc":"2.0","id":)" + id + R"(,"method":"tools/call","params":{"name":")" + tool +
         R"(","arguments":)" + arguments + "}}\n";
}

std::string text_of(const json::value& answer) {
  return answer.at_pointer("/result/content/0/text").as_string().c_str();
}

}  // namespace

BOOST_AUTO_TEST_CASE(it_answers_in_the_revision_that_is_asked_for_or_in_the_newest) {
  BOOST_TEST(answers_to("").at("0").at_pointer("/result/protocolVersion").as_string() ==
             "2025-03-26");
  const auto others = answers_to(
      R"({"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"1999-01-01"}})"
      "\n");
  BOOST_TEST(others.at("1").at_pointer("/result/protocolVersion").as_string() == "2025-06-18");
}

BOOST_AUTO_TEST_CASE(a_tool_is_described_by_the_row_of_its_command) {
  const auto answers = answers_to(R"({"jsonrpc":"2.0","id":1,"method":"tools/list"})"
                                  "\n");
  std::map<std::string, json::value> tools;
  for (const json::value& tool : answers.at("1").at_pointer("/result/tools").as_array()) {
    tools[tool.at("name").as_string().c_str()] = tool;
  }
  for (const char* name : {"list", "run", "explore", "explain", "shrink", "draw"}) {
    BOOST_TEST(tools.contains(name), name);
  }
  const json::value& schema = tools.at("explore").at("inputSchema");
  BOOST_TEST(schema.at_pointer("/properties/schedules/type").as_string() == "integer");
  BOOST_TEST(schema.at_pointer("/properties/strategy/enum").as_array().size() > 5U);
  BOOST_TEST(schema.at_pointer("/properties/time/type").as_string() == "string");
  BOOST_TEST(schema.at_pointer("/required/0").as_string() == "file");
  BOOST_TEST(!schema.at("additionalProperties").as_bool());
}

/// What is refused here is refused before a command starts, so that thousands of calls are quick.
BOOST_AUTO_TEST_CASE(each_number_of_each_tool_has_bounds_that_hold) {
  const auto tools = answers_to(R"({"jsonrpc":"2.0","id":1,"method":"tools/list"})"
                                "\n");
  std::string calls;
  std::map<std::string, std::string> expected;  // the property, by the id of the call
  for (const json::value& tool : tools.at("1").at_pointer("/result/tools").as_array()) {
    const json::object& input = tool.at("inputSchema").as_object();
    std::string others;  // which the tool wants as well
    if (const json::value* const required = input.if_contains("required")) {
      for (const json::value& each : required->as_array()) {
        const json::value& schema = input.at("properties").at(each.as_string());
        const bool is_list = schema.at("type").as_string() == "array";
        others += json::serialize(each) + (is_list ? R"(:["x"],)" : R"(:"x",)");
      }
    }
    for (const auto& [property, schema] : input.at("properties").as_object()) {
      const json::string& type = schema.at("type").as_string();
      if (type != "integer" && type != "number") {
        continue;
      }
      std::vector<std::string> wrong{"\"1\"", "null", "true", "[1]", "{}", "1e300", "-1e300"};
      if (type == "integer") {
        wrong.insert(wrong.end(), {"1.5", "-9223372036854775809", "18446744073709551616"});
        BOOST_TEST_CONTEXT(property) {
          BOOST_TEST(schema.as_object().contains("minimum"));
          BOOST_TEST(schema.as_object().contains("maximum"));
        }
      }
      for (const std::string& value : wrong) {
        const std::string id = std::to_string(expected.size() + 1);
        expected[id] = property;
        calls += call(id, tool.at("name").as_string().c_str(),
                      "{" + others + "\"" + std::string(property) + "\":" + value + "}");
      }
    }
  }
  BOOST_TEST(expected.size() > 100U);
  const auto answers = answers_to(calls);
  for (const auto& [id, property] : expected) {
    BOOST_TEST_CONTEXT(id << " " << property) {
      BOOST_TEST(answers.at(id).at_pointer("/result/isError").as_bool());
      BOOST_TEST(text_of(answers.at(id)).starts_with(property + ": expected "),
                 text_of(answers.at(id)));
    }
  }
}

BOOST_AUTO_TEST_CASE(a_whole_number_may_be_written_in_any_way_that_json_has) {
  const auto answers =
      answers_to(call("1", "trace", R"({"file":"missed_delete","rows":1.0})") +
                 call("2", "trace", R"({"file":"missed_delete","rows":0.1e1})") +
                 call("3", "fuzz", R"({"seeds":"1..1000001"})") +
                 call("4", "fuzz", R"({"seeds":"0..18446744073709551615"})") +
                 call("5", "explain", R"({"file":"missed_delete","endings":1000001})") +
                 call("6", "run", R"({"path":["missed_delete"],"seed":18446744073709551616})"));
  for (const char* id : {"1", "2"}) {
    BOOST_TEST(answers.at(id).at_pointer("/result/structuredContent/exit").to_number<int>() == 0);
  }
  for (const char* id : {"3", "4"}) {
    BOOST_TEST(text_of(answers.at(id)).starts_with("seeds: expected at most 1000000 of them"));
  }
  BOOST_TEST(text_of(answers.at("5")) == "endings: expected at most 1000000");
  BOOST_TEST(text_of(answers.at("6")) == "seed: expected at most 18446744073709551615");
}

BOOST_AUTO_TEST_CASE(only_tools_that_write_nothing_say_that_they_only_read) {
  const auto tools = answers_to(R"({"jsonrpc":"2.0","id":1,"method":"tools/list"})"
                                "\n");
  for (const json::value& tool : tools.at("1").at_pointer("/result/tools").as_array()) {
    const std::string name = tool.at("name").as_string().c_str();
    const bool reads = name == "list" || name == "show" || name == "diff" || name == "explain";
    BOOST_TEST(tool.at_pointer("/annotations/readOnlyHint").as_bool() == reads, name);
  }
}

BOOST_AUTO_TEST_CASE(a_call_runs_the_command_and_says_how_it_ended) {
  const TemporaryFolder folder;
  const std::string broken = folder.write(
      "broken.yaml",
      "apiVersion: watchlab/v1\nname: broken\nstory: s\nclients: [{name: x, kind: informer}]\n"
      "script: [{create: demo}]\nexpect: [{store: {exactly: []}}]\n");
  const auto answers = answers_to(call("1", "run", R"({"path":["missed_delete"],"jobs":1})") +
                                  call("\"b\"", "run", R"({"path":[")" + broken + R"("]})") +
                                  call("3", "run", R"({"path":["no_such_scenario"]})"));
  BOOST_TEST(text_of(answers.at("1")).starts_with("held  relist/missed_delete"));
  BOOST_TEST(answers.at("1").at_pointer("/result/structuredContent/exit").to_number<int>() == 0);
  // Something was found: no error of the tool.
  BOOST_TEST(!answers.at("\"b\"").at_pointer("/result/isError").as_bool());
  BOOST_TEST(answers.at("\"b\"").at_pointer("/result/structuredContent/exit").to_number<int>() ==
             1);
  BOOST_TEST(text_of(answers.at("\"b\"")).starts_with("0 held, 1 failed"));
  const json::value& said = answers.at("\"b\"").at_pointer("/result/content/1/text");
  BOOST_TEST(said.as_string().find("replay it: ") != json::string::npos);
  BOOST_TEST(answers.at("3").at_pointer("/result/isError").as_bool());
}

BOOST_AUTO_TEST_CASE(what_is_wrong_with_a_call_is_said_with_the_nearest_name) {
  const auto answers =
      answers_to(call("1", "run", R"({"path":["a"],"job":2})") +
                 call("2", "run", R"({"path":["a"],"jobs":"two"})") + call("3", "run", "{}") +
                 call("4", "run", R"({"path":["--help"]})") + call("5", "serve", "{}"));
  BOOST_TEST(text_of(answers.at("1")) == "run has no argument 'job'; did you mean 'jobs'?");
  BOOST_TEST(text_of(answers.at("2")) == "jobs: expected an integer, not \"two\"");
  BOOST_TEST(text_of(answers.at("3")).starts_with("run: expected path: "));
  BOOST_TEST(text_of(answers.at("4")) ==
             "run: --help begins like an option; expected a name or a path, as ./--help");
  BOOST_TEST(answers.at("5").at_pointer("/error/code").to_number<int>() == -32602);
}

BOOST_AUTO_TEST_CASE(a_text_that_no_command_line_holds_is_refused) {
  const auto answers = answers_to(call("1", "run", R"({"path":["missed_delete\u0000x"]})") +
                                  call("2", "draw", R"({"file":"missed_delete\u0000"})"));
  BOOST_TEST(text_of(answers.at("1")) == "path: expected a text without the character U+0000");
  BOOST_TEST(text_of(answers.at("2")) == "file: expected a text without the character U+0000");
}

BOOST_AUTO_TEST_CASE(what_ends_only_by_a_signal_is_not_offered_and_not_begun) {
  const auto answers =
      answers_to(R"({"jsonrpc":"2.0","id":1,"method":"tools/list"})"
                 "\n" +
                 call("2", "museum", R"({"action":"serve-report","slug":["time_travel"]})"));
  BOOST_TEST(json::serialize(answers.at("1")).find("\"serve-report\"") == std::string::npos);
  BOOST_TEST(text_of(answers.at("2"))
                 .starts_with("action: 'serve-report' does not end by itself; expected list, "));
}

BOOST_AUTO_TEST_CASE(the_last_message_need_not_end_its_line) {
  const auto answers = answers_to(R"({"jsonrpc":"2.0","id":1,"method":"ping"})");
  BOOST_TEST(answers.contains("1"));
}

BOOST_AUTO_TEST_CASE(an_id_comes_back_as_it_was_written) {
  const std::vector<std::string> ids{
      "12345678901234567890123", "1e3",   "1e300", "-1.5E+2", "0", "1e400",
      R"("a \"b\" \u0063")",     R"("1")"};
  const std::string begins = R"({"jsonrpc":"2.0",)";
  std::string messages;
  for (const std::string& id : ids) {
    messages += begins + R"("x":{"id":7,"y":["}",{"id":8}]}, "method" : "ping", "\u0069d" : )" +
                id + " }\n";
    messages += begins + R"("id":)" + id + R"(,"method":"ping","params":{"id":9}})" + "\n";
    messages += begins + R"("id":1,"id":)" + id + R"(,"method":"nonsense"})" + "\n";
  }
  std::istringstream lines(run_watchlab({"mcp"}, {.input = messages}).out);
  for (const std::string& id : ids) {
    for (const char* const what : {"result", "result", "error"}) {
      std::string line;
      std::getline(lines, line);
      const std::string begin = R"({"jsonrpc":"2.0","id":)" + id + ",\"" + what + "\":";
      BOOST_TEST(line.substr(0, begin.size()) == begin);
    }
  }
  const auto others = answers_to(begins + R"("id":[1],"method":"ping"})" + "\n");
  BOOST_TEST(others.at("null").at_pointer("/error/code").to_number<int>() == -32600);
}

BOOST_AUTO_TEST_CASE(what_runs_ends_soon_when_the_client_closes_its_end) {
  const std::string endless = R"({"file":["missed_delete"],"schedules":1000000,"time":"1h"})";
  const TemporaryFolder folder;
  const std::string messages =
      folder.write("messages", hello + call("1e2", "explore", endless) + call("2", "list", "{}"));
  // A pipe, as a client has one; from a file all is answered.
  const Finished closed = run_watchlab(
      {"-c", "cat \"$1\" | \"$0\" mcp", WATCHLAB_EXECUTABLE, messages}, {.program = "/bin/sh"});
  BOOST_TEST(closed.exit_code == 0);
  std::istringstream in(closed.out);
  std::string line;
  std::getline(in, line);  // the greeting
  for (const std::string id : {"1e2", "2"}) {
    std::getline(in, line);
    BOOST_TEST(line.starts_with(R"({"jsonrpc":"2.0","id":)" + id + ","), line);
    BOOST_TEST(text_of(json::parse(line)) ==
               "standard input was closed before this call had ended");
  }
}

BOOST_AUTO_TEST_CASE(what_is_no_message_is_an_error_of_the_protocol) {
  const auto answers = answers_to("nonsense\n\n");
  BOOST_TEST(answers.at("null").at_pointer("/error/code").to_number<int>() == -32700);
  const auto others = answers_to(
      "[]\n"
      R"({"jsonrpc":"2.0","id":9,"method":"resources/list"})"
      "\n"
      R"({"jsonrpc":"2.0","id":10,"method":"ping"})"
      "\n");
  BOOST_TEST(others.at("null").at_pointer("/error/code").to_number<int>() == -32600);
  BOOST_TEST(others.at("9").at_pointer("/error/code").to_number<int>() == -32601);
  BOOST_TEST(others.at("10").at("result").as_object().empty());
}

BOOST_AUTO_TEST_CASE(hostile_messages_get_an_answer_each_and_the_next_is_read) {
  const std::string zero(1, '\0');
  const std::vector<std::string> messages{
      std::string(1'000'000, '['),
      std::string(100, '{'),
      zero + zero,
      "{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"\xff\xfe\"}",
      R"({"jsonrpc":"1.0","method":"ping"})",
      R"({"jsonrpc":"2.0","id":null,"method":"ping"})",
      R"({"jsonrpc":"2.0","id":true,"method":"ping"})",
      R"({"jsonrpc":"2.0","id":[7],"method":"ping"})",
      R"({"jsonrpc":"2.0","id":{},"method":"tools/call","params":7})",
      "5",
      "\"text\"",
      "null"};
  for (const std::string& message : messages) {
    const auto answers =
        answers_to(message + "\n" + R"({"jsonrpc":"2.0","id":1,"method":"ping"})" + "\n");
    BOOST_TEST_CONTEXT(message.substr(0, 80)) {
      BOOST_TEST_REQUIRE(answers.contains("null"));
      BOOST_TEST(answers.at("null").at_pointer("/error/code").to_number<int>() < 0);
      BOOST_TEST(answers.contains("1"));
    }
  }
  for (const char* message :
       {R"({"jsonrpc":"1.0","id":2,"method":"ping"})", R"({"jsonrpc":2.0,"id":2,"method":"ping"})",
        R"({"jsonrpc":"2.00","id":2,"method":"ping"})", R"({"id":2,"method":"ping"})",
        R"({"jsonrpc":"2.0","id":2,"method":5})", R"({"jsonrpc":"2.0","id":2})",
        R"({"id":2,"method":"ping","result":{}})"}) {
    const auto answers = answers_to(std::string(message) + "\n");
    BOOST_TEST(answers.at("2").at_pointer("/error/code").to_number<int>() == -32600, message);
  }
  // An answer to a request that nobody has made.
  BOOST_TEST(answers_to(R"({"jsonrpc":"2.0","id":2,"result":{}})"
                        "\n"
                        R"({"jsonrpc":"2.0","id":null,"error":{"code":1,"message":"x"}})"
                        "\n")
                 .size() == 1U);
  for (const char* params :
       {"[]", R"({"name":"list","arguments":[]})", R"({"name":"list","arguments":null})",
        R"({"name":5})", R"({"name":"\u0000"})", "7"}) {
    const auto answers = answers_to(
        std::string(R"({"jsonrpc":"2.0","id":2,"method":"tools/call","params":)") + params + "}\n");
    BOOST_TEST(answers.at("2").at_pointer("/error/code").to_number<int>() == -32602, params);
  }
}

BOOST_AUTO_TEST_CASE(a_message_without_an_end_ends_the_session_and_takes_little_memory) {
  const Finished ended = run_watchlab({"mcp"}, {.input = std::string(100'000'000, 'x')});
  BOOST_TEST(ended.exit_code == 2);
  BOOST_TEST(ended.err.find("a message has no end after ") != std::string::npos, ended.err);
  BOOST_TEST(ended.out == "");
#if !defined(WATCHLAB_ASAN)  // which keeps much of what was given back
  BOOST_TEST(ended.memory_kilobytes < 200'000);
#endif
}

BOOST_AUTO_TEST_CASE(a_call_that_is_cancelled_ends_without_an_answer) {
  const std::string endless = R"({"file":["missed_delete"],"schedules":1000000})";
  const auto answers =
      answers_to(call("1", "explore", endless) + call("2", "explore", endless) +
                 R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":2}})"
                 "\n"
                 R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}})"
                 "\n" +
                 call("3", "run", R"({"path":["missed_delete"]})"));
  BOOST_TEST(!answers.contains("1"));
  BOOST_TEST(!answers.contains("2"));
  BOOST_TEST(text_of(answers.at("3")).starts_with("held"));
}

BOOST_AUTO_TEST_CASE(schedules_are_bounded_whole_numbers) {
  const auto answers =
      answers_to(call("2", "explore", R"({"file":["x"],"schedules":1e300})") +
                 call("3", "explore", R"({"file":["x"],"schedules":1000001})") +
                 call("4", "explore", R"({"file":["x"],"schedules":1.5})") +
                 call("5", "replay", R"({"file":"x","schedule":"default","times":1e7})"));
  for (const char* id : {"2", "3", "4"}) {
    BOOST_TEST(text_of(answers.at(id)).starts_with("schedules: expected"), id);
  }
  BOOST_TEST(text_of(answers.at("5")) == "times: expected at most 1000000");
}

BOOST_AUTO_TEST_CASE(no_call_starts_the_program_of_a_story) {
  unsetenv("WATCHLAB_ALLOW_RUN");
  const TemporaryFolder folder;
  const std::string ran = folder.path("ran");
  const std::string story =
      folder.write("starts.yaml",
                   "apiVersion: watchlab/v1\nname: starts\nstory: s\nuntil: 1s\n"
                   "clients: [{name: a, kind: go, run: [touch, " +
                       ran + "]}]\n");
  std::string calls;
  for (const char* tool : {"run", "explore", "explain", "trace", "draw", "report"}) {
    const std::string key = std::string_view(tool) == "run" ? "path" : "file";
    const std::string value = key == "path" || std::string_view(tool) == "explore"
                                  ? R"([")" + story + R"("])"
                                  : '"' + story + '"';
    calls += call('"' + std::string(tool) + '"', tool, "{\"" + key + "\":" + value + "}");
    calls += call('"' + std::string(tool) + "!\"", tool,
                  "{\"" + key + "\":" + value + ",\"allow-run\":true}");
  }
  const auto answers = answers_to(calls);
  BOOST_TEST(answers.size() == 13U);
  for (const auto& [id, answer] : answers) {
    BOOST_TEST((id == "0" || answer.at_pointer("/result/isError").as_bool()), id);
  }
  BOOST_TEST(!std::filesystem::exists(ran));
}

/// Only one revision has batches: a client that has agreed on it may send them.
BOOST_AUTO_TEST_CASE(several_messages_in_one_are_answered_in_one_where_the_revision_has_that) {
  const std::string batch =
      R"([{"jsonrpc":"2.0","id":1,"method":"ping"}, 7 ,{"jsonrpc":"2.0","method":"notifications/x"},)"
      R"({"jsonrpc":"2.0","id":"a,]","method":"tools/call","params":{"name":"list","arguments":{}}},)"
      R"({"jsonrpc":"2.0","id":2,"method":"initialize","params":{}}])"
      "\n"
      R"([{"jsonrpc":"2.0","method":"notifications/x"}])"
      "\n";
  const auto said = [&](const std::string& revision) {
    std::string greeting = hello;
    greeting.replace(greeting.find("2025-03-26"), 10, revision);
    std::istringstream out(run_watchlab({"mcp"}, {.input = greeting + batch}).out);
    std::vector<json::value> lines;
    for (std::string line; std::getline(out, line);) {
      lines.push_back(json::parse(line));
    }
    return lines;
  };
  const std::vector<json::value> answered = said("2025-03-26");
  BOOST_TEST_REQUIRE(answered.size() == 2U);
  BOOST_TEST_REQUIRE(answered[1].is_array());
  std::map<std::string, json::value> by_id;
  for (const json::value& each : answered[1].as_array()) {
    by_id[json::serialize(each.at("id"))] = each;
  }
  BOOST_TEST(answered[1].as_array().size() == 4U);
  BOOST_TEST(by_id.at("1").as_object().contains("result"));
  BOOST_TEST(by_id.at("\"a,]\"").at_pointer("/result/structuredContent/exit").as_int64() == 0);
  BOOST_TEST(by_id.at("2").at_pointer("/error/code").as_int64() == -32600);
  BOOST_TEST(by_id.at("null").at_pointer("/error/code").as_int64() == -32600);
  for (const std::string revision : {"2025-06-18", "2024-11-05"}) {
    const std::vector<json::value> refused = said(revision);
    BOOST_TEST_REQUIRE(refused.size() == 3U, revision);
    BOOST_TEST(refused[1].at_pointer("/error/code").as_int64() == -32600);
    BOOST_TEST(says(refused[1].at_pointer("/error/message").as_string().c_str(), "one message"));
  }
}

BOOST_AUTO_TEST_SUITE_END()
