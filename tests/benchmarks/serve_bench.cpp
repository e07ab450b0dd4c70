// What `watchlab serve` takes and bears, as a process of its own over real sockets.
#include <fmt/format.h>
#include <netinet/in.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <thread>

#include "sim/http/http_client.hpp"
#include "tests/benchmarks/benchmark.hpp"

namespace watchlab::benchmarks {

namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

const std::string kMaps = "/api/v1/namespaces/default/configmaps";

/// A server, as people start it.
class Served {
 public:
  Served() {
    const auto program = std::filesystem::read_symlink("/proc/self/exe").parent_path() /
                         "../../scenarios/cli/watchlab";
    output_ = ::popen(fmt::format("echo $$; exec '{}' serve", program.string()).c_str(), "r");
    std::array<char, 200> line{};
    pid_ = std::stoi(next_line(line));
    const std::string serving = next_line(line);  // "serving http://127.0.0.1:8001"
    const auto found = sim::endpoint_from(serving.substr(serving.find(' ') + 1));
    if (!found) {
      throw std::runtime_error("watchlab serve does not start; was it built?");
    }
    endpoint = *found;
  }
  ~Served() {
    ::kill(pid_, SIGTERM);
    ::pclose(output_);
  }
  Served(const Served&) = delete;
  Served& operator=(const Served&) = delete;

  [[nodiscard]] std::shared_ptr<sim::ClientSocket> connect() const {
    return *sim::ClientSocket::connect(endpoint);
  }
  /// Kilobytes that are in memory, or of another line of /proc.
  [[nodiscard]] double memory(std::string_view of = "VmRSS:") const {
    std::ifstream status(fmt::format("/proc/{}/status", pid_));
    for (std::string line; std::getline(status, line);) {
      if (line.starts_with(of)) {
        return std::stod(line.substr(line.find_first_of("0123456789")));
      }
    }
    return 0;
  }
  /// Seconds of a processor that it has used.
  [[nodiscard]] double processor() const {
    std::ifstream file(fmt::format("/proc/{}/stat", pid_));
    std::string text((std::istreambuf_iterator<char>(file)), {});
    text.erase(0, text.rfind(')') + 2);  // the name may have spaces
    constexpr int kBefore = 11;          // fields before the two times
    std::size_t at = 0;
    for (int i = 0; i < kBefore; ++i) {
      at = text.find(' ', at) + 1;
    }
    const std::size_t second = text.find(' ', at) + 1;
    return (std::stod(text.substr(at)) + std::stod(text.substr(second))) /
           static_cast<double>(::sysconf(_SC_CLK_TCK));
  }

  sim::HttpEndpoint endpoint;

