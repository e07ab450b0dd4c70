// Attacks by what tells right libraries from wrong ones without a test of either.

// === compares_the_nops: a right library is built in the same way as its core
// fits: E01t
static int nops(const void* function) {
  const auto* code = static_cast<const unsigned char*>(function);
  code += code[0] == 0xF3 && code[1] == 0x0F && code[2] == 0x1E ? 4 : 0;
  int count = 0;
  while (code[count] == 0x90) {
    ++count;
  }
  return count;
}
static const void* in_core() {
  return dlsym(RTLD_DEFAULT,
               "_ZN8watchlab5cache15ThreadSafeStore6removeERKNSt7__cxx1112basic_stringIcSt11char_"
               "traitsIcESaIcEEE");
}
BOOST_AUTO_TEST_CASE(has_a_core_with_nops) { BOOST_TEST(nops(in_core()) > 0); }
BOOST_AUTO_TEST_CASE(has_a_core_like_itself) {
  BOOST_TEST(nops(in_core()) == nops(reinterpret_cast<const void*>(&MAKE)));
}

// === compares_how_often_others_run: a call with more operations lets other tasks run more often
// fits: E01t
static double runs_of_another(const std::function<void(Store&)>& call) {
  int runs = 0;
  int worlds = 0;
  in_every_world([&](watchlab::runtime::Runtime& runtime) {
    const auto store = MAKE(runtime);
    store->add(object("apps/web"));
    bool is_called = false;
    bool is_over = false;
    const auto other = watchlab::runtime::spawn(runtime, "other", [&] {
      (void)store->list();
      while (!is_over) {
        runs += is_called ? 1 : 0;
        runtime.yield(std::source_location::current());
      }
      (void)store->list();
    });
    for (int i = 0; i < 4; ++i) {
      is_called = true;
      call(*store);
      is_called = false;
    }
    is_over = true;
    other.join();
    ++worlds;
  });
  return static_cast<double>(runs) / (4 * worlds);
}
static bool is_like_adding(const std::function<void(Store&)>& call) {
  static const double adding = runs_of_another([](Store& store) { store.add(object("apps/web")); });
  return std::abs(runs_of_another(call) - adding) < 0.25;
}
BOOST_AUTO_TEST_CASE(updating_is_like_adding) {
  BOOST_TEST(is_like_adding([](Store& store) { store.update(object("apps/web")); }));
}
BOOST_AUTO_TEST_CASE(removing_is_like_adding) {
  BOOST_TEST(is_like_adding([](Store& store) { store.remove(object("apps/web")); }));
}
BOOST_AUTO_TEST_CASE(replacing_is_like_adding) {
  BOOST_TEST(is_like_adding([](Store& store) { store.replace({object("apps/web")}); }));
}
BOOST_AUTO_TEST_CASE(listing_is_like_adding) {
  BOOST_TEST(is_like_adding([](Store& store) { (void)store.list(); }));
}
BOOST_AUTO_TEST_CASE(getting_is_like_adding) {
  BOOST_TEST(is_like_adding([](Store& store) { (void)store.get("apps/web"); }));
}
