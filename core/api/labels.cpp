#include "core/api/labels.hpp"

#include <algorithm>
#include <ostream>

#include "core/runtime/ensure.hpp"

namespace watchlab::api {

TextView Texts::const_iterator::operator*() const { return TextInMemory::read(at_); }

Texts::const_iterator& Texts::const_iterator::operator++() {
  const std::string_view text = **this;
  at_ = text.data() + text.size();
  return *this;
}

void Texts::append(std::string& all, std::string_view text) {
  const std::size_t before = all.size();
  all.resize(before + TextInMemory::room_for(text));
  TextInMemory::write(all.data() + before, text);
}

Texts::Texts(std::initializer_list<std::string_view> texts) {
  std::string all;
  for (const std::string_view text : texts) {
    append(all, text);
  }
  all_ = all;
}

Texts::Texts(const std::vector<std::string>& texts) {
  std::string all;
  for (const std::string& text : texts) {
    append(all, text);
  }
  all_ = all;
}

std::size_t Texts::size() const { return static_cast<std::size_t>(std::distance(begin(), end())); }

bool Texts::contains(std::string_view text) const {
  return std::ranges::find(*this, text) != end();
}

TextView Texts::at(std::size_t place) const {
  const_iterator at = begin();
  for (; place > 0 && at != end(); --place) {
    ++at;
  }
  runtime::ensure(at != end(), "a text that is asked for is there");
  return *at;
}

void Texts::push_back(std::string_view text) {
  std::string all(all_.view());
  append(all, text);
  all_ = all;
}

void Texts::remove(std::string_view text) {
  std::string all;
  for (const std::string_view each : *this) {
    if (each != text) {
      append(all, each);
    }
  }
  all_ = all;
}

Labels::Place::operator TextView() const {
  const auto found = labels_->find(key_);
  return found != labels_->end() ? found->second : TextView();
}

std::ostream& operator<<(std::ostream& out, const Labels::Place& place) {
  return out << place.view();
}

Labels::Labels(std::vector<Entry> entries) {
  std::ranges::stable_sort(entries, {}, &Entry::first);
  std::string all;
  const Entry* before = nullptr;
  for (const Entry& entry : entries) {
    if (before == nullptr || before->first != entry.first) {
      Texts::append(all, entry.first);
      Texts::append(all, entry.second);
    }
    before = &entry;
  }
  texts_.all_ = all;
}

Labels::const_iterator Labels::find(std::string_view key) const {
  return std::ranges::find_if(*this, [key](const value_type& entry) { return entry.first == key; });
}

TextView Labels::at(std::string_view key) const {
  const auto found = find(key);
  runtime::ensure(found != end(), "a label that is asked for is there");
  return found->second;
}

void Labels::set(std::string_view key, std::string_view text) {
  const_iterator place = begin();
  while (place != end() && (*place).first < key) {
    ++place;
  }
  const_iterator behind = place;
  behind = place != end() && (*place).first == key ? ++behind : place;
  std::string all(texts_.all_.begin(), place.at_.at_);
  Texts::append(all, key);
  Texts::append(all, text);
  texts_.all_ = all.append(behind.at_.at_, texts_.all_.end());
}

bool Labels::erase(std::string_view key) {
  std::vector<Entry> entries(begin(), end());
  const auto count =
      std::erase_if(entries, [key](const auto& entry) { return entry.first == key; });
  if (count != 0) {
    *this = Labels(std::move(entries));
  }
  return count != 0;
}

}  // namespace watchlab::api
