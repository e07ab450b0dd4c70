#include "scenarios/serve/yaml_body.hpp"

#include <fmt/format.h>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/mark.h>
#include <yaml-cpp/parser.h>

#include <algorithm>
#include <array>
#include <boost/json.hpp>
#include <charconv>
#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <sstream>
#include <utility>
#include <vector>

#include "core/client/tls_channel.hpp"
#include "sim/apiserver/managed_fields.hpp"
#include "sim/apiserver/status_bodies.hpp"
#include "sim/http/request_checks.hpp"

namespace watchlab::scenarios {
namespace {

namespace json = boost::json;

constexpr std::string_view kStandardTags = "tag:yaml.org,2002:";

/// What is wrong, and where, when that is known.
struct RefusedYaml {
  std::string what;
  int line = 0;
};

/// One of the words for a value; nothing for another text.
std::optional<json::value> value_of_word(std::string_view text) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  static const std::map<std::string_view, json::value> kWords = [] {
    std::map<std::string_view, json::value> words;
    const auto add = [&](std::initializer_list<std::string_view> texts, const json::value& value) {
      for (const std::string_view each : texts) {
        words.emplace(each, value);
      }
    };
    add({"y", "Y", "yes", "Yes", "YES", "true", "True", "TRUE", "on", "On", "ON"}, true);
    add({"n", "N", "no", "No", "NO", "false", "False", "FALSE", "off", "Off", "OFF"}, false);
    add({"", "~", "null", "Null", "NULL"}, nullptr);
    add({".nan", ".NaN", ".NAN"}, std::numeric_limits<double>::quiet_NaN());
    add({".inf", ".Inf", ".INF", "+.inf", "+.Inf", "+.INF"}, kInfinity);
    add({"-.inf", "-.Inf", "-.INF"}, -kInfinity);
    return words;
  }();
  const auto found = kWords.find(text);
  return found == kWords.end() ? std::nullopt : std::optional(found->second);
}

template <typename Number>
std::optional<Number> whole(std::string_view digits, int base) {
  Number number{};
  const char* const last = digits.data() + digits.size();
  const auto [end, failure] = std::from_chars(digits.data(), last, number, base);
  return failure == std::errc() && end == last ? std::optional(number) : std::nullopt;
}

/// A whole number with a sign, in the base that its first digits say. Mirrors strconv.ParseInt and
/// ParseUint with base 0.
std::optional<json::value> whole_number(std::string_view text) {
  const bool is_signed = text.starts_with('-') || text.starts_with('+');
  const std::string_view digits = text.substr(is_signed ? 1 : 0);
  constexpr std::array<std::pair<char, int>, 3> kBases{{{'x', 16}, {'o', 8}, {'b', 2}}};
  int base = digits.size() > 1 && digits[0] == '0' ? 8 : 10;
  std::size_t begin = 0;
  for (const auto& [letter, of_letter] : kBases) {
    if (base == 8 && (digits[1] | 0x20) == letter) {
      base = of_letter;
      begin = 2;
    }
  }
  if (digits.substr(begin).starts_with('-')) {
    return std::nullopt;
  }
  const std::string magnitude =
      (text.starts_with('-') ? "-" : "") + std::string(digits.substr(begin));
  if (const auto number = whole<std::int64_t>(magnitude, base)) {
    return *number;
  }
  const auto large = is_signed ? std::nullopt : whole<std::uint64_t>(magnitude, base);
  return large ? std::optional<json::value>(*large) : std::nullopt;
}

/// A number as JSON has it, but that nothing need stand before or behind its point; nothing for one
/// that no double holds.
std::optional<double> fraction(std::string_view text) {
  text.remove_prefix(text.starts_with('+') && !text.starts_with("+-") ? 1 : 0);
  const bool has_digit =
      text.substr(text.starts_with('-') ? 1 : 0).find_first_of("0123456789") <= 1;
  double number = 0;
  const char* const last = text.data() + text.size();
  const auto [end, failure] = std::from_chars(text.data(), last, number);
  const bool is_small = failure == std::errc::result_out_of_range && text.find("e-") < text.size();
  return has_digit && (failure == std::errc() || is_small) && end == last && std::isfinite(number)
             ? std::optional(number)
             : std::nullopt;
}

/// Where Go writes no exponent, a whole number of JSON.
json::value value_of_fraction(double number) {
  constexpr double kWholeEnd = 0x1p63;
  const bool is_whole = std::trunc(number) == number && std::abs(number) < kWholeEnd &&
                        (number != 0 || !std::signbit(number));
  return is_whole ? json::value(static_cast<std::int64_t>(number)) : json::value(number);
}

/// What stands for a text without quotes. Mirrors yaml.v2, resolve.
json::value resolved(std::string_view text) {
  if (std::optional<json::value> word = value_of_word(text)) {
    return *std::move(word);
  }
  const char first = text.front();
  if (first == '.') {
    const std::optional<double> number = fraction(text);
    return number ? json::value(*number) : json::value(text);
  }
  if ((first < '0' || first > '9') && first != '+' && first != '-') {
    return json::value(text);
  }
  std::string plain(text);
  std::erase(plain, '_');
  if (std::optional<json::value> number = whole_number(plain)) {
    return *std::move(number);
  }
  const std::optional<double> number = fraction(plain);
  return number ? json::value(*number) : json::value(text);
}

/// A value as the tag says it is; throws for one that it is not.
json::value tagged(std::string_view tag, const std::string& text) {
  if (!tag.starts_with(kStandardTags)) {
    return json::value(text);
  }
  tag.remove_prefix(kStandardTags.size());
  if (tag == "binary") {
    const std::optional<std::string> bytes = client::from_base64(text);
    if (!bytes) {
      throw RefusedYaml{"!!binary value contains invalid base64 data"};
    }
    return json::value(*bytes);
  }
  json::value value = resolved(text);
  const bool is_number = value.is_int64() || value.is_uint64();
  const bool fits = tag == "int"     ? is_number
                    : tag == "float" ? value.is_number()
                    : tag == "bool"  ? value.is_bool()
                    : tag == "null"  ? value.is_null()
                                     : tag != "timestamp" || text.find('-') == 4;
  if (!fits) {
    throw RefusedYaml{fmt::format("cannot decode !!str `{}` as a !!{}", text, tag)};
  }
  const bool is_resolved = tag == "int" || tag == "float" || tag == "bool" || tag == "null";
  return is_resolved ? value : json::value(text);
}

/// Mirrors strconv.FormatFloat with 'g', -1 and 32.
std::string key_of_fraction(double number) {
  constexpr int kLeast = -4;  // exponents that need not be written
  constexpr int kEnd = 6;
  const auto rounded = static_cast<float>(number);
  if (!std::isfinite(rounded)) {
    return std::isnan(rounded) ? ".nan" : rounded > 0 ? ".inf" : "-.inf";
  }
  std::array<char, 64> text{};
  const auto written = [&](std::chars_format format) {
    const auto done = std::to_chars(text.begin(), text.end(), rounded, format);
    return std::string(text.begin(), done.ptr);
  };
  const std::string with_exponent = written(std::chars_format::scientific);
  const int exponent = std::stoi(with_exponent.substr(with_exponent.find('e') + 1));
  return exponent < kLeast || exponent >= kEnd ? with_exponent : written(std::chars_format::fixed);
}

/// The name of a member that a value is the key of.
std::string key_of(const json::value& value) {
  if (value.is_string()) {
    return std::string(value.get_string());
  }
  if (value.is_int64()) {
    return std::to_string(value.get_int64());
  }
  if (value.is_double()) {
    return key_of_fraction(value.get_double());
  }
  if (value.is_bool()) {
    return value.get_bool() ? "true" : "false";
  }
  throw RefusedYaml{value.is_structured() ? "invalid map key" : "unsupported map key"};
}

/// Makes values of what the parser reads. What an alias stands for is copied.
class JsonBuilder : public YAML::EventHandler {
 public:
  [[nodiscard]] json::value take() { return std::move(root_); }
  /// Where it is in the text.
  [[nodiscard]] int line() const { return line_; }
  /// The errors for duplicate keys.
  [[nodiscard]] std::vector<std::string> take_repeated() { return std::move(repeated_); }

