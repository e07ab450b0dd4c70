// The shipped stories and the bugs of the museum, by theme, by symptom and by words.
import {byId, element} from './dom.js';
import {say} from './words.js';

/** Of a bug that fails with "violation: deletions_arrive": violation. */
const symptomOf = (entry) => entry.fails?.split(':')[0] ?? '';

export class Catalogue {
  /** `onChoose` gets the entry: {name, theme, story, text} and for a bug {title, fails, live, schedule, page}. */
  constructor(entries, onChoose) {
    this.entries = entries;
    this.onChoose = onChoose;
    this.dialog = byId('catalogue');
    byId('open-catalogue').addEventListener('click', () => this.open());
    byId('close-catalogue').addEventListener('click', () => this.dialog.close());
    this.dialog.addEventListener('click', (event) => event.target === this.dialog && this.dialog.close());
    ['words', 'theme', 'symptom'].forEach((id) => byId(id).addEventListener('input', () => this.show()));
  }

  named(name) {
    return this.entries.find((entry) => entry.name === name);
  }

  /** What a reader sees who has not chosen anything. */
  get first() {
    return this.named('missed_delete') ?? this.entries[0];
  }

  open() {
    const fill = (id, values) => {
      const {value} = byId(id);
      byId(id).replaceChildren(element('option', {value: ''}, say('all')),
        ...[...new Set(values)].filter(Boolean).sort().map((each) =>
          element('option', {value: each}, each === 'museum' ? say('museum') : each)));
      byId(id).value = value;
    };
    fill('theme', this.entries.map(({theme}) => theme));
    fill('symptom', this.entries.map(symptomOf));
    this.show();
    this.dialog.showModal();
    byId('words').focus();
  }

  show() {
    const words = byId('words').value.toLowerCase().split(/\s+/).filter(Boolean);
    const [theme, symptom] = [byId('theme').value, byId('symptom').value];
    const shown = this.entries.filter((entry) => {
      const text = `${entry.name} ${entry.title ?? ''} ${entry.story} ${entry.fails ?? ''}`.toLowerCase();
      return (!theme || entry.theme === theme) && (!symptom || symptomOf(entry) === symptom) &&
        words.every((word) => text.includes(word));
    });
    byId('count').textContent = say('of', shown.length, this.entries.length);
    byId('entries').replaceChildren(...shown.map((entry) => element('li', {}, element('button', {
      class: 'entry', onclick: () => {
        this.dialog.close();
        this.onChoose(entry);
      }},
      element('strong', {}, entry.title ?? entry.name.replaceAll('_', ' ')),
      element('span', {class: 'faint'}, ` ${entry.theme}${entry.fails ? ` · ${entry.fails}` : ''}`),
      element('span', {class: 'about'}, entry.story)))));
  }
}
