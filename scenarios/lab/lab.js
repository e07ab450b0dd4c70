// Brings the parts together: what the buttons do, and what the reader is told.
import {Catalogue} from './catalogue.js';
import {byId, download, element, kept} from './dom.js';
import {Editor} from './editor.js';
import {Engine, linesOf, Stopped} from './engine.js';
import {Exercises} from './exercises.js';
import {Levels} from './levels.js';
import {messagesOf, outcomeOf} from './outcome.js';
import {dataOf, Runs} from './runs.js';
import {saveJunit, share} from './save.js';
import {isSchedule, storyIn} from './share.js';
import {language, say, speak} from './words.js';

const kContinued = ['random', 'pct', 'pos', 'urw', 'surw', 'feedback', 'portfolio'];  // may go on where they were
const kPart = 1000;  // ms that a part of an exploration takes

const state = {busy: false, status: () => say('loading'), tone: '', explored: 0, task: null};
const actions = ['play', 'explore', 'shrink', 'explain', 'save-junit'];

/** A story is played from a file of its name. */
const nameOf = (text) => /^name:\s*['"]?([\w.-]+)/m.exec(text)?.[1] ?? 'story';
const fileOf = (text) => `${nameOf(text)}.yaml`;

/** A story on the core that is chosen. A level has a file of its own in place of a text. */
const sourceOf = (text) => ({text, file: fileOf(text), files: {[fileOf(text)]: text}, variant: byId('core').value});

function tell(status, tone = '') {
  Object.assign(state, {status, tone});
  byId('status').textContent = status();
  byId('status').className = tone;
}

/** What stands above the story: where it comes from, and of a bug what it is. */
function note(words, about = '') {
  state.note = words;
  byId('notice').replaceChildren(about, about ? element('br') : '', words());
}

/** The last line of what the program shows while it works. */
const lastOf = (text) => text.split(/[\r\n]/).map((line) => line.replace(/\x1b\[[\d;]*[A-Za-z]/g, '').trim()).filter(Boolean).at(-1);

function enable() {
  const run = runs.current;
  byId('stop').disabled = !state.busy;
  actions.forEach((id) => {
    byId(id).disabled = state.busy || !state.isReady;
  });
  byId('shrink').disabled ||= !run || run.held || run.isRecorded;
  byId('explain').disabled ||= !run || run.isRecorded;
  byId('save-page').disabled = !run?.page;
}

/** Does something that takes a while; Stop ends it. */
async function during(status, act) {
  if (!state.isReady) {
    state.pending = () => during(status, act);
  }
  if (state.busy || !state.isReady) {
    return;
  }
  state.busy = true;
  state.explored = 0;
  tell(status);
  enable();
  try {
    await act();
  } catch (error) {
    const explored = state.explored;
    tell(error instanceof Stopped ? () => explored ? say('stopped', explored) : say('stopped_call')
      : () => say('invalid', error.message), error instanceof Stopped ? '' : 'bad');
  } finally {
    state.busy = false;
    enable();
  }
}

/** Shows how far a module is loaded. */
function onLoad({bytes, all}) {
  const mb = (size) => (size / 1e6).toFixed(1);
  const before = state.before ?? state.status;
  state.before = bytes < all ? before : null;
  tell(bytes < all ? () => say('loading_part', mb(bytes), mb(all)) : before);
}

/** A call that gives one line of JSON. Throws what the program says instead. */
async function lineOf({files, variant}, args, isLong = false) {
  const show = (progress) => lastOf(progress) && tell(() => lastOf(progress));
  const answer = await engine.run([...args, '--json'], files, {variant, onLoad, onProgress: isLong ? show : undefined});
  const line = linesOf(answer).at(-1);
  if (!line || line.kind === 'input') {
    throw new Error(line?.sentence ?? answer.stderr.trim());
  }
  return {line, answer};
}

/** Plays a story under a schedule, and writes its page. */
async function addRun({source, schedule, label, parent = null}) {
  const {file} = source;
  const {line} = await lineOf(source, schedule ? ['replay', file, '--schedule', schedule] : ['run', file]);
  tell(() => say('drawing'));
  const {answer} = await lineOf(source, ['report', file, '--schedule', schedule || 'default', '-o', 'page.html']);
  const page = answer.files['page.html'];
  const run = {source, schedule: schedule ?? '', label, parent, page, held: line.held, kind: line.kind ?? '',
    sentence: line.sentence ?? '', digest: line.digest, steps: line.steps, data: dataOf(page)};
  runs.add(run);
  return run;
}

/** What is said of a run: whether it holds, and of one that fails the steps that decide. */
function showRun(run) {
  const {held, digest, steps, sentence, kind} = run;
  byId('schedule').value = run.schedule;
  byId('core').value = run.source.variant;
  const messages = messagesOf(run);
  tell(() => held ? say('held', steps, digest) : say('fails', sentence && !messages.length ? `${kind}: ${sentence}` : kind), held ? 'good' : 'bad');
  byId('outcome').replaceChildren(...outcomeOf(run));
  byId('changed').hidden = Boolean(run.level) || run.source.text === editor.text;
  if (run.level) {
    state.task.show(run);
  }
  enable();
}

const play = () => during(() => say('running'), async () => {
  const schedule = byId('schedule').value.trim();
  runs.clear();
  await addRun({source: sourceOf(editor.text), schedule: isSchedule(schedule) ? schedule : '',
    label: say(state.isFromLink && schedule ? 'by_link' : 'run_label')});
});

/** In parts, so that the reader sees how far it is; each part goes on where the last one was. */
const explore = () => during(() => say('running'), async () => {
  const source = sourceOf(editor.text);
  const [strategy, seed] = [byId('strategy').value, String(Math.max(0, Math.floor(byId('seed').valueAsNumber) || 0))];
  const schedules = Math.min(10_000_000, Math.max(1, Math.floor(byId('schedules').valueAsNumber) || 1000));
  const common = ['explore', source.file, '--strategy', strategy, '--seed', seed];
  const began = performance.now();
  let [line, part, played] = [null, kContinued.includes(strategy) ? 20 : schedules, 0];
  do {
    const start = performance.now();
    const to = Math.min(schedules, state.explored + part);
    tell(() => played === 0 ? say('exploring_whole', strategy) : say('exploring', played, Math.round(played / (start - began) * 1000)));
    ({line} = await lineOf(source, [...common, '--schedules', String(to), ...state.explored ? ['--from', String(state.explored)] : []],
      part === schedules));
    played += line.executions ?? 0;
    state.explored = to;
    part = Math.max(20, Math.min(part * 4, Math.round(part * kPart / Math.max(1, performance.now() - start))));
  } while (line.held && !line.exhausted && state.explored < schedules);
  byId('outcome').replaceChildren();
  if (line.held) {
    tell(() => say(line.exhausted ? 'exhausted' : 'explored', played), 'good');
    return;
  }
  const parent = runs.all.find((run) => run.source.text === source.text && run.source.variant === source.variant && !run.parent) ?? null;
  if (!parent) {
    runs.clear();
  }
  const run = await addRun({source, schedule: line.schedule, label: say('by_explore', strategy), parent});
  run.note = () => say('found', played, run.sentence || run.kind);
  showRun(run);
});

const shrink = () => during(() => say('shrinking'), async () => {
  const parent = runs.current;
  const {source} = parent;
  const {line, answer} = await lineOf(source, ['shrink', source.file, '--schedule', parent.schedule || 'default'], true);
  const before = /(\d+) deviations? from/.exec(answer.stderr)?.[1] ?? '?';
  const run = await addRun({source, schedule: line.schedule, label: say('by_shrink'), parent});
  run.isShrunk = true;
  run.note = () => say('shrunk', before, line.deviations, line.executions);
  showRun(run);
});

const explain = () => during(() => say('explaining'), async () => {
  const run = runs.current;
  const {line, answer} = await lineOf(run.source, ['explain', run.source.file, '--schedule', run.schedule || 'default']);
  run.explanation = line.explanation ?? answer.stderr.trim();
  showRun(run);
});

/** Plays a run with one decision changed, or without `take` the first run of a level. */
const branch = ({source, schedule, take, parent = null, ...run}) => during(() => say('running'), async () => {
  const words = [...schedule ? ['--schedule', schedule] : [], ...take ? ['--take', take] : [], '-o', 'page.html'];
  const {line, answer} = await lineOf(source, ['branch', source.file, ...words]);
  const page = answer.files['page.html'];
  const data = dataOf(page);
  runs.add({...run, parent, source, schedule: line.schedule, page, held: line.held, kind: line.kind, sentence: line.sentence, digest: data.digest,
    steps: data.window.of, data, level: line.level});
  runs.frame?.focus();
});

const take = (parent, decision, alternative, words) => branch({source: parent.source, schedule: parent.schedule || 'default', parent,
  take: `${decision}=${alternative}`, label: say('by_branch', decision, words), step: parent.data?.choices?.[decision - 1]?.[0]});

/** What a link says is text: it is put into the editor, and nothing else is done with it. */
async function openLink() {
  if (location.hash === state.fragment) {
    return false;
  }
  state.fragment = location.hash;
  try {
    const linked = await storyIn(location.hash);
    if (!linked) {
      return false;
    }
    enter(null, true);
    fill(linked.text, {schedule: linked.schedule, cores: coresOf(linked.core)});
    state.isFromLink = true;
    note(() => say('from_link'));
  } catch {
    note(() => say('bad_link'));
  }
  return true;
}

/** The cores on which a story can be played that shows the bug of a variant. */
const coresOf = (variant) => facts.variants.includes(variant) ? [[variant, 'core_broken'], ['', 'core_right']] : [];

/** Puts a story into the editor, in place of all that was there. It is played on the first of these cores. */
function fill(text, {schedule = '', cores = [], onEdit = null} = {}) {
  if (state.busy) {
    engine.stop();
  }
  runs.clear();
  runs.showPage({});
  state.onEdit = onEdit;
  editor.text = text;
  byId('schedule').value = schedule;
  byId('core').replaceChildren(...(cores.length ? cores : [['', 'core_right']]).map(([value, word]) =>
    element('option', {value, 'data-word': word}, say(word))));
  byId('cores').hidden = cores.length < 2;
  byId('outcome').replaceChildren();
  byId('changed').hidden = true;
  note(() => '');
  byId('shared').replaceChildren();
  state.isFromLink = false;
  ready();
  enable();
}

function ready() {
  if (state.isReady) {
    tell(() => say('ready'));
  }
}

/** Shows a level or an exercise, or nothing of the kind. A link leads back to it. */
function enter(task, isLink = false) {
  state.task = task;
  if (!isLink) {
    state.fragment = '';
    history.replaceState(null, '', task ? `?${task.address}` : location.pathname);
  }
  byId('task').hidden = !task;
  byId('task').replaceChildren();
  byId('intro').hidden = Boolean(task);
  document.body.classList.toggle('no-story', Boolean(task));
  fill(kept.read('draft') ?? '');
  task?.show();
}

/** What levels and exercises do with the page. */
const desk = {
  enter, branch, during, ready, onLoad,
  get engine() { return engine; },
  leave: () => kept.read('draft') ? enter(null) : choose(catalogue.first),
  coresOf,
  piece: (slug) => catalogue.named(slug),
  openPiece: (slug) => choose(catalogue.named(slug)),
  /** The schedule of the run that is shown, or the one that is written below the story. */
  schedule: () => runs.current?.data?.schedule ?? byId('schedule').value.trim(),
  open(text, {about, ...how}) {
    document.body.classList.remove('no-story');
    fill(text, how);
    note(about);
    byId('task').querySelector('details').open = false;
    byId('notice').scrollIntoView();
  },
};

async function choose(entry) {
  enter(null);
  const isPiece = entry.live !== undefined;
  const cores = isPiece && !entry.live ? coresOf(entry.name) : [];
  const isBroken = cores.length > 0;
  fill(entry.text, {schedule: entry.live || isBroken ? entry.schedule : '', cores});
  if (isPiece) {
    note(() => say(entry.live ? 'piece_live' : isBroken ? 'piece_broken' : 'piece_recorded'), entry.story);
  }
  if (entry.page) {
    const page = await (await fetch(entry.page)).text();
    const data = dataOf(page);
    if (editor.text === entry.text && data) {
      runs.add({source: sourceOf(entry.text), schedule: isBroken ? entry.schedule : '', label: say('recorded'), parent: null, page,
        isRecorded: !isBroken, held: data.held, kind: data.failure?.kind ?? '', sentence: '', digest: data.digest,
        steps: data.window.of, data});
    }
  }
}

function listen() {
  const on = (id, act) => byId(id).addEventListener('click', act);
  on('play', play);
  on('explore', explore);
  on('shrink', shrink);
  on('explain', explain);
  on('stop', () => engine.stop());
  on('share', () => share(state, runs, sourceOf(editor.text)));
  on('save-story', () => download(fileOf(editor.text), editor.text, 'application/yaml'));
  on('save-schedule', () => download(`${nameOf(editor.text)}.schedule.txt`, `${desk.schedule()}\n`));
  on('save-page', () => runs.current?.page && download(`${nameOf(editor.text)}.html`, runs.current.page, 'text/html'));
  on('save-junit', () => during(() => say('running'), async () => {
    await saveJunit(engine, sourceOf(editor.text), byId('schedule').value.trim());
    ready();
  }));
  document.addEventListener('keydown', (event) => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey) && !document.body.classList.contains('no-story')) {
      event.preventDefault();
      play();
    }
  }, true);
  byId('language').value = language();
  byId('language').addEventListener('change', () => {
    speak(byId('language').value);
    tell(state.status, state.tone);
    byId('notice').lastChild?.replaceWith(state.note());
    state.task?.again();
    if (runs.current) {
      runs.list();
      showRun(runs.current);
    }
  });
  addEventListener('hashchange', openLink);
}

