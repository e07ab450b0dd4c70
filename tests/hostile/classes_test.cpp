#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <fstream>
#include <iterator>
#include <map>
#include <set>
#include <sstream>
#include <string>

// Each class of bad input is played somewhere, by a case that classes.txt names.

BOOST_AUTO_TEST_SUITE(classes_test)

namespace {

std::string read_whole(const std::string& path) {
  std::ifstream in(path);
  return {std::istreambuf_iterator<char>(in), {}};
}

/// The next part of a line with " | " between its parts, which is taken away.
std::string take_part(std::string& line) {
  const std::string mark = " | ";
  const std::size_t at = std::min(line.find(mark), line.size());
  std::string part = line.substr(0, at);
  line.erase(0, std::min(at + mark.size(), line.size()));
  return part;
}

/// Whether the file has that case: by its macro, or of the peers, as a key of their table.
bool has_case(const std::string& file, const std::string& text, const std::string& name) {
  return file.ends_with(".py") ? text.find("    \"" + name + "\": (") != std::string::npos
                               : text.find("_TEST_CASE(" + name + ")") != std::string::npos ||
                                     text.find("_TEST_CASE(" + name + ",") != std::string::npos;
}

}  // namespace

BOOST_AUTO_TEST_CASE(each_class_of_bad_input_names_a_case_that_is_there) {
  std::istringstream table(read_whole("tests/hostile/classes.txt"));
  std::map<std::string, std::string> texts;
  std::set<std::string> named;
  for (std::string line; std::getline(table, line);) {
    if (line.empty() || line.starts_with('#')) {
      continue;
    }
    const std::string what = take_part(line);
    const std::string file = take_part(line);
    const auto [text, is_new] = texts.try_emplace(file);
    text->second = is_new ? read_whole(file) : text->second;
    BOOST_TEST(has_case(file, text->second, line), what << ": " << file << " has no " << line);
    BOOST_TEST(named.insert(file + " " + line).second, line << " is named twice");
  }
  BOOST_TEST(texts.size() > 5U);
}

BOOST_AUTO_TEST_SUITE_END()
