// The levels of break-it: runs that pass, to be made to fail by a few decisions.
import {offer} from './contents.js';
import {byId, element, kept} from './dom.js';
import {inLanguage, say} from './words.js';

const kKept = 'levels';

export class Levels {
  /** `all` has {name, title, you_are, choices, variant, isThere} each. `desk` is what the page does: see lab.js. */
  constructor(all, desk) {
    Object.assign(this, {all, desk});
    byId('open-levels').hidden = !all.some(({isThere}) => isThere);
    byId('open-levels').addEventListener('click', () => this.offer());
  }

  named(name) {
    return this.all.find((level) => level.name === name && level.isThere);
  }

  get address() {
    return `level=${this.level.name}`;
  }

  /** The winning schedules, by level. */
  get won() {
    return JSON.parse(kept.read(kKept) ?? '{}');
  }

  offer() {
    const {won} = this;
    offer('levels', this.all.map((level) => ({
      title: `${Number.parseInt(level.name, 10)}. ${inLanguage(level.title)}`, isDone: level.name in won,
      about: say('level_row', say(level.you_are), level.choices), reason: level.isThere ? '' : say('level_missing'),
      choose: () => this.begin(level)})));
  }

  /** Plays the level in the default order, in place of whatever was played. */
  begin(level) {
    this.level = level;
    this.desk.enter(this);
    return this.desk.branch({source: {text: '', file: level.name, files: {}, variant: level.variant}, label: say('level_start')});
  }

  again() {
    this.show(this.run);
  }

  /** The card of the level, as far as it is known: what it says comes with its first run. */
  show(run) {
    const {level} = this;
    this.run = run?.level ? run : null;
    const said = this.run?.level;
    if (said?.won) {
      kept.write(kKept, JSON.stringify({...this.won, [level.name]: run.schedule}));
    }
    const slug = level.name.slice(level.name.indexOf('-') + 1);
    const next = this.all.slice(this.all.indexOf(level) + 1).find(({isThere}) => isThere);
    const button = (words, onclick, attributes = {}) => element('button', {onclick, ...attributes}, say(words));
    byId('task').replaceChildren(
      element('h2', {id: 'task-title'}, `${Number.parseInt(level.name, 10)}. ${inLanguage(level.title)}`),
      element('p', {}, say('level_intro', say(level.you_are), level.choices)),
      element('p', {}, said?.task ?? ''),
      said ? element('p', {}, say('level_goal', said.goal)) : '',
      element('p', {class: 'faint'}, say('level_how')),
      said ? element('p', {id: 'level-state', role: 'status'}, element('strong', {class: said.won ? 'good' : null},
        `${say('level_taken', said.taken, said.choices)} · ${said.won ? say('level_won') : say('level_open')}`),
      said.won ? '' : said.broken ? ` · ${say('level_too_many')}` : said.taken >= said.choices ? ` · ${say('level_none_left')}` : '') : '',
      element('p', {}, said?.after ?? ''),
      element('div', {class: 'bar'},
        said?.won && this.desk.piece(slug) ? button('level_piece', () => this.desk.openPiece(slug)) : '',
        said?.won && next ? button('level_next', () => this.begin(next), {class: 'main'}) : '',
        said ? button('again', () => this.begin(level)) : '', button('close', () => this.desk.leave(), {class: 'last'})));
    if (said?.won) {
      byId('level-state').scrollIntoView({block: 'nearest'});
    }
  }
}
