#pragma once

#include <string>
#include <string_view>

namespace watchlab::sim {

/// A noun with its indefinite article, by how it sounds: "a LIST", "an UPDATE", "a user".
[[nodiscard]] std::string with_article(std::string_view noun);

}  // namespace watchlab::sim
