#pragma once

#include "sim/kernel/utf8.hpp"

namespace watchlab::scenarios {

using sim::Character;
using sim::first_character;
using sim::kReplacement;
using sim::valid_utf8;

}  // namespace watchlab::scenarios
