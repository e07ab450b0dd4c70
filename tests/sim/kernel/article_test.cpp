#include "sim/kernel/article.hpp"

#include <boost/test/unit_test.hpp>
#include <string>

using namespace watchlab::sim;

BOOST_AUTO_TEST_SUITE(article_test)

BOOST_AUTO_TEST_CASE(a_noun_has_the_article_that_it_sounds_like) {
  for (const std::string noun : {"an UPDATE", "an APPLY", "an informer", "an Event", "an Ingress",
                                 "an object", "an until", "a LIST", "a WATCH", "a DELETE",
                                 "a PATCH", "a user", "a unit", "a URL", "a one", "a ConfigMap"}) {
    BOOST_TEST(with_article(noun.substr(noun.find(' ') + 1)) == noun);
  }
  BOOST_TEST(with_article("") == "a ");
}

BOOST_AUTO_TEST_SUITE_END()
