#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// What the grader and a test program send each other. The program inherits two connections: from
/// one it reads its settings before any code of the student runs, on the other it reports. Each
/// report carries a secret of the settings and a number, so that what a student's code writes there
/// is noticed and counts for nothing.
namespace watchlab::course {

inline constexpr int kReportDescriptor = 3;
inline constexpr int kSettingsDescriptor = 4;
/// Settings are one message, and no longer than this.
inline constexpr std::size_t kSettingsBytesMax = 128 * 1024;
/// No report is longer; what is, is no report.
inline constexpr std::size_t kReportBytesMax = 256 * 1024;
/// Of its subject, which may be the name of a test.
inline constexpr std::size_t kSubjectBytesMax = 200;
/// A suite with more tests is not run.
inline constexpr std::size_t kTestsMax = 500;
/// Set when the two descriptors are there; a program that is started by hand does not have it.
inline constexpr const char* kSettingsVariable = "WATCHLAB_COURSE";
/// Its value in a program that reads its settings when the toolkit is loaded.
inline constexpr const char* kSettingsAtOnce = "at once";
/// And in one that first loads the library under test.
inline constexpr const char* kSettingsLater = "later";
/// A schedule to play instead of exploring, for a program that is started by hand.
inline constexpr const char* kScheduleVariable = "WATCHLAB_SCHEDULE";

/// Of failures that are neither the library's nor a question of what is promised. The test has used
/// the cluster in a way that cannot be, or has left a task running.
inline constexpr std::string_view kUsedWrongly = "the test used the cluster wrongly: ";
inline constexpr std::string_view kLeftRunning = " still runs at the end: ";

/// The source that a variant is built from, whatever its own name is: a library knows its sources.
inline constexpr std::string_view kVariantSource = "variant.cpp";

/// How a test program is to run.
struct RunSettings {
  std::string nonce;            ///< the secret; "" for a program that is started by hand
  std::uint64_t seed = 1;       ///< of schedules, of the order of cases, of stolen random numbers
  std::size_t schedules = 100;  ///< random ones, for each call of `in_every_world`
  bool shuffled = false;        ///< whether the cases come in an order drawn by the seed
  bool narrates = true;         ///< whether a failing schedule is shrunk and narrated
  bool judges = false;          ///< whether the library under test runs in another process
  std::string schedule;         ///< the only one to play; "" to explore
  std::vector<std::string> cases;     ///< the only ones to run; empty for all
  std::vector<std::string> left_out;  ///< not to be run

  bool operator==(const RunSettings&) const = default;
};

[[nodiscard]] std::string to_string(const RunSettings& settings);
/// Lines that it does not know are passed over.
[[nodiscard]] RunSettings parse_settings(std::string_view text);

/// One thing that a test program reports.
///
/// | kind | subject | text |
/// |---|---|---|
/// | found | a case | |
/// | too many | how many cases there are, none of which is run | |
/// | begin | a case | |
/// | asked | what for: "the time", "randomness", "threads" | |
/// | failure | assert, hang or exception | the message and the steps |
/// | schedule | | what replays the failure |
/// | end | passed or failed | what Boost.Test logged |
/// | done | | |
///
/// The process that has the library under test for a suite reports what the suite must not see, and
/// the text of a failure is "#7" there:
///
/// | kind | subject | text |
/// |---|---|---|
/// | finding | a number | the message and the steps |
/// | schedule | the same number | what replays it |
struct Message {
  std::string kind;
  std::string subject;
  std::string text;

  bool operator==(const Message&) const = default;
};

/// A report, with its line end; no longer than `kReportBytesMax`, whatever its text.
[[nodiscard]] std::string line_of(const Message& message, std::string_view nonce,
                                  std::size_t number);

/// Takes reports apart, and those that only the toolkit can have written.
class MessageReader {
 public:
  explicit MessageReader(std::string nonce) : nonce_(std::move(nonce)) {}

  /// The genuine ones of all that has arrived by now; a last line without its end waits.
  [[nodiscard]] std::vector<Message> take(std::string_view bytes);
  /// Whether something else was written there too, or a line that is too long for a report.
  [[nodiscard]] bool saw_forgery() const { return saw_forgery_; }

 private:
  void keep(std::string_view part);
  [[nodiscard]] std::optional<Message> genuine(std::string_view line);

  std::string nonce_;
  std::string rest_;          ///< of a line that has not ended, none of it a line end
  bool is_too_long_ = false;  ///< whether that line is, whose end is waited for
  std::size_t expected_ = 0;
  bool saw_forgery_ = false;
};

/// A digest (64 bits of SHA-1) for where a student's code may choose a text, or wants to know one.
/// From the digest of one text it cannot work out that of another with an unknown part in common;
/// from `sim::digest_of`, which is quicker, it follows.
[[nodiscard]] std::uint64_t one_way_digest_of(std::string_view text);

}  // namespace watchlab::course
