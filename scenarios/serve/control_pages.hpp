#pragma once

#include "sim/http/http_front.hpp"

namespace watchlab::scenarios {

/// The pages below /watchlab/v1, by which any program breaks a server and looks into it
/// (docs/serve.md): `faults`, `fault-types`, `exchanges` and `objects`. The front must outlive what
/// this returns.
[[nodiscard]] sim::PageSource control_pages(sim::HttpFront& front);

}  // namespace watchlab::scenarios
