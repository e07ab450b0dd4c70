#include "scenarios/cli/command_output.hpp"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <cerrno>
#include <stdexcept>
#include <utility>

#include "sim/kernel/plain_text.hpp"

namespace watchlab::scenarios {
namespace {

constexpr std::size_t kLineMax = 400;
constexpr int kLookAgain = 50;  // milliseconds

void close_end(int& descriptor) {
  if (descriptor >= 0) {
    (void)::close(std::exchange(descriptor, -1));
  }
}

void write_all(int to, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(to, text.data(), text.size());
    if (written < 0 && errno != EINTR) {
      return;  // nobody reads it any more
    }
    text.remove_prefix(written < 0 ? 0 : static_cast<std::size_t>(written));
  }
}

}  // namespace

CommandOutput::CommandOutput() {
  const int numbers[] = {STDOUT_FILENO, STDERR_FILENO};
  for (std::size_t i = 0; i < streams_.size(); ++i) {
    Stream& stream = streams_.at(i);
    stream.to = numbers[i];
    if (::isatty(stream.to) == 1) {
      continue;
    }
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC) != 0) {
      throw std::runtime_error("there is no pipe for what the command prints");
    }
    stream.ours = ends[0];
    stream.theirs = ends[1];
    (void)::fcntl(stream.ours, F_SETFL, O_NONBLOCK);
  }
}

CommandOutput::~CommandOutput() {
  (void)finish();
  for (Stream& stream : streams_) {
    close_end(stream.ours);
    close_end(stream.theirs);
  }
}

ChildProcess::Outputs CommandOutput::outputs() const {
  const auto of = [](const Stream& stream) {
    return stream.theirs >= 0 ? stream.theirs : stream.to;
  };
  // What reads a terminal must stay in the group that has it; a signal of that reaches all of it.
  return {.out = of(streams_[0]),
          .err = of(streams_[1]),
          .keeps_input = true,
          .has_group = ::isatty(STDIN_FILENO) != 1};
}

void CommandOutput::begin() {
  for (Stream& stream : streams_) {
    close_end(stream.theirs);  // the command has its own
  }
  thread_ = std::thread([this] { pass_on(); });
}

void CommandOutput::keep(Stream& stream, std::string_view text) {
  for (const char c : text) {
    if (c != '\n') {
      stream.begun += stream.begun.size() < kLineMax ? std::string(1, c) : "";
      continue;
    }
    lines_.push_back(std::exchange(stream.begun, ""));
    if (lines_.size() > kLinesMax) {
      lines_.pop_front();
    }
  }
}

bool CommandOutput::pass_on(Stream& stream) {
  if (stream.ours < 0) {
    return false;
  }
  std::array<char, 4096> buffer;
  const ssize_t count = ::read(stream.ours, buffer.data(), buffer.size());
  if (count > 0) {
    const std::string_view text(buffer.data(), static_cast<std::size_t>(count));
    write_all(stream.to, text);
    keep(stream, text);
    return true;
  }
  if (count == 0 || (errno != EAGAIN && errno != EINTR)) {
    close_end(stream.ours);
  }
  return false;
}

/// A command may leave programs behind that hold its streams: its own end is the end.
void CommandOutput::pass_on() {
  while (streams_[0].ours >= 0 || streams_[1].ours >= 0) {
    const bool is_last_look = over_;
    pollfd ready[] = {{streams_[0].ours, POLLIN, 0}, {streams_[1].ours, POLLIN, 0}};
    (void)::poll(ready, 2, is_last_look ? 0 : kLookAgain);
    bool any = false;
    for (Stream& stream : streams_) {
      any = pass_on(stream) || any;
    }
    if (is_last_look && !any) {
      return;
    }
  }
}

std::string CommandOutput::finish() {
  over_ = true;
  if (thread_.joinable()) {
    thread_.join();
  }
  std::string text;
  for (Stream& stream : streams_) {
    if (!stream.begun.empty()) {
      keep(stream, "\n");
    }
  }
  for (const std::string& line : lines_) {
    text += (text.empty() ? "  " : "\n  ") + sim::plain_line(line);
  }
  return text;
}

}  // namespace watchlab::scenarios
