// The exercises that need no C++: their pages and answers. The program of the course asks and checks, as on the command line.
import {offer} from './contents.js';
import {byId, download, element, kept} from './dom.js';
import {elementsOf} from './markdown.js';
import {answersIn, fieldsOf, fileOf, putAnswers} from './questions.js';
import {inLanguage, language, say} from './words.js';

const kKept = 'homework';  // the student's folder, by path
const kProgress = 'homework/progress.json';
const kForShell = /watchlab[- ]course|^(The broken builds|有缺陷的构建)/;  // lines that say what to type next

export class Exercises {
  /** `all` has {id, slug, title, task, minutes, files, stories, cases} each. `desk` is what the page does: see lab.js. */
  constructor({exercises, clauses}, desk) {
    Object.assign(this, {all: exercises, clauses, desk});
    byId('open-exercises').hidden = exercises.length === 0;
    byId('open-exercises').addEventListener('click', () => this.offer());
  }

  named(id) {
    return this.all.find((exercise) => exercise.id === id);
  }

  get address() {
    return `exercise=${this.exercise.id}`;
  }

  get files() {
    return JSON.parse(kept.read(kKept) ?? '{}');
  }

  /** Where a file of the exercise is kept. */
  place(file, exercise = this.exercise) {
    return `homework/${exercise.slug}/${file}`;
  }

  /** Keeps what is the student's: answers, stories and progress. */
  keep(files) {
    const own = new Set([kProgress, ...this.all.flatMap((exercise) => exercise.files.map((file) => this.place(file, exercise)))]);
    const changed = Object.entries(files).filter(([path]) => own.has(path));
    kept.write(kKept, JSON.stringify({...this.files, ...Object.fromEntries(changed)}));
  }

  /** A call of watchlab-course in the student's folder. */
  async call(words, more = {}) {
    const answer = await this.desk.engine.run(words, {...this.files, ...more},
      {program: 'watchlab-course', env: {WATCHLAB_LANG: language()}, onLoad: this.desk.onLoad});
    this.keep(answer.files);
    return answer;
  }

  offer() {
    const progress = JSON.parse(this.files[kProgress] ?? '{}').exercises ?? {};
    offer('exercises', this.all.map((exercise) => {
      const {done, attempts, best} = progress[exercise.id] ?? {};
      const state = done ? say('done') : attempts ? say('points', Math.round(best)) : attempts === 0 ? say('started') : '';
      return {title: `${exercise.id}  ${inLanguage(exercise.title)}`, isDone: done, choose: () => this.begin(exercise),
        about: [say(`task_${exercise.task}`), say('minutes', exercise.minutes), state].filter(Boolean).join(' · ')};
    }));
  }

  begin(exercise) {
    Object.assign(this, {exercise, feedback: '', made: null, page: ''});
    this.desk.enter(this);
    return this.again();
  }

  /** Reads the texts of the exercise, in the language that is wanted now. */
  again() {
    const {exercise} = this;
    return this.desk.during(() => say('opening', exercise.id), async () => {
      const {files, stderr} = await this.call(['start', exercise.id]);
      const fileLike = (name) => Object.entries(files).find(([path]) => name.test(path))?.[1];
      this.page = fileLike(language() === 'zh' ? /README\.zh\.md$/ : /README\.md$/);
      if (!this.page) {
        throw new Error(stderr.trim());
      }
      this.questions = fileLike(/questions\.html$/);
      this.made = null;
      if (this.isSettled()) {
        this.feedback = (await this.call(['check', exercise.id])).stdout;
      }
      this.desk.ready();
      this.show();
    });
  }

  /** Predictions that were revealed are not asked for again. */
  isSettled() {
    return this.exercise.task === 'predict' && /what: revealed/.test(this.files[this.place('answers.yaml')] ?? '');
  }

  /** Shows what a call says. */
  act(words, more) {
    return this.desk.during(() => say('checking', this.exercise.id), async () => {
      const {stdout, stderr} = await this.call(words, more?.());
      this.feedback = `${stdout}${stderr}`;
      this.desk.ready();
      this.show();
      byId('feedback').scrollIntoView({block: 'nearest'});
    });
  }

  show() {
    const {exercise} = this;
    const isOpen = byId('task').querySelector('details')?.open ?? true;
    const button = (words, onclick, attributes = {}) => element('button', {type: 'button', onclick, ...attributes}, say(words));
    byId('task').replaceChildren(
      element('h2', {id: 'task-title'}, `${exercise.id}  ${inLanguage(exercise.title)}`),
      element('p', {class: 'faint'}, `${say(`task_${exercise.task}`)} · ${say('minutes', exercise.minutes)}`),
      ...this.page ? this.body(isOpen, button) : [element('div', {class: 'bar'}, button('close', () => this.desk.leave(), {class: 'last'}))]);
  }

