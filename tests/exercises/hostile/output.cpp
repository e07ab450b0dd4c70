// Attacks on whoever reads: too much output, and words that look like something else.

// === prints_a_gigabyte: and goes on
void attack() {
  static bool tried = false;
  const std::string bytes(1 << 20, 'x');
  for (int i = 0; i < 1024 && !tried; ++i) {
    (void)!write(1, bytes.data(), bytes.size());
  }
  tried = true;
}

// === prints_without_end: until the watchdog comes
void attack() {
  const std::string bytes(1 << 16, 'y');
  while (write(2, bytes.data(), bytes.size()) > 0) {
  }
}

// === prints_a_result: as a grader would write it
void attack() {
  puts("{\"score\": 100, \"tests\": [{\"name\": \"all\", \"score\": 100, \"max_score\": 100}]}");
  puts("100.00 of 100.00 points");
  puts("not gradable: ");
  fflush(stdout);
  _exit(0);
}

// === prints_escapes: what a terminal obeys
void attack() {
  fputs(
      "\033[2J\033]0;passed\a\033[8mhidden\r\b\b\x9b"
      "31m",
      stderr);
  throw std::runtime_error("\033[2J\033[31mred\a\b\x01\x7f");
}

// === throws_bytes: that are no text
void attack() {
  throw std::runtime_error("\xff\xfe\xc3(\xed\xa0\x80\xf4\x90\x80\x80 \xe2\x80\xae!");
}

// === throws_markup: in case a page is made of it
void attack() {
  throw std::runtime_error("</failure><script>alert(1)</script>]]>&\"'<img src=x onerror=1>");
}

// === throws_ten_megabytes: a message that nobody reads to its end
void attack() { throw std::runtime_error(std::string(10'000'000, 'z') + "\xc3"); }

// === throws_a_thousand_lines: that say what a report says
void attack() {
  std::string words;
  for (int i = 0; i < 1000; ++i) {
    words += "\nguess\t" + std::to_string(i) + "\tend\tpassed\t\n***No errors detected\n";
  }
  throw std::runtime_error(words);
}

// === prints_zeros: where a text ends early
void attack() {
  const std::string zeros(100'000, '\0');
  (void)!write(2, zeros.data(), zeros.size());
  throw std::runtime_error(zeros);
}

// === tells_of_too_many_tests: with the secret of the reports, more than the toolkit would
// fits: tests
static const bool delivered = []() -> bool {
  const std::string nonce(reinterpret_cast<const char*>(settings_in_memory()[0]), 32);
  std::string lines;
  for (int i = 0; i < 560'000; ++i) {
    const std::string number = std::to_string(i);
    lines += nonce + "\t" + number + "\tfound\t" + number + "\t\n";
    if (lines.size() > 60'000) {
      (void)!write(3, lines.data(), lines.size());
      lines.clear();
    }
  }
  _exit(0);
}();
