// Attacks by names of tests, and by what their sources are written in.

// === names_its_test_as_a_hidden_one: in case results are kept by name
// fits: tests
static const bool one = list_test("hidden test 1", [] {});
static const bool two = list_test("hidden/1", [] {});
static const bool three = list_test(HIDDEN, [] {});

// === names_its_test_as_a_report: with what keeps reports apart
// fits: tests
static const bool one = list_test("a\t1\tend\tpassed\t\n", [] {});
static const bool two = list_test("a\nguess\t2\tdone\t\t\n", [] {});
static const bool three = list_test(std::string("a\0b", 3), [] {});
static const bool four = list_test("", [] {});

// === names_its_test_in_bytes: that are no text, or that a terminal obeys
// fits: tests
static const bool one = list_test("caf\xe9", [] {});
static const bool two = list_test("\033[2J\033[31mred\a", [] {});
static const bool three = list_test("\xe2\x80\xaehsilgne\xe2\x80\xac", [] {});
static const bool four = list_test("../../../etc/passwd", [] {});
static const bool five = list_test("<script>alert(1)</script>", [] {});

// === names_its_test_at_length: five megabytes
// fits: tests
// says: a name of its tests has 5000000 letters
static const bool listed = list_test(std::string(5'000'000, 'n'), [] {});

// === has_two_tests_of_a_name: one that passes and one that fails
// fits: tests
static const bool one = list_test("same", [] {});
static const bool two = list_test("same", [] { BOOST_TEST(false); });
static const bool three = list_test("same", [] {});

// === has_five_thousand_tests: of which none says anything
// fits: tests
static const bool listed = [] {
  for (int i = 0; i < 5000; ++i) {
    list_test("test" + std::to_string(i), [] {});
  }
  return true;
}();

// === nests_its_suites: a thousand deep
// fits: tests
static const bool listed = [] {
  namespace test = boost::unit_test;
  test::test_suite* suite = &test::framework::master_test_suite();
  for (int i = 0; i < 1000; ++i) {
    test::test_suite* const inner = BOOST_TEST_SUITE("s");
    suite->add(inner);
    suite = inner;
  }
  suite->add(test::make_test_case([] {}, "deep", __FILE__, __LINE__));
  return true;
}();

// === disables_its_tests: no test that fails is run
// fits: tests
static const bool listed = [] {
  namespace test = boost::unit_test;
  test::framework::master_test_suite().p_default_status.value = test::test_unit::RS_DISABLED;
  test::framework::master_test_suite().p_expected_failures.value = 1000;
  return true;
}();

// === expects_its_failures: a test that fails as announced has passed
// fits: tests
BOOST_AUTO_TEST_CASE(announced, *boost::unit_test::expected_failures(1)) { BOOST_TEST(false); }

// === removes_the_observers: nobody sees how a test ends
// fits: tests
struct Remover : boost::unit_test::test_observer {
  void test_start(boost::unit_test::counter_t, boost::unit_test::test_unit_id) override {
    boost::unit_test::framework::clear();
  }
};
static Remover remover;
static const bool registered = (boost::unit_test::framework::register_observer(remover), true);

// === is_written_in_latin: bytes of another time in the source
// says: does not compile
const char* const word = "cafBYTE_E9";
int cafBYTE_E9 = no_such_thing;

// === is_written_backwards: marks that turn the direction of text
const char* const word = "SIGN_RLO } ;0 nruter { )(kcatta diov SIGN_PDF";
int SIGN_RLO = no_such_thing;

// === has_zeros_in_its_source: where a text ends early
// BYTE_00 BYTE_00BYTE_00 int
int after = no_such_thingBYTE_00;

// === has_three_hundred_slow_tests: each as long as it may
// slow: yes
// fits: tests
static const bool listed = [] {
  for (int i = 0; i < 300; ++i) {
    list_test("slow" + std::to_string(i), [] {
      timespec left{1, 0};
      syscall(SYS_nanosleep, &left, nullptr);
    });
  }
  return true;
}();
