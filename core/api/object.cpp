#include "core/api/object.hpp"

#include <algorithm>
#include <array>

namespace watchlab::api {

/// Moves the texts of an object into the memory that follows it. The body, which may be long and is
/// rarely looked at, stays in a piece of its own: small pieces lie close together.
class Packing {
 public:
  explicit Packing(Object& object)
      : texts_{&object.kind,
               &object.metadata.name,
               &object.metadata.namespace_,
               &object.metadata.resource_version,
               &object.metadata.uid,
               &object.metadata.labels.texts_.all_,
               &object.metadata.annotations.texts_.all_,
               &object.metadata.finalizers.all_,
               &object.metadata.generate_name,
               &object.metadata.creation_timestamp,
               &object.metadata.deletion_timestamp,
               &object.metadata.other_members,
               &object.api_version} {}

  /// How many bytes all of them need.
  [[nodiscard]] std::size_t size() const {
    std::size_t size = 0;
    for (const Text* text : texts_) {
      size += room_for(*text);
    }
    return size;
  }
  /// Once only; what they say does not change.
  void move_to(char* place) {
    for (Text* text : texts_) {
      if (const std::size_t room = room_for(*text); room != 0) {
        TextInMemory::write(place, text->view());
        text->release();
        text->word_ = reinterpret_cast<std::uintptr_t>(place) | Text::kIsBorrowed;
        place += room;
      }
    }
  }

 private:
  static std::size_t room_for(const Text& text) {
    constexpr std::size_t kStep = 4;  // so that its address has room for the tag
    const std::size_t room = TextInMemory::room_for(text);
    return text.is_near() ? 0 : (room + kStep - 1) / kStep * kStep;
  }

  std::array<Text*, 13> texts_;
};

ObjectPtr share(Object object) {
  const std::size_t size = Packing(object).size();
  void* const memory = ::operator new(sizeof(Object) + size);
  auto* const shared = new (memory) Object(std::move(object));
  Packing(*shared).move_to(static_cast<char*>(memory) + sizeof(Object));
  return {shared, [](const Object* gone) {
            gone->~Object();
            ::operator delete(const_cast<Object*>(gone));
          }};
}

std::string key_of(const ObjectMeta& metadata) {
  // Name and namespace of a shared object lie right behind it, and neither place is in the cache
  // when many objects are asked for their keys: both are fetched at the same time.
  __builtin_prefetch(reinterpret_cast<const char*>(&metadata + 1) + 2 * sizeof(Text));
  return key_from(metadata.namespace_, metadata.name);
}

}  // namespace watchlab::api
