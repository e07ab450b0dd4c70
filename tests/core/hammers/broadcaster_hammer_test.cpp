// A broadcaster between several senders and watchers who come, read, stop and leave as they like.
#include <boost/test/unit_test.hpp>
#include <map>

#include "core/runtime/task.hpp"
#include "core/watch/broadcaster.hpp"
#include "tests/core/hammers/hammer.hpp"
#include "tests/support/objects.hpp"

namespace watchlab::tests {

BOOST_AUTO_TEST_SUITE(broadcaster_hammer_test)

namespace {

using watch::Broadcaster;
using watch::FullChannelBehavior;

watch::Event numbered(const std::string& sender, int number) {
  return {.type = watch::EventType::Modified,
          .object = object(sender, std::to_string(number)),
          .status = nullptr};
}

void send(runtime::Runtime& runtime, Broadcaster& broadcaster, const std::string& name) {
  Dice dice(runtime);
  for (int i = 1; i <= 5; ++i) {
    if (dice.one_in(4, "drop")) {
      (void)broadcaster.action_or_drop(numbered(name, i));
    } else {
      (void)broadcaster.action(numbered(name, i));
    }
  }
}

/// Reads some events, or all, and checks that those of each sender come in its order.
void watch_for_a_while(runtime::Runtime& runtime, Broadcaster& broadcaster) {
  const auto watcher = broadcaster.watch();
  if (!watcher) {
    expect(watcher.error().kind == api::ErrorKind::Closed, "only a shutdown refuses a watcher");
    return;
  }
  const std::size_t wanted = Dice(runtime).roll(8, "how many");
  runtime::Channel<watch::Event> events = (*watcher)->result_channel();
  std::map<std::string, int> last;
  for (std::size_t read = 0; read < wanted; ++read) {
    const auto event = events.receive();
    if (!event) {
      break;
    }
    const int number = std::stoi(event->object->metadata.resource_version);
    int& before = last[event->object->metadata.name];
    expect(number > before, "a sender's events come in its order, and none twice");
    before = number;
  }
  (*watcher)->stop();
}

void broadcast(runtime::Runtime& runtime) {
  Dice dice(runtime);
  Broadcaster broadcaster(
      runtime,
      {.queue_length = dice.roll(3, "length"),
       .full_channel_behavior = dice.one_in(2, "drop") ? FullChannelBehavior::DropIfChannelFull
                                                       : FullChannelBehavior::WaitIfChannelFull,
       .incoming_length = 2});
  std::vector<runtime::Task> tasks;
  for (const char* name : {"a", "b"}) {
    tasks.push_back(
        runtime::spawn(runtime, "sender", [&, name] { send(runtime, broadcaster, name); }));
  }
  for (int i = 0; i < 3; ++i) {
    tasks.push_back(
        runtime::spawn(runtime, "watcher", [&] { watch_for_a_while(runtime, broadcaster); }));
  }
  if (dice.one_in(2, "shut down early")) {
    tasks.push_back(runtime::spawn(runtime, "closer", [&] { broadcaster.shutdown(); }));
  } else {
    // Watchers that still want something would wait indefinitely.
    tasks[0].join();
    tasks[1].join();
    broadcaster.shutdown();
  }
  for (const runtime::Task& task : tasks) {
    task.join();
  }
  broadcaster.shutdown();
}

}  // namespace

BOOST_AUTO_TEST_CASE(each_watcher_sees_each_sender_in_order_whichever_leaves) { hammer(broadcast); }

BOOST_AUTO_TEST_SUITE_END()

}  // namespace watchlab::tests