const engine = new Engine((broken) => {
  const isFirst = !state.isReady;
  state.isReady = broken === '';
  if (broken || (isFirst && !runs.current)) {
    tell(() => broken ? say('no_engine', broken) : say('ready'), broken ? 'bad' : '');
  }
  enable();
  editor.look();
  if (state.isReady) {
    state.pending?.();
    state.pending = null;
  }
});

const editor = new Editor(byId('editor'), {
  label: say('editor'),
  schema: async () => JSON.parse((await engine.run(['schema'], {})).stdout),
  check: async (text) => {
    if (!state.isReady || state.busy || !text.trim()) {
      return null;
    }
    try {
      const {file, files} = sourceOf(text);
      const [line] = linesOf(await engine.run(['validate', file, '--json'], files));
      const sentence = line && !line.held ? line.sentence : '';
      byId('wrong').textContent = sentence;
      return sentence;
    } catch {
      return null;  // stopped
    }
  },
  onChange: (isReader) => {
    if (isReader) {
      state.onEdit ? state.onEdit(editor.text) : kept.write('draft', editor.text);
      byId('schedule').value = '';
      byId('changed').hidden = !runs.current || runs.current.source.text === editor.text;
    }
  },
});

speak();
const runs = new Runs({hook: await (await fetch('./hook.js')).text(), onTake: take, onShow: showRun});
listen();
enable();
const [entries, facts] = await Promise.all(['./catalogue.json', './course-list.json'].map(async (place) => (await fetch(place)).json()));
const catalogue = new Catalogue(entries, choose);
const [levels, exercises] = [new Levels(facts.levels, desk), new Exercises(facts, desk)];
if (!await openLink()) {
  const wanted = new URLSearchParams(location.search);
  const [named, level, exercise] = [catalogue.named(wanted.get('story')), levels.named(wanted.get('level')), exercises.named(wanted.get('exercise'))];
  const draft = kept.read('draft');  // what was written here last
  if (level ?? exercise) {
    (level ? levels : exercises).begin(level ?? exercise);
  } else if (draft && !named) {
    fill(draft);
  } else {
    await choose(named ?? catalogue.first);
  }
}
document.body.dataset.filled = 'true';
if ('serviceWorker' in navigator && location.protocol.startsWith('http')) {
  navigator.serviceWorker.addEventListener('controllerchange', () => engine.renew());
  navigator.serviceWorker.register('./offline.js').catch(() => {});
}