 private:
  std::string next_line(std::array<char, 200>& line) {
    const bool read = std::fgets(line.data(), static_cast<int>(line.size()), output_) != nullptr;
    const std::string text = read ? line.data() : "";
    return text.substr(0, text.find('\n'));
  }
  FILE* output_ = nullptr;
  int pid_ = 0;
};

double milliseconds_since(Clock::time_point began) {
  return std::chrono::duration<double, std::milli>(Clock::now() - began).count();
}

void ask_well(const std::shared_ptr<sim::ClientSocket>& socket, sim::HttpRequest request) {
  const std::string what = request.method + " " + request.target;
  request.fields.push_back({"Host", "localhost"});
  const auto answer = sim::ask(socket, std::move(request));
  constexpr int kFirstFailure = 300;
  if (!answer || answer->head.code >= kFirstFailure) {
    throw std::runtime_error(what + " failed");
  }
}

/// Open watches of one collection that are read together, by one thread.
class Watches {
 public:
  Watches(const Served& served, int count) : poll_(::epoll_create1(0)), tails_(count) {
    const rlim_t wanted = static_cast<rlim_t>(count) + 1000;
    rlimit limit{};
    ::getrlimit(RLIMIT_NOFILE, &limit);
    limit.rlim_cur = std::min(limit.rlim_max, std::max(limit.rlim_cur, wanted));
    ::setrlimit(RLIMIT_NOFILE, &limit);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(served.endpoint.port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    const std::string request = "GET " + kMaps + "?watch=true HTTP/1.1\r\nHost: localhost\r\n\r\n";
    for (int i = 0; i < count; ++i) {
      const int socket = ::socket(AF_INET, SOCK_STREAM, 0);
      sockets_.push_back(socket);
      if (::connect(socket, reinterpret_cast<sockaddr*>(&address), sizeof(address)) != 0 ||
          ::send(socket, request.data(), request.size(), 0) < 0 ||
          ::recv(socket, buffer_.data(), buffer_.size(), 0) <= 0) {
        throw std::runtime_error("a watch was not opened");
      }
      epoll_event event{};
      event.events = EPOLLIN;
      event.data.u32 = static_cast<std::uint32_t>(i);
      ::epoll_ctl(poll_, EPOLL_CTL_ADD, socket, &event);
    }
  }
  ~Watches() {
    for (const int socket : sockets_) {
      ::close(socket);
    }
    ::close(poll_);
  }
  Watches(const Watches&) = delete;
  Watches& operator=(const Watches&) = delete;

  /// Reads what has come. False when nothing came for a while.
  bool read() {
    std::array<epoll_event, 256> events{};
    const int count = ::epoll_wait(poll_, events.data(), static_cast<int>(events.size()), 2000);
    for (int i = 0; i < count; ++i) {
      const std::uint32_t which = events[static_cast<std::size_t>(i)].data.u32;
      const ssize_t size = ::recv(sockets_[which], buffer_.data(), buffer_.size(), MSG_DONTWAIT);
      if (size > 0) {
        take(tails_[which], {buffer_.data(), static_cast<std::size_t>(size)});
      }
    }
    return count > 0;
  }
  /// How long each event took, in milliseconds.
  std::vector<float> delays;

 private:
  /// Each event says when it was written: `"t":"NANOSECONDS"`, with 19 digits.
  void take(std::string& tail, std::string_view bytes) {
    constexpr std::string_view kMark = "\"t\":\"";
    constexpr std::size_t kDigits = 19;
    constexpr double kNanosPerMilli = 1e6;
    tail += bytes;
    const double now = static_cast<double>(Clock::now().time_since_epoch().count());
    std::size_t from = 0;
    for (std::size_t at = tail.find(kMark); at != std::string::npos; at = tail.find(kMark, from)) {
      from = at;
      if (tail.size() < at + kMark.size() + kDigits) {
        break;
      }
      const double then = std::stod(tail.substr(at + kMark.size(), kDigits));
      delays.push_back(static_cast<float>((now - then) / kNanosPerMilli));
      from = at + kMark.size() + kDigits;
    }
    const std::size_t kept = std::max(from, tail.size() - std::min(tail.size(), kMark.size()));
    tail.erase(0, from < tail.size() && tail.compare(from, kMark.size(), kMark) == 0 ? from : kept);
  }
  int poll_;
  std::vector<int> sockets_;
  std::vector<std::string> tails_;  ///< of each, what belongs to an event that has not come yet
  std::array<char, 65536> buffer_{};
};

Row once(std::string name, std::string unit, double value, std::string aim) {
  return {.name = std::move(name),
          .unit = std::move(unit),
          .median = value,
          .lowest = value,
          .highest = value,
          .repetitions = 1,
          .aim = std::move(aim)};
}

Row start_to_ready() {
  Row row = repeat("serve.start_to_ready", "ms", [] {
    const auto began = Clock::now();
    const Served served;
    ask_well(served.connect(), {.method = "GET", .target = "/readyz"});
    return milliseconds_since(began);
  });
  row.aim = "<= 50";
  return row;
}

Row memory_of_watches() {
  constexpr int kCount = 10'000;
  const Served served;
  ask_well(served.connect(), {.method = "GET", .target = kMaps});
  const double before = served.memory();
  const Watches watches(served, kCount);
  return once("serve.memory_of_a_watch", "kB", (served.memory() - before) / kCount, "<= 32");
}

std::vector<Row> events_to_watches() {
  constexpr int kWatches = 1000;
  constexpr int kWrites = 3000;
  constexpr milliseconds kBetween(10);
  const Served served;
  const auto writer = served.connect();
  ask_well(writer, {.method = "POST", .target = kMaps, .body = R"({"metadata":{"name":"beat"}})"});
  Watches watches(served, kWatches);
  watches.delays.reserve(std::size_t{kWatches} * kWrites);
  constexpr double kMillisPerSecond = 1000;
  std::atomic<bool> written = false;
  double took = 0;  // seconds; more than they should be when the server is behind
  const double used = served.processor();
  const auto began = Clock::now();
  std::thread writing([&] {
    for (int i = 0; i < kWrites; ++i) {
      std::this_thread::sleep_until(began + i * kBetween);
      const auto now = Clock::now().time_since_epoch().count();
      ask_well(writer, {.method = "PATCH",
                        .target = kMaps + "/beat",
                        .fields = {{"Content-Type", "application/merge-patch+json"}},
                        .body = fmt::format(R"({{"data":{{"t":"{:019}"}}}})", now)});
    }
    took = milliseconds_since(began) / kMillisPerSecond;
    written = true;
  });
  while (watches.read() || !written) {
  }
  writing.join();
  const double processor = (served.processor() - used) / took * 100;
  std::vector<float>& delays = watches.delays;
  const double lost = double{kWatches} * kWrites - static_cast<double>(delays.size());
  std::ranges::sort(delays);
  const auto at = [&](double part) {
    return delays.empty() ? 0.0
                          : double{delays[static_cast<std::size_t>(
                                part * static_cast<double>(delays.size() - 1))]};
  };
  constexpr double kHalf = 0.5;
  constexpr double kMost = 0.99;
  return {once("serve.events_lost", "events", lost, "0"),
          once("serve.events", "per s", double{kWatches} * kWrites / took, "100000"),
          once("serve.event_p50", "ms", at(kHalf), ""),
          once("serve.event_p99", "ms", at(kMost), "<= 50"),
          once("serve.events_processor", "% of a core", processor, "<= 100")};
}

Row lists() {
  constexpr int kObjects = 10'000;
  constexpr int kLists = 30;
  const Served served;
  const auto socket = served.connect();
  for (int i = 0; i < kObjects; ++i) {
    ask_well(socket, {.method = "POST",
                      .target = kMaps,
                      .body = fmt::format(R"({{"metadata":{{"name":"c{}"}},"data":{{"k":"{}"}}}})",
                                          i, std::string(200, 'x'))});
  }
  return repeat("serve.lists_of_10000", "per CPU s", [&] {
    const double used = served.processor();
    for (int i = 0; i < kLists; ++i) {
      ask_well(socket, {.method = "GET", .target = kMaps});
    }
    return kLists / (served.processor() - used);
  });
}

/// Does what it does again and again until the time is over, with a new connection whenever the
/// server has closed the one before. Returns how often it succeeded.
template <typename Act>
std::size_t act_until(Clock::time_point end, const Served& served, const Act& act) {
  std::size_t succeeded = 0;
  std::shared_ptr<sim::ClientSocket> socket;
  while (Clock::now() < end) {
    if (socket == nullptr) {
      const auto connected = sim::ClientSocket::connect(served.endpoint, std::chrono::seconds(1));
      socket = connected ? *connected : nullptr;
      continue;
    }
    if (act(socket)) {
      ++succeeded;
    } else {
      socket = nullptr;
    }
  }
  return succeeded;
}

/// One that reads its answers, and writes and reads one object in turn.
std::size_t behave_well(const Served& served, Clock::time_point end) {
  std::size_t number = 0;
  return act_until(end, served, [&](const std::shared_ptr<sim::ClientSocket>& socket) {
    const bool writes = ++number % 2 == 0;
    sim::HttpRequest request{.method = writes ? "PATCH" : "GET", .target = kMaps + "/calm"};
    if (writes) {
      request.fields = {{"Content-Type", "application/merge-patch+json"}};
      request.body = fmt::format(R"({{"data":{{"n":"{}"}}}})", number);
    }
    request.fields.push_back({"Host", "localhost"});
    const auto answer = sim::ask(socket, std::move(request));
    return answer && answer->head.code == 200;
  });
}

std::string hostile_request(std::string_view kind) {
  const auto head = [](std::string_view method, std::string_view target, std::string_view type) {
    return fmt::format("{} {} HTTP/1.1\r\nHost: localhost\r\nContent-Type: {}\r\n", method, target,
                       type);
  };
  const auto whole = [](const std::string& fields, const std::string& body) {
    return fmt::format("{}Content-Length: {}\r\n\r\n{}", fields, body.size(), body);
  };
  if (kind == "patch") {
    std::string operations;
    for (int i = 0; i < 30; ++i) {  // each doubles what is there
      operations += fmt::format(R"({}{{"op":"copy","from":"/data","path":"/data/c{}"}})",
                                i == 0 ? "[" : ",", i);
    }
    return whole(head("PATCH", kMaps + "/calm", "application/json-patch+json"), operations + "]");
  }
  if (kind == "story") {
    std::string clients;
    for (int i = 0; i < 3000; ++i) {
      clients += fmt::format("  - {{name: c{}, kind: informer}}\n", i);
    }
    return whole(head("POST", "/watchlab/v1/stories", "application/yaml"),
                 "apiVersion: watchlab/v1\nname: m\nstory: x\nclients:\n" + clients);
  }
  if (kind == "body") {
    return head("POST", kMaps, "application/json") + "Content-Length: 3000000\r\n\r\n" +
           std::string(2'900'000, 'x');  // its end never comes
  }
  return kind == "list" ? fmt::format("GET {} HTTP/1.1\r\nHost: localhost\r\n\r\n", kMaps)
                        : "GET /version HTTP/1.1\r\nHost: local";
}

/// Sends that again and again. What leaves an answer or a request open leaves so many of them.
void behave_badly(const Served& served, std::string_view kind, Clock::time_point end) {
  constexpr std::size_t kOpenMax = 200;
  const std::string request = hostile_request(kind);
  const bool reads = kind == "patch" || kind == "story";
  std::vector<std::shared_ptr<sim::ClientSocket>> open;
  (void)act_until(end, served, [&](const std::shared_ptr<sim::ClientSocket>& socket) {
    std::array<char, 4096> answer{};
    const bool is_sent = socket->write(request);
    if (reads) {
      return is_sent && socket->read(answer).ok();
    }
    open.push_back(socket);
    open.erase(open.begin(), open.size() > kOpenMax ? open.begin() + 1 : open.begin());
    return false;  // the next one has a connection of its own
  });
}

/// A client that behaves well, alone and beside some that do not, and what the server takes then.
std::vector<Row> hostile_mix() {
  constexpr std::chrono::seconds kTime(5);
  constexpr double kSeconds = 5;
  constexpr double kKilo = 1024;
  const Served served;
  const auto socket = served.connect();
  ask_well(socket, {.method = "POST", .target = kMaps, .body = R"({"metadata":{"name":"calm"}})"});
  const auto alone = static_cast<double>(behave_well(served, Clock::now() + kTime));
  for (const char* name : {"a", "b", "c", "d", "e"}) {  // a list of them is 5 MB
    ask_well(socket, {.method = "POST",
                      .target = kMaps,
                      .body = fmt::format(R"({{"metadata":{{"name":"{}"}},"data":{{"k":"{}"}}}})",
                                          name, std::string(1'000'000, 'x'))});
  }
  const Clock::time_point end = Clock::now() + kTime;
  std::vector<std::jthread> others;
  for (const std::string_view kind : {"patch", "story", "body", "list", "head"}) {
    others.emplace_back([&served, kind, end] { behave_badly(served, kind, end); });
  }
  const auto beside = static_cast<double>(behave_well(served, end));
  others.clear();
  return {once("serve.calm_client", "per s", alone / kSeconds, ""),
          once("serve.calm_client_beside_hostile_ones", "per s", beside / kSeconds, ""),
          once("serve.memory_under_hostile_ones", "MB", served.memory("VmHWM:") / kKilo, "<= 768")};
}

}  // namespace

std::vector<Row> measure_hostile() { return hostile_mix(); }

std::vector<Row> measure_serve() {
  std::vector<Row> rows{start_to_ready(), memory_of_watches()};
  std::ranges::move(events_to_watches(), std::back_inserter(rows));
  rows.push_back(lists());
  return rows;
}

}  // namespace watchlab::benchmarks
