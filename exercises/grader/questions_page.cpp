#include <fmt/format.h>

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "exercises/grader/questions.hpp"
#include "exercises/programs/language.hpp"
#include "exercises/programs/texts.hpp"
#include "exercises/programs/toolchain.hpp"

namespace watchlab::course {
namespace {

constexpr std::string_view kStyle =
    ":root{color-scheme:light dark}body{font:16px/1.5 sans-serif;max-width:50em;margin:2em auto;"
    "padding:0 1em}pre{background:#8882;padding:.6em;overflow-x:auto}fieldset{margin:1em 0;"
    "border:1px solid #8888}li{padding:.3em;border:1px solid #8888;margin:.2em 0;background:#8881;"
    "cursor:move}li button{margin-right:.3em}label{display:block}input[type=text]{width:100%}";

/// Moves the entries of a list, by dragging and by buttons, and saves what was answered.
constexpr std::string_view kScript = R"js(
let held = null;
for (const item of document.querySelectorAll('ol.order li')) {
  item.draggable = true;
  item.addEventListener('dragstart', () => { held = item; });
  item.addEventListener('dragover', event => {
    if (held && held !== item && held.parentNode === item.parentNode) {
      event.preventDefault();
      const below = held.compareDocumentPosition(item) & Node.DOCUMENT_POSITION_FOLLOWING;
      item.parentNode.insertBefore(held, below ? item.nextSibling : item);
    }
  });
  const [up, down] = item.querySelectorAll('button');
  up.addEventListener('click', () => {
    if (item.previousElementSibling) item.parentNode.insertBefore(item, item.previousElementSibling);
    up.focus();
  });
  down.addEventListener('click', () => {
    if (item.nextElementSibling) item.parentNode.insertBefore(item.nextElementSibling, item);
    down.focus();
  });
}
function answers() {
  let text = 'answers:\n';
  for (const asked of document.querySelectorAll('fieldset')) {
    const order = [...asked.querySelectorAll('li')].map(item => item.dataset.letter).join(', ');
    const field = asked.querySelector('input:checked') || asked.querySelector('input[type=text]');
    text += '  ' + asked.id + ': ' + JSON.stringify(order || (field ? field.value : '')) + '\n';
  }
  return text;
}
document.getElementById('save').addEventListener('click', () => {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([answers()], {type: 'text/yaml'}));
  link.download = 'mine.yaml';
  link.click();
});
)js";

std::string field_of(const Question& question) {
  std::string text;
  for (const auto& [letter, choice] : question.choices) {
    const std::string words = in_html(in_own_language(choice));
    text += question.kind == "order"
                ? fmt::format("<li data-letter={0}><button>↑</button><button>↓</button>{1}\n",
                              in_html(letter), words)
                : fmt::format("<label><input type=radio name={0} value={1}> {2}</label>\n",
                              in_html(question.id), in_html(letter), words);
  }
  if (question.kind == "order") {
    return "<ol class=order>\n" + text + "</ol>\n";
  }
  return text.empty() ? "<input type=text autocomplete=off>\n" : text;
}

}  // namespace

std::string questions_page(const Exercise& exercise) {
  std::string body;
  std::set<std::string> shown;
  for (const Question& question : read_questions(exercise)) {
    if (!question.scenario.empty() && shown.insert(question.scenario).second) {
      body += fmt::format("<h2>{}</h2><pre>{}</pre>\n", in_html(question.scenario),
                          in_html(read_whole(exercise.folder / question.scenario)));
    }
    body +=
        fmt::format("<fieldset id={}><legend>{}</legend>\n{}</fieldset>\n", in_html(question.id),
                    in_html(in_own_language(question.ask)), field_of(question));
  }
  return fmt::format(
      "<!doctype html>\n<html lang={0}><meta charset=utf-8>"
      "<meta name=viewport content=\"width=device-width\"><title>{1}</title>\n"
      "<style>{2}</style>\n<h1>{1}</h1>\n{3}<p><button id=save>{4}</button> {5}\n"
      "<script>{6}</script>\n</html>\n",
      own_language() == "zh" ? "zh-CN" : "en", in_html(in_own_language(exercise.title)), kStyle,
      body, in_own_language("Save my answers"),
      in_html(typeable(in_own_language(
          fmt::format("Then: watchlab-course predict {} --answers mine.yaml", exercise.id)))),
      kScript);
}

}  // namespace watchlab::course
