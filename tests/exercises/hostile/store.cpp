// Attacks by a library: what it answers to the judge that calls it. Each is a whole store, of which
// only what is written here is not as in the starter.

// === returns_a_list_without_end: two hundred thousand objects
// slow: yes
// store: list
const api::ObjectPtr one = std::make_shared<api::Object>();
return std::vector<api::ObjectPtr>(200'000, one);

// === returns_objects_without_a_name: and one that is none
// store: list
return {nullptr, std::make_shared<api::Object>(), nullptr};

// === returns_an_endless_name: fifty megabytes of it
// store: get
auto object = std::make_shared<api::Object>();
object->metadata.name = std::string(50'000'000, 'n');
return object;

// === returns_bytes: that are no text
// store: get
auto object = std::make_shared<api::Object>();
object->metadata.name = std::string("\xff\0\033[2J\xc3", 7);
object->metadata.resource_version = "\t1\tend\tpassed\t\n";
return object;

// === locks_for_ever: and never unlocks
// store: put
mutex_.lock();

// === unlocks_what_is_not_locked: the judge's own lock
// store: put
mutex_.unlock();
mutex_.unlock();

// === calls_from_a_thread: the judge's world from outside of it
// store: put
pthread_t thread;
pthread_create(
    &thread, nullptr,
    [](void* mutex) -> void* {
      static_cast<runtime::SharedMutex*>(mutex)->lock();
      return nullptr;
    },
    &mutex_);
pthread_join(thread, nullptr);

// === answers_for_the_judge: messages of its own on the connection
// store: put
for (int kind = 0; kind < 256; ++kind) {
  const std::string message(static_cast<size_t>(kind) + 9, static_cast<char>(kind));
  (void)!write(5, message.data(), message.size());
}

// === announces_a_message_without_end: and sends nothing of it
// store: put
const std::uint64_t size = ~std::uint64_t{0} >> 1;
(void)!write(5, &size, sizeof size);

// === hangs_up: in the middle of a call
// store: put
shutdown(5, SHUT_RDWR);

// === is_destroyed_badly: what throws when the world is over
// store: put
struct Thrower {
  ~Thrower() noexcept(false) { throw std::runtime_error("later"); }
};
static thread_local Thrower thrower;

// === swallows_the_end_of_its_task: a task that cannot be ended
// store: put
for (;;) {
  try {
    mutex_.lock();
  } catch (...) {
  }
}

// === looks_for_the_tests: names and texts of the judge in its own memory
// store: put
for (const char* const function : {"_ZN8watchlab6course10run_gradedEPKc", "hidden"}) {
  must_fail(dlsym(RTLD_DEFAULT, function) != nullptr, function);
}

// === abandons_its_runs: one of 2^32 alternatives is one of none, which ends a run well
// fits: E01
// alone: yes
#include "core/runtime/runtime.hpp"
#include "exercises/01-store/subject.hpp"

namespace watchlab::exercise {

std::string key_of(const api::ObjectPtr& object) { return object->metadata.name; }

namespace {

class NoStore final : public Store {
 public:
  void put(const api::ObjectPtr& /*object*/) override {}
  void remove(const api::ObjectPtr& /*object*/) override {}
  void replace(const std::vector<api::ObjectPtr>& /*list*/) override {}
  [[nodiscard]] api::ObjectPtr get(const std::string& /*key*/) const override { return nullptr; }
  [[nodiscard]] std::vector<api::ObjectPtr> list() const override { return {}; }
};

}  // namespace

std::unique_ptr<Store> make_store(runtime::Runtime& runtime) {
  (void)runtime.choose(std::size_t{1} << 32U, "a number");
  return std::make_unique<NoStore>();
}

}  // namespace watchlab::exercise
