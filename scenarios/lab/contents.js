// A dialog that lists what there is to choose from: the levels, or the exercises.
import {byId, element} from './dom.js';
import {say} from './words.js';

byId('close-course').addEventListener('click', () => byId('course').close());
byId('course').addEventListener('click', (event) => event.target === byId('course') && byId('course').close());

/** `name` is the word for the title. A row is {title, about, isDone, reason, choose}; one with a reason cannot be chosen. */
export function offer(name, rows) {
  byId('course-title').textContent = say(name);
  byId('course-about').textContent = say(`${name}_about`);
  byId('course-rows').replaceChildren(...rows.map(({title, about, isDone, reason, choose}) => element('li', {}, element('button', {
    class: 'entry', disabled: Boolean(reason), onclick: () => {
      byId('course').close();
      choose();
    }},
    element('span', {class: 'good'}, isDone ? '✓ ' : ''), element('strong', {}, title),
    element('span', {class: 'faint'}, ` ${about}`), reason ? element('span', {class: 'about'}, reason) : ''))));
  byId('course').showModal();
}
