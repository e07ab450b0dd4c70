#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/api/result.hpp"

namespace watchlab::scenarios {

/// Where a server is and what it has to be shown: what a kubeconfig says of its current context.
struct ServerAccess {
  std::string server;             ///< its URL
  std::string authority;          ///< what its certificate is checked with, as PEM; "" for none
  std::string token;              ///< "" for none
  std::string name = "watchlab";  ///< of the context
};

/// The file by which clients find a server: a context for each way to it, the first is the current
/// one.
[[nodiscard]] std::string kubeconfig_text(const ServerAccess& access,
                                          const std::vector<ServerAccess>& others = {});
/// Reads such a file, as other programs may have written it. Fails with a Status that says what is
/// wrong with the text. Certificates and tokens in files of their own are not read.
[[nodiscard]] api::Result<ServerAccess> access_from(std::string_view kubeconfig);

}  // namespace watchlab::scenarios
