#include "exercises/toolkit/remote_peer.hpp"

namespace watchlab::course {
namespace {

/// How an object is written.
enum Form : std::uint8_t { kNull, kWhole, kDefined, kKnown, kForms };

}  // namespace

std::uint64_t Peer::publish(Dispatch dispatch) {
  published_.emplace(next_, std::move(dispatch));
  return next_++;
}

std::string Peer::dispatch(std::uint64_t object, std::uint32_t method, std::string_view arguments) {
  const auto found = published_.find(object);
  if (found == published_.end()) {
    throw BrokenProtocol("there is no such object");
  }
  const Dispatch called = found->second;  // it may be withdrawn while it runs
  ByteReader reader(arguments);
  return called(method, reader);
}

void Peer::write(ByteWriter& writer, const api::ObjectPtr& object) {
  if (object == nullptr) {
    return writer.number(kNull);
  }
  const auto found = numbers_.find(object.get());
  if (found != numbers_.end()) {
    writer.number(kKnown);
    return writer.number(found->second);
  }
  writer.number(defines_ ? kDefined : kWhole);
  write_object(writer, *object);
  if (defines_) {
    numbers_.emplace(object.get(), objects_.size());
    objects_.push_back(object);
  }
}

api::ObjectPtr Peer::read(ByteReader& reader) {
  switch (reader.number_below(kForms)) {
    case kNull:
      return nullptr;
    case kKnown:
      return objects_.at(reader.number_below(objects_.size()));
    case kWhole:
      return read_object(reader);
    default:
      break;
  }
  if (defines_) {
    throw BrokenProtocol("only one side gives objects their numbers");
  }
  objects_.push_back(read_object(reader));
  numbers_.emplace(objects_.back().get(), objects_.size() - 1);
  return objects_.back();
}

void Peer::forget_all() {
  std::erase_if(published_, [](const auto& entry) { return entry.first != 0; });
  numbers_.clear();
  objects_.clear();
}

}  // namespace watchlab::course
