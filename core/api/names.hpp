#pragma once

#include <string_view>

/// The shapes that names have in Kubernetes. Mirrors apimachinery pkg/util/validation.
namespace watchlab::api {

/// Lowercase letters, digits and '-', with a letter or digit at both ends, of any length.
[[nodiscard]] bool is_dns_label(std::string_view text);
/// Such labels with dots between them. Of any length too: in the original only the whole has a
/// greatest length, not each label.
[[nodiscard]] bool is_dns_subdomain(std::string_view text);
/// Letters, digits, '-', '_' and '.', with a letter or digit at both ends, of any length: a label's
/// value, or the name in its key.
[[nodiscard]] bool is_label_text(std::string_view text);

}  // namespace watchlab::api
