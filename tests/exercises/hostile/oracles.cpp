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