  void OnDocumentStart(const YAML::Mark& mark) override { line_ = mark.line + 1; }
  void OnDocumentEnd() override {}

  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    count(mark, 0);
    put(nullptr, anchor, cost_);
  }
  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                const std::string& value) override {
    const std::size_t before = cost_;
    count(mark, value.size());
    const bool is_plain = tag.empty() || tag == "?";
    is_merge_ = value == "<<" && (is_plain || tag == std::string(kStandardTags) + "merge");
    put(is_plain     ? is_merge_ && wants_key() ? json::value(value) : resolved(value)
            : tag == "!" ? json::value(value)
                     : tagged(tag, value),
        anchor, before);
  }
  void OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    count(mark, 0);
    const auto found = anchored_.find(anchor);
    if (found == anchored_.end()) {
      throw RefusedYaml{"an anchor's value contains itself"};
    }
    charge(found->second.cost);
    cost_ += found->second.cost;
    is_merge_ = false;
    put(found->second.value, YAML::NullAnchor, 0, true);
  }
  void OnSequenceStart(const YAML::Mark& mark, const std::string& /*tag*/, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value /*style*/) override {
    open(mark, anchor, json::array());
  }
  void OnSequenceEnd() override { close(); }
  void OnMapStart(const YAML::Mark& mark, const std::string& /*tag*/, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value /*style*/) override {
    open(mark, anchor, json::object());
  }
  void OnMapEnd() override { close(); }

 private:
  struct Open {
    json::value value;
    YAML::anchor_t anchor;
    std::size_t cost;  ///< of all that came before it
    int line;
    std::optional<std::string> key;
    std::string shown_key{};  ///< as Go writes it
    bool merges = false;      ///< the key is `<<`
    bool has_merged = false;  ///< it had a `<<`, whose keys may be repeated
  };
  struct Anchored {
    json::value value;
    std::size_t cost;
  };

  /// What each value costs beside its text, and what all may that are copied for aliases.
  static constexpr std::size_t kValueCost = 8;
  static constexpr std::size_t kCopiedMax = std::size_t{3} << 20;
  /// How many may be written: they take much longer than as many in JSON.
  static constexpr std::size_t kValuesMax = 500'000;

  [[nodiscard]] bool wants_key() const {
    return !open_.empty() && open_.back().value.is_object() && !open_.back().key;
  }

  void count(const YAML::Mark& mark, std::size_t size) {
    line_ = value_line_ = mark.line + 1;
    cost_ += kValueCost + size;
    if (++values_ > kValuesMax) {
      throw RefusedYaml{fmt::format("document contains more than {} values", kValuesMax)};
    }
  }

  void charge(std::size_t cost) {
    copied_ += cost;
    if (copied_ > kCopiedMax) {
      throw RefusedYaml{"document contains excessive aliasing"};
    }
  }

  void open(const YAML::Mark& mark, YAML::anchor_t anchor, json::value value) {
    const std::size_t before = cost_;
    count(mark, 0);
    if (open_.size() >= sim::kJsonDepthMax) {
      throw RefusedYaml{fmt::format("exceeded max depth of {}", sim::kJsonDepthMax)};
    }
    open_.push_back({std::move(value), anchor, before, line_, {}});
  }

  void close() {
    Open done = std::move(open_.back());
    open_.pop_back();
    is_merge_ = false;
    value_line_ = done.line;
    put(std::move(done.value), done.anchor, done.cost);
  }

  /// `before` is what all cost before it.
  void put(json::value value, YAML::anchor_t anchor, std::size_t before, bool is_alias = false) {
    if (const double* const number = wants_key() ? nullptr : value.if_double()) {
      if (!std::isfinite(*number)) {
        throw RefusedYaml{"unsupported value: no number of JSON is infinite, or none"};
      }
      value = value_of_fraction(*number);
    }
    if (anchor != YAML::NullAnchor) {
      charge(cost_ - before);
      anchored_.insert_or_assign(anchor, Anchored{value, cost_ - before});
    }
    if (open_.empty()) {
      root_ = std::move(value);
    } else if (Open& in = open_.back(); in.value.is_array()) {
      in.value.get_array().push_back(std::move(value));
    } else if (!in.key) {
      in.key = key_of(value);
      in.shown_key = value.is_string() ? json::serialize(value) : *in.key;
      in.merges = is_merge_;
      in.has_merged = in.has_merged || is_merge_;
    } else {
      json::object& members = in.value.get_object();
      const std::string key = *std::exchange(in.key, std::nullopt);
      if (in.merges) {
        merge(members, value, is_alias);
      } else if (!members.insert_or_assign(key, std::move(value)).second && !in.has_merged) {
        note_repeated(in.shown_key);
      }
    }
  }

  /// Mirrors yaml.v2, decoder.setMapIndex, except that it names only the first of many.
  void note_repeated(const std::string& key) {
    constexpr std::size_t kNamedMax = 1000;
    if (repeated_.size() < kNamedMax) {
      repeated_.push_back(fmt::format("line {}: key {} already set in map", value_line_, key));
    }
  }

  /// Also over members that are there. Mirrors yaml.v2, decoder.merge.
  static void merge(json::object& into, const json::value& from, bool is_alias) {
    if (const json::array* const list = from.if_array(); list != nullptr && !is_alias) {
      std::for_each(list->rbegin(), list->rend(),
                    [&](const json::value& each) { merge(into, each, true); });
      return;
    }
    if (!from.is_object()) {
      throw RefusedYaml{"map merge requires map or sequence of maps as the value"};
    }
    for (const auto& [name, value] : from.get_object()) {
      into.insert_or_assign(name, value);
    }
  }

  json::value root_;
  std::vector<Open> open_;
  std::map<YAML::anchor_t, Anchored> anchored_;
  std::size_t cost_ = 0;
  std::size_t copied_ = 0;
  std::size_t values_ = 0;
  bool is_merge_ = false;  // the value that is put
  int line_ = 0;
  int value_line_ = 0;  // where the current value begins
  std::vector<std::string> repeated_;
};

