// Nothing: others rank above it.
#include <boost/test/unit_test.hpp>
