#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/api/object.hpp"
#include "core/api/options.hpp"
#include "core/runtime/time.hpp"
#include "sim/http/media_types.hpp"
#include "sim/http/table_view.hpp"

namespace watchlab::sim {

/// Whether a list of these is so long that it is made in pieces.
[[nodiscard]] bool is_long(const std::vector<api::ObjectPtr>& items);

/// The text of a list, made in pieces as its client takes them: others are served between two of
/// them, and of a list that nobody reads there is no text to keep. The pieces together are what
/// `to_json`, `shown_body` or `protobuf_from_json` makes of the list in one go. Protobuf says first
/// how long it is, so all of that is made twice.
class ListBody {
 public:
  /// Packs the text by gzip if it `packs`.
  ListBody(api::ObjectList list, BodyView view, runtime::TimePoint now, bool packs);
  /// Any JSON whose last array gets the items, and is empty as it is given.
  ListBody(std::string empty, std::vector<api::ObjectPtr> items, bool packs);

  /// The media type of the text: a list whose kind has no protobuf is JSON.
  [[nodiscard]] std::string_view type() const;
  /// The next piece, which is empty now and then.
  [[nodiscard]] std::string next();
  /// All the rest.
  [[nodiscard]] std::string whole();
  /// Whether there are no more.
  [[nodiscard]] bool done() const { return done_; }
  /// What it keeps, in bytes. Its objects are those of the store.
  [[nodiscard]] std::size_t kept() const;

 private:
  void divide();
  [[nodiscard]] std::string item(std::size_t index) const;

  std::vector<api::ObjectPtr> items_;  // those that are not written yet
  BodyView view_;
  runtime::TimePoint now_;
  std::unique_ptr<Gzip> gzip_;  // null for plain text
  std::string api_version_;     // of the list, as it is shown
  std::string kind_;
  std::string empty_;  // the JSON of the list without items
  std::string ending_;
  std::string text_;  // that comes before the next item
  std::size_t next_ = 0;
  bool is_protobuf_ = false;
  bool measures_ = false;  // that comes first
  std::size_t bytes_ = 0;  // of the items that were measured
  bool done_ = false;
};

}  // namespace watchlab::sim
