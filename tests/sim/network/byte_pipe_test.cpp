#include "sim/network/byte_pipe.hpp"

#include <array>
#include <boost/test/unit_test.hpp>

#include "core/runtime/task.hpp"
#include "tests/support/campaign.hpp"

using namespace watchlab;
using namespace watchlab::sim;
using namespace watchlab::tests;
using namespace std::chrono_literals;

BOOST_AUTO_TEST_SUITE(byte_pipe_test)

namespace {

struct Pipe {
  explicit Pipe(runtime::Runtime& pipe_runtime)
      : runtime(pipe_runtime), stop(runtime), bytes(runtime, {.latency = 1ms}, stop.token()) {}

  void write(std::string text) { bytes.write(std::move(text), runtime.now()); }
  /// At most four bytes as they come; "end", "reset" or "gone" when there are none.
  std::string read() {
    std::array<char, 4> room{};
    const api::Result<std::size_t> size = bytes.read(room);
    if (!size) {
      return size.error().kind == api::ErrorKind::ConnectionReset ? "reset" : "gone";
    }
    return *size == 0 ? "end" : std::string(room.data(), *size);
  }

  runtime::Runtime& runtime;
  runtime::StopSource stop;
  BytePipe bytes;
};

}  // namespace

BOOST_AUTO_TEST_CASE(bytes_arrive_in_order_a_latency_later_and_in_any_pieces) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    Pipe pipe(runtime);
    const runtime::TimePoint before = runtime.now();
    pipe.write("abcde");
    pipe.write("f");
    expect_equal(pipe.read(), "abcd");
    expect(runtime.now() - before == 1ms, "after the latency");
    expect_equal(pipe.read(), "ef");
  });
}

BOOST_AUTO_TEST_CASE(what_leaves_later_arrives_later_and_holds_back_what_follows) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    Pipe pipe(runtime);
    const runtime::TimePoint before = runtime.now();
    pipe.bytes.write("late", before + 1s);
    pipe.write("more");
    expect_equal(pipe.read(), "late");
    expect(runtime.now() - before == 1s + 1ms, "when it was told to leave");
    expect_equal(pipe.read(), "more");
  });
}

BOOST_AUTO_TEST_CASE(an_orderly_end_comes_after_all_bytes_and_stays) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    Pipe pipe(runtime);
    pipe.write("ab");
    pipe.bytes.finish(runtime.now());
    expect_equal(pipe.read(), "ab");
    expect_equal(pipe.read(), "end");
    expect_equal(pipe.read(), "end");
  });
}

BOOST_AUTO_TEST_CASE(a_cut_reads_as_a_reset_after_what_has_arrived) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    Pipe pipe(runtime);
    pipe.write("ab");
    pipe.bytes.cut(runtime.now());
    expect_equal(pipe.read(), "ab");
    expect_equal(pipe.read(), "reset");
  });
}

BOOST_AUTO_TEST_CASE(a_close_and_a_stop_end_a_read_that_waits) {
  for (const bool closes : {true, false}) {
    holds_in_every_world([closes](runtime::Runtime& runtime) {
      Pipe pipe(runtime);
      const runtime::Task reader =
          runtime::spawn(runtime, "reader", [&] { expect_equal(pipe.read(), "gone"); });
      if (closes) {
        pipe.bytes.close();
      } else {
        pipe.stop.stop();
      }
      reader.join();
    });
  }
}

BOOST_AUTO_TEST_CASE(drain_waits_until_the_reader_has_taken_all_and_wants_more) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    Pipe pipe(runtime);
    pipe.write("ab");
    bool taken = false;
    const runtime::Task reader = runtime::spawn(runtime, "reader", [&] {
      runtime::sleep_for(runtime, 5s);
      expect_equal(pipe.read(), "ab");
      taken = true;
      expect_equal(pipe.read(), "gone");
    });
    expect(pipe.bytes.drain(), "the reader is there");
    expect(taken, "the reader has it all");
    pipe.bytes.close();
    expect(!pipe.bytes.drain(), "nobody will read any more");
    reader.join();
  });
}

BOOST_AUTO_TEST_SUITE_END()
