// The questions of a predict exercise, as a form. What is asked comes from the page that the course writes for it.
import {element} from './dom.js';
import {say} from './words.js';

/** One of several steps to be put in order; it moves by buttons and by dragging. */
function step(item, list) {
  const words = item.lastChild.textContent.trim();
  const move = (where) => (event) => {
    const other = row[where];
    if (other) {
      list.insertBefore(...where === 'previousSibling' ? [row, other] : [other, row]);
      event.currentTarget.focus();
      list.dispatchEvent(new Event('input', {bubbles: true}));
    }
  };
  const row = element('li', {draggable: 'true', 'data-letter': item.dataset.letter, ondragstart: () => {
    list.held = row;
  }, ondragover: (event) => {
    if (list.held && list.held !== row) {
      event.preventDefault();
      const isBelow = list.held.compareDocumentPosition(row) & Node.DOCUMENT_POSITION_FOLLOWING;
      list.insertBefore(list.held, isBelow ? row.nextSibling : row);
    }
  }, ondrop: (event) => event.preventDefault(), ondragend: () => {
    list.held = null;
    list.dispatchEvent(new Event('input', {bubbles: true}));
  }}, element('button', {type: 'button', 'aria-label': say('up', words), onclick: move('previousSibling')}, '↑'),
  element('button', {type: 'button', 'aria-label': say('down', words), onclick: move('nextSibling')}, '↓'), ` ${words}`);
  return row;
}

function field(asked) {
  const id = `legend-${asked.id}`;
  const steps = [...asked.querySelectorAll('li')];
  const list = element('ol', {class: 'order'});
  list.append(...steps.map((item) => step(item, list)));
  const choices = [...asked.querySelectorAll('label')].map((label) => {
    const {name, value} = label.querySelector('input');
    return element('label', {}, element('input', {type: 'radio', name, value}), ` ${label.textContent.trim()}`);
  });
  return element('fieldset', {'data-question': asked.id}, element('legend', {id}, asked.querySelector('legend').textContent),
    ...steps.length ? [list] : choices.length ? choices : [element('input', {type: 'text', autocomplete: 'off', 'aria-labelledby': id})]);
}

/** The stories and the questions of the page. */
export function fieldsOf(html) {
  return [...new DOMParser().parseFromString(html, 'text/html').querySelectorAll('pre, fieldset')].map((part) =>
    part.matches('fieldset') ? field(part)
      : element('details', {}, element('summary', {}, part.previousElementSibling.textContent), element('pre', {tabindex: 0}, part.textContent)));
}

/** What is answered in the form, by question. */
export function answersIn(form) {
  return Object.fromEntries([...form.querySelectorAll('[data-question]')].map((asked) => {
    const order = [...asked.querySelectorAll('li')].map(({dataset}) => dataset.letter).join(', ');
    const {value = ''} = asked.querySelector('input:checked, input[type=text]') ?? {};
    return [asked.dataset.question, order || value];
  }));
}

/** The file that `predict --answers` takes. */
export const fileOf = (answers) => `answers:\n${Object.entries(answers).map(([question, answer]) => `  ${question}: ${JSON.stringify(answer)}\n`).join('')}`;

export function putAnswers(form, answers) {
  for (const asked of form.querySelectorAll('[data-question]')) {
    const answer = answers[asked.dataset.question] ?? '';
    asked.querySelector('ol')?.append(...answer.split(', ').map((letter) => asked.querySelector(`[data-letter="${letter}"]`)).filter(Boolean));
    asked.querySelectorAll('input').forEach((input) => {
      input.checked = input.value === answer;
      input.value = input.type === 'text' ? answer : input.value;
    });
  }
}
