#pragma once

#include <string>
#include <string_view>

namespace watchlab::tests {

/// Checks, as part of the running case, that a text is the one that is checked in as
/// tests/sim/explain/golden/NAME.txt. With WATCHLAB_REFRESH=1 in the environment it writes the text
/// there instead: read it before you check it in. Tests run at the root of the repository.
void check_golden(std::string_view name, const std::string& text);

}  // namespace watchlab::tests
