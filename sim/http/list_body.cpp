#include "sim/http/list_body.hpp"

#include <algorithm>
#include <utility>

#include "core/api/json.hpp"
#include "sim/apiserver/request.hpp"
#include "sim/http/kind_protobuf.hpp"

namespace watchlab::sim {
namespace {

constexpr std::size_t kLongList = std::size_t{1} << 20;
constexpr std::size_t kListPiece = std::size_t{128} << 10;
/// Of an object, beside its body.
constexpr std::size_t kOfObject = 256;

}  // namespace

bool is_long(const std::vector<api::ObjectPtr>& items) {
  std::size_t bytes = 0;
  return std::ranges::any_of(items, [&bytes](const api::ObjectPtr& item) {
    bytes += item->body.size() + item->metadata.other_members.size() + kOfObject;
    return bytes > kLongList;
  });
}

ListBody::ListBody(api::ObjectList list, BodyView view, runtime::TimePoint now, bool packs)
    : items_(std::exchange(list.items, {})),
      view_(std::move(view)),
      now_(now),
      gzip_(packs ? std::make_unique<Gzip>() : nullptr),
      api_version_(view_.form == BodyForm::Plain ? list.api_version : "meta.k8s.io/v1"),
      kind_(view_.form == BodyForm::Plain ? list.kind : "PartialObjectMetadataList"),
      empty_(view_.form == BodyForm::Plain
                 ? api::to_json(list)
                 : shown_body(Response{.answer = std::move(list)}, view_, now_)),
      is_protobuf_(view_.protobuf && has_protobuf(api_version_, kind_)),
      measures_(is_protobuf_) {
  if (is_protobuf_) {
    ending_ = protobuf_list_ending();
  } else {
    divide();  // a list without items ends with an empty array of them, in all forms
  }
}

ListBody::ListBody(std::string empty, std::vector<api::ObjectPtr> items, bool packs)
    : items_(std::move(items)),
      gzip_(packs ? std::make_unique<Gzip>() : nullptr),
      empty_(std::move(empty)) {
  divide();
}

void ListBody::divide() {
  const std::size_t inside = empty_.rfind(']');
  ending_ = empty_.substr(inside);
  text_ = empty_.substr(0, inside);
}

std::string ListBody::whole() {
  std::string text;
  while (!done_) {
    text += next();
  }
  return text;
}

std::string_view ListBody::type() const {
  return is_protobuf_ ? kProtobufType : std::string_view("application/json");
}

std::string ListBody::item(std::size_t index) const {
  std::string json = shown_item(*items_[index], view_, now_);
  if (is_protobuf_) {
    return protobuf_list_item(api_version_, kind_, json);
  }
  return index == 0 ? json : "," + json;
}

std::string ListBody::next() {
  std::string piece = std::exchange(text_, {});
  for (std::size_t made = piece.size(); next_ < items_.size() && made < kListPiece; ++next_) {
    const std::string text = item(next_);
    made += text.size();
    if (measures_) {
      bytes_ += text.size();
    } else {
      piece += text;
      items_[next_].reset();
    }
  }
  const bool is_through = next_ == items_.size();
  if (is_through && std::exchange(measures_, false)) {
    text_ = protobuf_list_beginning(empty_, bytes_);
    next_ = 0;
    return "";
  }
  done_ = is_through && !measures_;
  if (done_) {
    piece += ending_;
  }
  return gzip_ == nullptr ? piece : gzip_->add(piece, done_);
}

std::size_t ListBody::kept() const {
  return items_.size() * sizeof(api::ObjectPtr) + (gzip_ == nullptr ? 0 : Gzip::kKept);
}

}  // namespace watchlab::sim
