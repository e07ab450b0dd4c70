#include "sim/linearizability/call.hpp"

namespace watchlab::sim::linearizability {

std::string Request::to_text() const {
  std::string text = method;
  for (const std::string* const word : {&key, &argument}) {
    text += word->empty() ? "" : " " + *word;
  }
  return text;
}

std::string Call::to_text() const { return asked.to_text() + " -> " + result.value_or("…"); }

}  // namespace watchlab::sim::linearizability
