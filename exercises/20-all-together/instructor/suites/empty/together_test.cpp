// No test at all.
#include <boost/test/unit_test.hpp>

#include "exercises/20-all-together/subject.hpp"
