#include "tests/sim/explain/golden.hpp"

#include <boost/test/unit_test.hpp>
#include <cstdlib>
#include <fstream>
#include <sstream>

namespace watchlab::tests {

void check_golden(std::string_view name, const std::string& text) {
  const std::string path = "tests/sim/explain/golden/" + std::string(name) + ".txt";
  if (std::getenv("WATCHLAB_REFRESH") != nullptr) {
    std::ofstream(path) << text << '\n';
    return;
  }
  std::ifstream file(path);
  std::stringstream expected;
  expected << file.rdbuf();
  BOOST_TEST(text + "\n" == expected.str(),
             path << " says otherwise; this came out (WATCHLAB_REFRESH=1 writes it there):\n"
                  << text);
}

}  // namespace watchlab::tests
