// The entry point of every test program.
#define BOOST_TEST_MODULE watchlab
#include <boost/test/unit_test.hpp>