  /** What is there once the exercise has been opened. */
  body(isOpen, button) {
    const {exercise} = this;
    return [element('p', {}, say(`how_${exercise.task}`)),
      element('details', {open: isOpen}, element('summary', {}, say('task_page')), elementsOf(this.page)),
      ...this.parts(),
      this.feedback ? element('pre', {id: 'feedback', role: 'status', tabindex: 0}, this.lines()) : '',
      element('div', {class: 'bar'},
        exercise.task === 'predict' && !this.isSettled() ? '' : button('check', () => this.act(['check', exercise.id]), {id: 'check', class: 'main'}),
        button('hint', () => this.act(['hint', exercise.id]), {id: 'hint'}), button('close', () => this.desk.leave(), {class: 'last'})),
      exercise.files.length ? element('p', {id: 'hand-in'}, say('hand_in'), ' ', exercise.files.map((file) => element('button', {
        type: 'button', onclick: () => download(file, this.files[this.place(file)] ?? '', 'application/yaml')}, file))) : ''];
  }

  /** What the course says, without what is only for a terminal. */
  lines() {
    return this.feedback.trimEnd().split('\n').filter((line) => !kForShell.test(line)).map((line) =>
      element('span', {class: /^\s*✓/.test(line) ? 'good' : /^\s*✗/.test(line) ? 'bad' : null}, `${line}\n`));
  }

  parts() {
    const {task} = this.exercise;
    const stories = () => Object.keys(this.exercise.stories).map((path) => this.opener(path));
    return task === 'predict' ? this.isSettled() ? stories() : [this.form()]
      : task === 'diagnose' ? this.exercise.cases.map((each) => this.diagnosis(each))
        : task === 'tour' ? stories() : this.exercise.cases.map(({id, story}) => this.opener(story, id));
  }

  /** A button that puts a story into the editor: one to be written, or one to be read. */
  opener(path, build) {
    const {exercise} = this;
    const name = path.split('/').at(-1);
    const isOwn = exercise.files.includes(path);
    return element('p', {}, element('button', {type: 'button', 'data-story': name, onclick: () => {
      const text = isOwn ? this.files[this.place(path)] : exercise.stories[path];
      const cores = this.desk.coresOf(`${exercise.slug}/${build}`);
      this.desk.open(text, {cores: isOwn ? cores.reverse() : cores, about: () => say(isOwn ? 'editing' : 'reading', name, exercise.id),
        onEdit: isOwn ? (edited) => this.keep({[this.place(path, exercise)]: edited}) : () => {}});
    }}, say('open_story', name)));
  }

  form() {
    this.made ??= this.makeForm();
    return this.made;
  }

  /** What is answered and not yet locked stays after the tab is closed. */
  makeForm() {
    const name = `answers ${this.exercise.id}`;
    const form = element('form', {id: 'questions', oninput: () => kept.write(name, JSON.stringify(answersIn(form))), onsubmit: (event) => {
      event.preventDefault();
      this.act(['predict', this.exercise.id, '--answers', 'mine.yaml'], () => ({'mine.yaml': fileOf(answersIn(form))}));
    }}, fieldsOf(this.questions ?? ''), element('p', {class: 'faint'}, say('lock_about')),
    element('button', {id: 'lock', class: 'main'}, say('lock')));
    putAnswers(form, JSON.parse(kept.read(name) ?? '{}'));
    return form;
  }

  /** The clause and the schedule of a case; answers.yaml follows what is written there. */
  diagnosis({id, story}) {
    const answer = this.answers()[id] ?? {clause: '', schedule: ''};
    const write = () => this.keep({[this.place('answers.yaml')]: `cases:\n${Object.entries({...this.answers(), [id]: answer}).map(([each, {clause, schedule}]) =>
      `  ${each}: {clause: ${clause || '""'}, schedule: ${JSON.stringify(schedule)}}\n`).join('')}`});
    const schedule = element('input', {type: 'text', value: answer.schedule, spellcheck: 'false', autocomplete: 'off', 'aria-label': `${id}: ${say('schedule')}`,
      oninput: () => {
        answer.schedule = schedule.value.trim();
        write();
      }});
    const clause = element('select', {'aria-label': `${id}: ${say('clause')}`, onchange: () => {
      answer.clause = clause.value;
      write();
    }}, this.clauses.map(([name, what]) => element('option', {value: name, selected: name === answer.clause}, `${name}: ${what}`)));
    return element('fieldset', {'data-case': id}, element('legend', {}, id), this.opener(story, id),
      element('label', {}, say('clause'), ' ', clause), element('label', {}, say('schedule'), ' ', schedule),
      element('button', {type: 'button', onclick: () => {
        schedule.value = this.desk.schedule();
        schedule.dispatchEvent(new Event('input'));
      }}, say('use_run')));
  }

  answers() {
    const text = this.files[this.place('answers.yaml')] ?? '';
    return Object.fromEntries([...text.matchAll(/^ {2}(\w+): \{clause: "?(\w*)"?, schedule: (".*")\}$/gm)].map(([, id, clause, schedule]) =>
      [id, {clause, schedule: JSON.parse(schedule)}]));
  }
}
