#include "exercises/toolkit/protocol.hpp"

#include <fmt/format.h>

#include <bit>
#include <boost/algorithm/string/replace.hpp>
#include <boost/uuid/name_generator_sha1.hpp>
#include <charconv>
#include <ranges>
#include <utility>

namespace watchlab::course {
namespace {

/// Tabs part the fields and line ends the lines, so neither may stand in a field.
std::string escaped(std::string_view text) {
  std::string out(text);
  boost::replace_all(out, "\\", "\\\\");
  boost::replace_all(out, "\n", "\\n");
  boost::replace_all(out, "\t", "\\t");
  return out;
}

std::string unescaped(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '\\' || i + 1 == text.size()) {
      out += text[i];
      continue;
    }
    ++i;
    out += text[i] == 'n' ? '\n' : text[i] == 't' ? '\t' : text[i];
  }
  return out;
}

std::vector<std::string_view> split(std::string_view text, char mark) {
  std::vector<std::string_view> parts;
  for (const auto part : std::views::split(text, mark)) {
    parts.emplace_back(part.begin(), part.end());
  }
  return parts;
}

template <typename Number>
Number number_from(std::string_view text, Number otherwise) {
  Number number{};
  const auto read = std::from_chars(text.data(), text.data() + text.size(), number);
  return read.ec == std::errc() && read.ptr == text.data() + text.size() ? number : otherwise;
}

void set(RunSettings& settings, std::string_view key, const std::string& value) {
  if (key == "nonce") {
    settings.nonce = value;
  } else if (key == "seed") {
    settings.seed = number_from(value, settings.seed);
  } else if (key == "schedules") {
    settings.schedules = number_from(value, settings.schedules);
  } else if (key == "shuffled") {
    settings.shuffled = value == "yes";
  } else if (key == "tells") {
    settings.narrates = value == "yes";
  } else if (key == "judges") {
    settings.judges = value == "yes";
  } else if (key == "schedule") {
    settings.schedule = value;
  } else if (key == "case") {
    settings.cases.push_back(value);
  } else if (key == "left_out") {
    settings.left_out.push_back(value);
  }
}

}  // namespace

std::string to_string(const RunSettings& settings) {
  std::string text = fmt::format(
      "nonce\t{}\nseed\t{}\nschedules\t{}\nshuffled\t{}\ntells\t{}\njudges\t{}\n"
      "schedule\t{}\n",
      settings.nonce, settings.seed, settings.schedules, settings.shuffled ? "yes" : "no",
      settings.narrates ? "yes" : "no", settings.judges ? "yes" : "no", escaped(settings.schedule));
  for (const std::string& name : settings.cases) {
    text += "case\t" + escaped(name) + "\n";
  }
  for (const std::string& name : settings.left_out) {
    text += "left_out\t" + escaped(name) + "\n";
  }
  return text;
}

RunSettings parse_settings(std::string_view text) {
  RunSettings settings;
  for (const std::string_view line : split(text, '\n')) {
    const std::size_t tab = line.find('\t');
    if (tab != std::string_view::npos) {
      set(settings, line.substr(0, tab), unescaped(line.substr(tab + 1)));
    }
  }
  return settings;
}

std::string line_of(const Message& message, std::string_view nonce, std::size_t number) {
  // Twice as long at most, when it is escaped.
  constexpr std::size_t text_bytes_max = kReportBytesMax / 2 - 1024;
  return fmt::format("{}\t{}\t{}\t{}\t{}\n", nonce, number, escaped(message.kind),
                     escaped(std::string_view(message.subject).substr(0, kSubjectBytesMax)),
                     escaped(std::string_view(message.text).substr(0, text_bytes_max)));
}

std::optional<Message> MessageReader::genuine(std::string_view line) {
  const std::vector<std::string_view> fields = split(line, '\t');
  if (fields.size() != 5 || fields[0] != nonce_ ||
      number_from<std::size_t>(fields[1], expected_ + 1) != expected_) {
    return std::nullopt;
  }
  ++expected_;
  return Message{unescaped(fields[2]), unescaped(fields[3]), unescaped(fields[4])};
}

/// Each byte is looked at once, however the bytes come, and no more than a line is kept.
std::vector<Message> MessageReader::take(std::string_view bytes) {
  std::vector<Message> messages;
  for (std::size_t end = bytes.find('\n'); end != std::string_view::npos; end = bytes.find('\n')) {
    keep(bytes.substr(0, end));
    bytes.remove_prefix(end + 1);
    auto message = is_too_long_ ? std::nullopt : genuine(rest_);
    if (message) {
      messages.push_back(*std::move(message));
    } else {
      saw_forgery_ = true;
    }
    rest_.clear();
    is_too_long_ = false;
  }
  keep(bytes);
  return messages;
}

void MessageReader::keep(std::string_view part) {
  is_too_long_ = is_too_long_ || rest_.size() + part.size() > kReportBytesMax;
  if (is_too_long_) {
    rest_.clear();
  } else {
    rest_ += part;
  }
}

std::uint64_t one_way_digest_of(std::string_view text) {
  const boost::uuids::name_generator_sha1 sha1(boost::uuids::ns::oid());
  std::uint64_t digest = 0;
  for (const std::uint8_t byte : sha1(text.data(), text.size())) {
    digest = std::rotl(digest, 8) ^ byte;
  }
  return digest;
}

}  // namespace watchlab::course
