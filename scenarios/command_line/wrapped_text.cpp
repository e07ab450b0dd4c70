#include "scenarios/command_line/wrapped_text.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <optional>
#include <vector>

#include "scenarios/command_line/child_process.hpp"

namespace watchlab::scenarios {

std::string_view first_bytes(std::string_view text, std::size_t most) {
  if (text.size() <= most) {
    return text;
  }
  const auto continues = [&](std::size_t i) {
    return (static_cast<unsigned char>(text[i]) & 0xC0U) == 0x80U;
  };
  while (most > 0 && continues(most)) {
    --most;
  }
  return text.substr(0, most);
}

namespace {

/// The bytes of the change of colour (SGR) that the text begins with; 0 when it begins otherwise.
std::size_t colour_size(std::string_view text) {
  return text.starts_with("\033[") ? std::min(text.find('m'), text.size() - 1) + 1 : 0;
}

}  // namespace

std::size_t width_of(std::string_view text) {
  std::size_t width = 0;
  for (std::size_t i = 0; i < text.size();) {
    const auto byte = static_cast<unsigned char>(text[i]);
    const std::size_t colour = colour_size(text.substr(i));
    width += colour > 0 || (byte & 0xC0U) == 0x80U ? 0 : byte >= 0xE3U ? 2 : 1;
    i += std::max<std::size_t>(colour, 1);
  }
  return width;
}

namespace {

/// The letters of a text, each with its columns.
struct Letter {
  std::string_view bytes;
  std::size_t width;
};
std::vector<Letter> letters_of(std::string_view text) {
  std::vector<Letter> letters;
  while (!text.empty()) {
    std::size_t size = 1;
    while (size < text.size() && (static_cast<unsigned char>(text[size]) & 0xC0U) == 0x80U) {
      ++size;
    }
    letters.push_back({text.substr(0, size), width_of(text.substr(0, size))});
    text.remove_prefix(size);
  }
  return letters;
}

}  // namespace

std::string cut_behind(std::string_view text, std::size_t columns) {
  if (width_of(text) <= columns) {
    return std::string(text);
  }
  std::string out;
  std::size_t width = 1;
  for (const Letter& letter : letters_of(text)) {
    width += letter.width;
    if (width > columns) {
      break;
    }
    out += letter.bytes;
  }
  return columns == 0 ? "" : out + "…";
}

std::string cut_in_the_middle(std::string_view text, std::size_t columns) {
  if (width_of(text) <= columns || columns < 3) {
    return cut_behind(text, columns);
  }
  const std::vector<Letter> letters = letters_of(text);
  std::string out;
  std::string end;
  std::size_t width = 1;
  for (std::size_t i = 0; i < letters.size(); ++i) {
    const Letter& front = letters[i / 2];
    const Letter& back = letters[letters.size() - 1 - i / 2];
    const Letter& next = i % 2 == 0 ? front : back;
    width += next.width;
    if (width > columns) {
      break;
    }
    i % 2 == 0 ? out += next.bytes : end.insert(0, next.bytes);
  }
  return out + "…" + end;
}

namespace {

/// Whether a call of the program as it was called here stands in the line.
bool has_own_call(std::string_view line) {
  const char* const called_as = std::getenv("WATCHLAB_CALLED_AS");
  const std::string typed(called_as == nullptr ? "" : called_as);
  const std::string call = typed.empty() ? "" : word_for_shell(typed) + " ";
  const std::size_t at = call.empty() ? std::string_view::npos : line.find(call);
  return at == 0 || (at != std::string_view::npos && line[at - 1] == ' ');
}

/// Whether the call that begins there is a part of a sentence: in backticks, or who says it, as in
/// "watchlab museum show: there is no piece".
bool is_in_sentence(std::string_view line, std::size_t call) {
  const std::size_t blank = line.find_last_of(' ', call);
  const std::size_t word = blank == std::string_view::npos ? 0 : blank + 1;
  if (line.substr(word).starts_with('`')) {
    return true;
  }
  const std::size_t names = line.find_first_not_of("abcdefghijklmnopqrstuvwxyz- ", call);
  const std::string_view rest = line.substr(std::min(names, line.size()));
  return word == 0 && (rest.starts_with(": ") || rest.starts_with(":\033"));
}

constexpr std::array<std::string_view, 4> kCalls{"watchlab ", "watchlab-course ", "kubectl --",
                                                 "export KUBECONFIG="};

bool contains_call(std::string_view text) {
  return has_own_call(text) || std::ranges::any_of(kCalls, [text](std::string_view call) {
           return text.find(call) != std::string_view::npos;
         });
}

/// A sentence that names an option is none.
bool is_to_paste(std::string_view line) {
  return has_own_call(line) || std::ranges::any_of(kCalls, [line](std::string_view call) {
           const std::size_t at = line.find(call);
           return at != std::string_view::npos && !is_in_sentence(line, at);
         });
}

/// Whether the text begins with a letter that takes two columns, as those of Chinese; lines may
/// break before and after one, but not before a mark that ends a part of a sentence.
bool is_wide(std::string_view text) {
  return !text.empty() && static_cast<unsigned char>(text.front()) >= 0xE3U;
}

bool may_begin_line(std::string_view text) {
  for (const std::string_view mark : {"，", "。", "；", "：", "、", "）", "」", "”", "！", "？"}) {
    if (text.starts_with(mark)) {
      return false;
    }
  }
  return true;
}

}  // namespace

std::size_t end_of_word(std::string_view line, std::size_t begin, std::size_t columns) {
  std::size_t comma = 0;
  for (std::size_t at = begin; at < line.size();) {
    const bool was_wide = is_wide(line.substr(at));
    const std::size_t closes = line[at] == '`' ? line.find('`', at + 1) : std::string_view::npos;
    if (closes != std::string_view::npos && contains_call(line.substr(at + 1, closes - at - 1))) {
      at = closes;
    }
    do {
      ++at;
    } while (at < line.size() && (static_cast<unsigned char>(line[at]) & 0xC0U) == 0x80U);
    const std::string_view rest = line.substr(at);
    if (at - begin > columns && comma > 0) {
      return comma;
    }
    comma = line[at - 1] == ',' ? at : comma;
    if (rest.starts_with(' ') || ((was_wide || is_wide(rest)) && may_begin_line(rest))) {
      return at;
    }
  }
  return line.size();
}

namespace {

/// The columns of its longest word.
std::size_t longest_word(std::string_view line, std::size_t columns) {
  std::size_t longest = 0;
  while (!line.empty()) {
    const std::size_t begin = std::min(line.find_first_not_of(' '), line.size());
    const std::size_t end = end_of_word(line, begin, columns);
    longest = std::max(longest, width_of(line.substr(begin, end - begin)));
    line.remove_prefix(end);
  }
  return longest;
}

/// Where the rest of a line stands: below its last column, or below its beginning, if there is room
/// for its words.
std::size_t rest_column(std::string_view line, std::size_t columns) {
  const std::size_t begin = std::min(line.find_first_not_of(' '), line.size());
  const std::size_t gap = line.rfind("  ");
  const std::size_t column =
      gap != std::string_view::npos && gap > begin ? width_of(line.substr(0, gap + 2)) : begin;
  const std::size_t longest = longest_word(line, columns);
  const std::size_t room = columns - std::min(columns, longest);
  const std::size_t most = std::min(columns * 2 / 3, longest < columns ? room + 1 : columns);
  return column < most ? column : begin < most ? begin : 0;
}

std::string wrapped_line(std::string_view line, std::size_t columns) {
  if (width_of(line) <= columns) {
    return std::string(line);
  }
  const std::size_t rest = rest_column(line, columns);
  std::string out;
  std::size_t width = 0;
  while (!line.empty()) {
    // A word with the blanks before it, which go where it begins a line.
    const std::size_t blanks = std::min(line.find_first_not_of(' '), line.size());
    const std::size_t end = end_of_word(line, blanks, columns);
    const std::size_t word = width_of(line.substr(blanks, end - blanks));
    if (width > rest && width + blanks + word > columns) {
      out += "\n" + std::string(rest, ' ');
      width = rest;
    } else {
      out.append(blanks, ' ');
      width += blanks;
    }
    out += line.substr(blanks, end - blanks);
    width += word;
    line.remove_prefix(end);
  }
  return out;
}

/// An example on lines that fit, and can be pasted as they stand. What is said of it in a
/// comment, behind three blanks, stands below it.
std::string example_lines(std::string_view line, std::size_t columns) {
  constexpr std::string_view kDeeper = "      ";
  constexpr std::size_t kContinues = 2;  // a blank and a backslash
  if (width_of(line) <= columns) {
    return std::string(line);
  }
  if (const std::size_t remark = line.rfind("   # "); remark != std::string_view::npos) {
    const std::string begin = std::string(kDeeper) + "# ";
    std::string below =
        "\n" + wrapped_line(line.substr(remark + 5), columns - std::min(columns, begin.size()));
    for (std::size_t at = 0; at != std::string::npos; at = below.find('\n', at + 1)) {
      below.insert(at + 1, begin);
    }
    return example_lines(line.substr(0, line.find_last_not_of(' ', remark) + 1), columns) + below;
  }
  std::optional<std::size_t> last;  // blank that is in no quotes
  char quote = 0;
  for (std::size_t i = line.find_first_not_of(' '); i < line.size(); ++i) {
    const char c = line[i];
    if (c == ' ' && quote == 0) {
      if (last && width_of(line.substr(0, i)) + kContinues > columns) {
        break;
      }
      last = i;
    }
    quote = c == quote ? '\0' : quote == 0 && (c == '\'' || c == '"') ? c : quote;
  }
  return !last ? std::string(line)
               : std::string(line.substr(0, *last)) + " \\\n" +
                     example_lines(std::string(kDeeper) + std::string(line.substr(*last + 1)),
                                   columns);
}

/// Each line as `lay_out` has it.
template <typename LayOut>
std::string laid_out(std::string_view text, const LayOut& lay_out) {
  std::string out;
  while (true) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    out += lay_out(text.substr(0, end));
    if (end == text.size()) {
      return out;
    }
    out += '\n';
    text.remove_prefix(end + 1);
  }
}

}  // namespace

std::string wrapped(std::string_view text, std::size_t columns) {
  return laid_out(text, [columns](std::string_view line) {
    return is_to_paste(line) ? std::string(line) : wrapped_line(line, columns);
  });
}

std::string wrapped_help(std::string_view text, std::size_t columns) {
  bool in_examples = false;
  return laid_out(text, [&in_examples, columns](std::string_view line) {
    const bool is_heading = line.starts_with("Example") || line.starts_with("示例");
    in_examples = is_heading || (in_examples && line.starts_with("  "));
    return in_examples ? example_lines(line, columns) : wrapped_line(line, columns);
  });
}

}  // namespace watchlab::scenarios
