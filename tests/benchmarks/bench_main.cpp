// watchlab-bench: measures, prints a table or JSON lines. Nothing here passes or fails.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <boost/json.hpp>
#include <fstream>
#include <iostream>
#include <string>
#include <vector>

#include "tests/benchmarks/benchmark.hpp"

namespace watchlab::benchmarks {
namespace {

const Row* peer_of(const Row& row, const std::vector<Row>& rows) {
  const auto found = std::find_if(rows.begin(), rows.end(),
                                  [&](const Row& peer) { return peer.name == row.peer; });
  return found == rows.end() ? nullptr : &*found;
}

std::string ratio_text(const Row& row, const std::vector<Row>& rows) {
  const Row* const peer = peer_of(row, rows);
  return peer == nullptr ? "" : fmt::format("{:.2f} x {}", row.median / peer->median, peer->name);
}

void print_row(const Row& row, const std::vector<Row>& rows) {
  fmt::print("{:<34} {:>12.1f} {:<12} [{:.1f} .. {:.1f}] of {}", row.name, row.median, row.unit,
             row.lowest, row.highest, row.repetitions);
  if (!row.aim.empty()) {
    fmt::print("  aim {}", row.aim);
  }
  const std::string ratio = ratio_text(row, rows);
  fmt::print("{}\n", ratio.empty() ? "" : "  " + ratio);
  std::cout.flush();
}

void print_json(const Row& row, const std::vector<Row>& rows) {
  boost::json::object line{{"name", row.name},       {"unit", row.unit},
                           {"median", row.median},   {"lowest", row.lowest},
                           {"highest", row.highest}, {"repetitions", row.repetitions}};
  if (!row.aim.empty()) {
    line["aim"] = row.aim;
  }
  if (const Row* const peer = peer_of(row, rows)) {
    line["peer"] = peer->name;
    line["ratio"] = row.median / peer->median;
  }
  std::cout << boost::json::serialize(line) << std::endl;
}

const Benchmark* find(const std::string& name) {
  const std::vector<Benchmark>& all = catalogue();
  const auto found =
      std::find_if(all.begin(), all.end(), [&](const Benchmark& one) { return one.name == name; });
  return found == all.end() ? nullptr : &*found;
}

double number(const boost::json::object& line, const char* name) {
  return line.at(name).to_number<double>();
}

/// Rows that another program has measured, one JSON object a line, as `--json` prints them.
std::vector<Row> read_rows(const std::string& path) {
  std::vector<Row> rows;
  std::ifstream file(path);
  for (std::string text; std::getline(file, text);) {
    const boost::json::object line = boost::json::parse(text).as_object();
    rows.push_back({.name = std::string(line.at("name").as_string()),
                    .unit = std::string(line.at("unit").as_string()),
                    .median = number(line, "median"),
                    .lowest = number(line, "lowest"),
                    .highest = number(line, "highest"),
                    .repetitions = static_cast<int>(number(line, "repetitions"))});
  }
  return rows;
}

/// Puts the row called "PROGRAM.NAME" of a peer behind the row NAME, and compares the two.
std::vector<Row> beside_peers(std::vector<Row> rows, const std::vector<Row>& peers) {
  std::vector<Row> all;
  for (Row& row : rows) {
    const auto peer = std::find_if(peers.begin(), peers.end(), [&](const Row& candidate) {
      return candidate.name.ends_with("." + row.name);
    });
    if (peer != peers.end()) {
      row.peer = peer->name;
    }
    all.push_back(std::move(row));
    if (peer != peers.end()) {
      all.push_back(*peer);
    }
  }
  return all;
}

/// What to measure and how to print it.
struct Call {
  std::vector<std::string> names;  ///< none for all
  bool heavy = false;              ///< all means also those that are heavy
  bool json = false;
};

bool is_wanted(const Benchmark& benchmark, const Call& call) {
  if (call.names.empty()) {
    return benchmark.when == When::Always || (benchmark.when == When::Long && call.heavy);
  }
  return std::find(call.names.begin(), call.names.end(), benchmark.name) != call.names.end();
}

int run(const Call& call, const std::vector<Row>& peers) {
  for (const std::string& name : call.names) {
    if (find(name) == nullptr) {
      fmt::print(stderr, "bench: there is no benchmark '{}'; see ./dev bench --list\n", name);
      return 2;
    }
  }
  std::size_t count = 0;
  for (const Benchmark& benchmark : catalogue()) {
    if (!is_wanted(benchmark, call)) {
      continue;
    }
    const std::vector<Row> rows = beside_peers(benchmark.measure(), peers);
    for (const Row& row : rows) {
      call.json ? print_json(row, rows) : print_row(row, rows);
    }
    count += rows.size();
  }
  if (!call.json) {
    fmt::print("{} numbers measured\n", count);
  }
  return 0;
}

void list() {
  for (const Benchmark& benchmark : catalogue()) {
    fmt::print("{:<20} {}{}\n", benchmark.name, benchmark.about,
               benchmark.when == When::Long ? " (named, or with --long)" : "");
  }
}

}  // namespace
}  // namespace watchlab::benchmarks

int main(int argc, char** argv) {
  CLI::App app("Measures watchlab and prints medians, with a peer of the same run beside them.",
               "bench");
  watchlab::benchmarks::Call call;
  bool list = false;
  std::string peers;
  app.add_option("NAME", call.names,
                 "benchmarks to run; all but the heavy and peers when none is named");
  app.add_flag("--long", call.heavy, "the heavy ones too");
  app.add_flag("--json", call.json, "JSON lines instead of a table");
  app.add_flag("--list", list, "say which benchmarks there are");
  app.add_option("--peers", peers, "a file of JSON lines that another program has measured")
      ->check(CLI::ExistingFile);
  app.footer("Examples:\n  ./dev bench\n  ./dev bench timers posts --json");
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 2;
  }
  if (list) {
    watchlab::benchmarks::list();
    return 0;
  }
  return watchlab::benchmarks::run(call, watchlab::benchmarks::read_rows(peers));
}
