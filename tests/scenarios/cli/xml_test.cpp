#include "scenarios/command_line/xml.hpp"

#include <boost/property_tree/ptree.hpp>
#include <boost/property_tree/xml_parser.hpp>
#include <boost/test/unit_test.hpp>
#include <sstream>
#include <string>

using namespace watchlab::scenarios;

BOOST_AUTO_TEST_SUITE(xml_test)

BOOST_AUTO_TEST_CASE(elements_stand_below_each_other) {
  const XmlElement root{
      .name = "suite",
      .attributes = {{"tests", "2"}, {"name", "a \"b\" & c"}},
      .children = {{.name = "case"},
                   {.name = "case", .attributes = {{"id", "x"}}, .text = "1 < 2\n3 > 2"}}};
  BOOST_TEST(xml_document(root) ==
             "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
             "<suite tests=\"2\" name=\"a &quot;b&quot; &amp; c\">\n"
             "  <case/>\n"
             "  <case id=\"x\">1 &lt; 2\n3 &gt; 2</case>\n"
             "</suite>\n");
}

BOOST_AUTO_TEST_CASE(whatever_is_written_is_read_again_as_the_same_text) {
  const std::string text = "<![CDATA[ & &amp; \"'</suite> ]]> <!-- ü";
  std::istringstream written(xml_document({.name = "suite",
                                           .attributes = {{"name", text}},
                                           .children = {{.name = "case", .text = text}}}));
  boost::property_tree::ptree tree;
  boost::property_tree::read_xml(written, tree);
  BOOST_TEST(tree.get<std::string>("suite.<xmlattr>.name") == text);
  BOOST_TEST(tree.get<std::string>("suite.case") == text);
}

BOOST_AUTO_TEST_CASE(what_xml_forbids_shows_as_an_escape) {
  const std::string text = xml_document({.name = "a", .text = std::string("\x1b[0m\0\t.", 7)});
  BOOST_TEST(text.find("<a>\\u001b[0m\\u0000\t.</a>") != std::string::npos, text);
}

BOOST_AUTO_TEST_SUITE_END()
