#pragma once

#include "sim/kernel/plain_text.hpp"

/// What others wrote goes through these before a person sees it. Runs and records show their rows
/// through the same, so that all doors have one list of characters that nobody sees.
namespace watchlab::scenarios {

using sim::is_plain_text;
using sim::plain_line;
using sim::plain_text;
using sim::plain_yaml;
using sim::visible_line;
using sim::visible_text;

}  // namespace watchlab::scenarios
