#pragma once

#include <string>
#include <string_view>

#include "core/api/result.hpp"

namespace watchlab::scenarios {

/// Where a server is and what it has to be shown: what a kubeconfig says of its current context.
struct ServerAccess {
  std::string server;     ///< its URL
  std::string authority;  ///< what its certificate is checked with, as PEM; "" for none
  std::string token;      ///< "" for none
};

/// The file by which clients find a server.
[[nodiscard]] std::string kubeconfig_text(const ServerAccess& access);
/// Reads such a file, as other programs may have written it. Fails with a Status that says what is
/// wrong with the text. Certificates and tokens in files of their own are not read.
[[nodiscard]] api::Result<ServerAccess> access_from(std::string_view kubeconfig);

}  // namespace watchlab::scenarios
