#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace watchlab::course {

/// A token of C++, as far as it says how a program is made: names that its author chose are alike,
/// and so are numbers, and texts. Comments, blanks and lines of the preprocessor are none.
struct CodeToken {
  std::string text;
  std::size_t line = 0;  ///< from 1
};

/// The names of `kept` stay as they are: those of the interface that all students use.
[[nodiscard]] std::vector<CodeToken> tokens_of(std::string_view source,
                                               const std::set<std::string>& kept);
/// The names that a source calls or declares as functions: what a student cannot choose. A name of
/// a variable or of a parameter is none, since a copier would change it first.
[[nodiscard]] std::set<std::string> functions_in(std::string_view source);

/// What a submission has in common with others: digests of runs of 20 tokens, chosen so that two
/// submissions share one wherever they have 35 tokens in a row in common (winnowing; Schleimer,
/// Wilkerson and Aiken, 2003). Each has the lines where such a run begins and ends.
struct Fingerprints {
  std::map<std::uint64_t, std::vector<std::pair<std::size_t, std::size_t>>> at;
};
[[nodiscard]] Fingerprints fingerprints_of(const std::vector<CodeToken>& tokens);

/// A submission, to be compared.
struct ComparedSource {
  std::string name;
  std::string text;
};

/// Two submissions that are alike.
struct SimilarPair {
  std::size_t one = 0;  ///< their places in the list
  std::size_t other = 0;
  double share = 0;        ///< of the fingerprints of the smaller one, that the other has
  std::size_t common = 0;  ///< fingerprints
  std::set<std::size_t> lines_of_one;
  std::set<std::size_t> lines_of_other;
};

/// The pairs that share at least so much, the most alike first. What stands in `given`, the starter
/// and the handout, does not count, nor what more than half of at least eight submissions have: it
/// is how the exercise is done.
[[nodiscard]] std::vector<SimilarPair> similar_pairs(const std::vector<ComparedSource>& sources,
                                                     const std::string& given, double share_min);

/// "one,other,share,common", a line a pair.
[[nodiscard]] std::string to_csv(const std::vector<ComparedSource>& sources,
                                 const std::vector<SimilarPair>& pairs);
/// One page: the list, then each pair side by side with what they share marked.
[[nodiscard]] std::string to_html(const std::vector<ComparedSource>& sources,
                                  const std::vector<SimilarPair>& pairs);

}  // namespace watchlab::course
