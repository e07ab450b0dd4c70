#include "exercises/toolkit/remote_peer.hpp"

#include <memory>
#include <utility>
#include <vector>

#include "exercises/toolkit/remote_code.hpp"
#include "exercises/toolkit/remote_host.hpp"
#include "exercises/toolkit/remote_values.hpp"
#include "exercises/toolkit/session.hpp"

namespace watchlab::course {
namespace {

/// How an object is written: not at all, whole and with a number, or by the number that the sender
/// or the receiver has given it.
enum Form : std::uint8_t { kNull, kNew, kOfSender, kOfReceiver, kForms };

}  // namespace

Peer& Peer::of_library() {
  if (Session::of_program().is_suite()) {
    return Host::of_suite();
  }
  return RemoteCode::of_program();
}

std::uint64_t Peer::publish(Dispatch dispatch) {
  published_.emplace(next_, std::move(dispatch));
  return next_++;
}

std::string Peer::dispatch(std::uint64_t object, std::uint32_t method, std::string_view arguments) {
  const auto found = published_.find(object);
  if (found == published_.end()) {
    if (method == kDestroy) {
      return "";  // of a run that is over
    }
    throw BrokenProtocol("there is no such object");
  }
  const Dispatch called = found->second;  // it may be withdrawn while it runs
  if (method == kDestroy && object >= kept_below_) {
    published_.erase(found);
  }
  ByteReader reader(arguments);
  return called(method, reader);
}

void Peer::write(ByteWriter& writer, const api::ObjectPtr& object) {
  if (object == nullptr) {
    return writer.number(kNull);
  }
  if (const auto own = sent_numbers_.find(object.get()); own != sent_numbers_.end()) {
    writer.number(kOfSender);
    return writer.number(own->second);
  }
  if (const auto theirs = received_numbers_.find(object.get()); theirs != received_numbers_.end()) {
    writer.number(kOfReceiver);
    return writer.number(theirs->second);
  }
  writer.number(kNew);
  writer.number(next_object_);
  Published published(*this);
  Coded<api::Object>::write({*this, writer, published}, *object);
  sent_.emplace(next_object_, object);
  sent_numbers_.emplace(object.get(), next_object_++);
}

api::ObjectPtr Peer::read(ByteReader& reader) {
  const std::uint64_t form = reader.number_below(kForms);
  if (form == kNull) {
    return nullptr;
  }
  const std::uint64_t number = reader.number();
  if (form == kNew) {
    Published published(*this);
    const auto [place, is_new] = received_.emplace(
        number,
        std::make_shared<const api::Object>(Coded<api::Object>::read({*this, reader, published})));
    if (!is_new) {
      throw BrokenProtocol("an object's number is used twice");
    }
    received_numbers_.emplace(place->second.get(), number);
    return place->second;
  }
  const auto& known = form == kOfSender ? received_ : sent_;
  const auto found = known.find(number);
  if (found == known.end()) {
    throw BrokenProtocol("there is no object of that number");
  }
  return found->second;
}

void Peer::forget_all(Left left) {
  auto gone = std::make_unique<std::vector<Dispatch>>();
  std::erase_if(published_, [&](auto& entry) {
    const bool is_of_the_run = entry.first >= kept_below_;
    if (is_of_the_run && left == Left::Stays) {
      gone->push_back(std::move(entry.second));
    }
    return is_of_the_run;
  });
  if (!gone->empty()) {
    static_cast<void>(gone.release());
  }
  received_.clear();
  received_numbers_.clear();
  sent_.clear();
  sent_numbers_.clear();
}

}  // namespace watchlab::course
