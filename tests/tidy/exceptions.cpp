#include "tests/tidy/exceptions.hpp"

#include <string>

namespace watchlab::tidy {

Complaints without_exceptions(Complaints complaints, const std::vector<Exception>& exceptions) {
  for (const Exception& exception : exceptions) {
    const auto is_allowed = [&exception](const Complaint& complaint) {
      return complaint.path == exception.path && complaint.sentence.starts_with(exception.sentence);
    };
    if (std::erase_if(complaints, is_allowed) == 0) {
      complaints.push_back({std::string(exception.path), 1,
                            "needs its exception no more; remove it from tests/tidy_test.cpp: " +
                                std::string(exception.sentence)});
    }
  }
  return complaints;
}

}  // namespace watchlab::tidy
