#include <boost/test/unit_test.hpp>

#include "tests/tidy/checks.hpp"
#include "tests/tidy/tree.hpp"

namespace watchlab::tidy {

BOOST_AUTO_TEST_SUITE(products_test)

namespace {

const Source root{"meson.build",
                  "products = {\n"
                  "  'kernel': {'sources': kernel_sources, 'args': [], 'on': [], 'needs': []},\n"
                  "  'port': {'sources': port_sources, 'on': ['kernel'],\n    'needs': []},\n}\n"};
const Source kernel_list{"sim/meson.build",
                         "kernel_sources += files(\n  'a.cpp',\n  'a.hpp',\n)\n"};
const Source port_list{"core/meson.build", "# one\nport_sources += files('b/b.cpp', 'b/b.hpp')\n"};

}  // namespace

BOOST_AUTO_TEST_CASE(a_library_may_include_what_it_stands_on_and_its_own) {
  const Source b{"core/b/b.cpp", "#include \"core/b/b.hpp\"\n#include \"sim/a.hpp\"\n"};
  BOOST_TEST(said(check_products({root, kernel_list, port_list, b})).empty());
}

BOOST_AUTO_TEST_CASE(an_include_of_what_it_does_not_stand_on_is_reported) {
  const Source a{"sim/a.cpp", "#include \"sim/a.hpp\"\n\n#include \"core/b/b.hpp\"\n"};
  BOOST_TEST(said(check_products({root, kernel_list, port_list, a})) ==
             "sim/a.cpp:3: belongs to watchlab-kernel, which does not stand on watchlab-port, and "
             "includes core/b/b.hpp of that\n");
}

BOOST_AUTO_TEST_CASE(what_is_in_no_library_may_include_all_of_them) {
  const Source program{"scenarios/cli/main.cpp", "#include \"core/b/b.hpp\"\n"};
  BOOST_TEST(said(check_products({root, kernel_list, port_list, program})).empty());
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace watchlab::tidy