/// A character that no text in YAML has; the text is UTF-8.
bool has_control(std::string_view text) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    const auto next = static_cast<unsigned char>(i + 1 < text.size() ? text[i + 1] : 0);
    const bool is_early = byte < 0x20U && byte != '\t' && byte != '\n' && byte != '\r';
    const bool is_late = byte == 0x7FU || (byte == 0xC2U && next < 0xA0U && next != 0x85U);
    const bool is_none =
        text.substr(i).starts_with("\uFFFE") || text.substr(i).starts_with("\uFFFF");
    if (is_early || is_late || is_none) {
      return true;
    }
  }
  return false;
}

json::value value_of(std::string_view text, std::vector<std::string>& repeated) {
  if (!sim::is_utf8(text)) {
    throw RefusedYaml{"invalid UTF-8"};
  }
  if (has_control(text)) {
    throw RefusedYaml{"control characters are not allowed"};
  }
  if (text.starts_with("%YAML") && !text.starts_with("%YAML 1.1")) {
    throw RefusedYaml{"found incompatible YAML document"};
  }
  std::string lines(text);
  for (std::size_t at = lines.find('\r'); at < lines.size(); at = lines.find('\r', at + 1)) {
    lines[at] = lines.compare(at, 2, "\r\n") == 0 ? '\r' : '\n';
  }
  JsonBuilder builder;
  try {
    std::istringstream in(lines);
    YAML::Parser parser(in);
    (void)parser.HandleNextDocument(builder);
  } catch (const RefusedYaml& refused) {
    throw RefusedYaml{refused.what, builder.line()};
  }
  repeated = builder.take_repeated();
  return builder.take();
}

}  // namespace

api::Result<sim::ReadBody> json_from_yaml(std::string_view text) {
  RefusedYaml wrong;
  try {
    sim::ReadBody read;
    const json::value value = value_of(text, read.repeated_keys);
    if (value.is_object()) {
      read.json = json::serialize(value);
      return read;
    }
    wrong.what = "expected a mapping";
  } catch (const RefusedYaml& refused) {
    wrong = refused;
  } catch (const YAML::Exception& failure) {
    wrong = {failure.msg, failure.mark.line + 1};
  }
  return api::error_from(sim::status_bodies::bad_request(
      wrong.line > 0 ? fmt::format("yaml: line {}: {}", wrong.line, wrong.what)
                     : "yaml: " + wrong.what));
}

}  // namespace watchlab::scenarios
