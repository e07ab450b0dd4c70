#include "scenarios/campaign/sealed.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/json.hpp>
#include <stdexcept>

#include "scenarios/language/input_file.hpp"

namespace watchlab::scenarios {
namespace {

constexpr std::string_view kMember = ",\"checksum\":\"";
constexpr std::size_t kDigits = 16;
constexpr std::string_view kEnd = "\"}";
constexpr std::size_t kSealSize = kMember.size() + kDigits + kEnd.size();

std::string seal_of(std::string_view body) {
  return fmt::format("{}{:016x}{}", kMember, checksum_of(body), kEnd);
}

}  // namespace

std::uint64_t checksum_of(std::string_view text) {
  std::uint64_t checksum = 14695981039346656037U;
  for (const char character : text) {
    checksum = (checksum ^ static_cast<unsigned char>(character)) * 1099511628211U;
  }
  return checksum;
}

std::string sealed(std::string_view object) {
  const std::string_view body = object.substr(0, object.size() - 1);
  return std::string(body) + seal_of(body);
}

std::string unsealed(std::string_view line) {
  const std::size_t size = line.size() < kSealSize ? 0 : line.size() - kSealSize;
  const std::string_view body = line.substr(0, size);
  if (line.substr(size) == seal_of(body)) {
    return std::string(body) + "}";
  }
  if (line.find("\"checksum\"") == std::string_view::npos && line.ends_with('}')) {
    throw std::invalid_argument(
        "the line has no checksum; expected one as this version of watchlab writes it");
  }
  throw std::invalid_argument("the line is damaged: its checksum does not fit");
}

std::string difference(const Settings& before, const Settings& now) {
  const auto value_in = [](const Settings& settings, const std::string& name) {
    const auto found = std::find_if(settings.begin(), settings.end(),
                                    [&name](const auto& each) { return each.first == name; });
    return found == settings.end() ? std::string("unset") : found->second;
  };
  for (const Settings* settings : {&now, &before}) {
    for (const auto& [name, value] : *settings) {
      const std::string was = value_in(before, name);
      const std::string is = value_in(now, name);
      if (was != is) {
        return fmt::format("{} was {} and is {}", name, was, is);
      }
    }
  }
  return "";
}

namespace {

constexpr std::string_view kFormat = "watchlab progress 1";

std::invalid_argument refusal(const std::string& path, const std::string& why) {
  return std::invalid_argument(fmt::format("{}: {}", path, why));
}

/// The text between the seal and the end of the file.
boost::json::object unsealed_object(const std::string& path) {
  const std::string text = read_input(path);
  if (!text.ends_with('\n')) {
    throw refusal(path, text.starts_with('{') ? "the file is damaged: its end is missing"
                                              : "this is no file that says where to continue");
  }
  try {
    boost::json::parse_options options;
    options.allow_invalid_utf8 = true;  // a failure's message may quote anything
    return boost::json::parse(unsealed(std::string_view(text).substr(0, text.size() - 1)), {},
                              options)
        .as_object();
  } catch (const std::exception&) {
    throw refusal(path,
                  text.starts_with("watchlab-search")
                      ? "it was written by an older version of watchlab; start anew"
                      : "the file is damaged: what it says and its checksum do not fit together");
  }
}

}  // namespace

std::string progress_text(const Progress& progress) {
  boost::json::object settings;
  for (const auto& [name, value] : progress.settings) {
    settings[name] = value;
  }
  return sealed(boost::json::serialize(boost::json::object{{"format", kFormat},
                                                           {"command", progress.command},
                                                           {"options", std::move(settings)},
                                                           {"body", progress.body}})) +
         "\n";
}

std::string read_progress(const std::string& path, const std::string& command,
                          const Settings& settings) {
  boost::json::object object = unsealed_object(path);
  Settings before;
  try {
    if (object.at("format").as_string() != kFormat || object.at("command").as_string() != command) {
      throw refusal(path, fmt::format("this is not where {} has stopped", command));
    }
    for (const auto& [name, value] : object.at("options").as_object()) {
      before.emplace_back(name, value.as_string());
    }
  } catch (const std::invalid_argument&) {
    throw;
  } catch (const std::exception&) {
    throw refusal(path, fmt::format("this is not where {} has stopped", command));
  }
  const std::string other = difference(before, settings);
  if (!other.empty()) {
    throw refusal(path, fmt::format("it belongs to other options: {}", other));
  }
  return boost::json::value_to<std::string>(object.at("body"));
}

}  // namespace watchlab::scenarios
