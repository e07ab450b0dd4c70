// Brings the parts together: what the buttons do, and what the reader is told.
import {Catalogue} from './catalogue.js';
import {byId, download, element, kept} from './dom.js';
import {Editor} from './editor.js';
import {Engine, linesOf, Stopped} from './engine.js';
import {dataOf, Runs} from './runs.js';
import {fragmentOf, isSchedule, storyIn} from './share.js';
import {language, say, speak} from './words.js';

const kContinued = ['random', 'pct', 'pos', 'urw', 'surw', 'feedback', 'portfolio'];  // may go on where they were
const kPart = 1000;  // ms that a part of an exploration takes

const state = {busy: false, status: () => say('loading'), tone: '', explored: 0};
const actions = ['play', 'explore', 'shrink', 'explain', 'save-junit'];

/** A story is played from a file of its name. */
const nameOf = (text) => /^name:\s*['"]?([\w.-]+)/m.exec(text)?.[1] ?? 'story';
const fileOf = (text) => `${nameOf(text)}.yaml`;
const filesOf = (text) => ({[fileOf(text)]: text});

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

/** A call that gives one line of JSON. Throws what the program says instead. */
async function lineOf(args, text, isLong = false) {
  const show = (progress) => lastOf(progress) && tell(() => lastOf(progress));
  const answer = await engine.run([...args, '--json'], filesOf(text), isLong ? show : undefined);
  const line = linesOf(answer).at(-1);
  if (!line || line.kind === 'input') {
    throw new Error(line?.sentence ?? answer.stderr.trim());
  }
  return {line, answer};
}

/** Plays a story under a schedule, and writes its page. */
async function addRun({text, schedule, label, parent = null}) {
  const file = fileOf(text);
  const {line} = await lineOf(schedule ? ['replay', file, '--schedule', schedule] : ['run', file], text);
  tell(() => say('drawing'));
  const {answer} = await lineOf(['report', file, '--schedule', schedule || 'default', '-o', 'page.html'], text);
  const page = answer.files['page.html'];
  const run = {text, schedule: schedule ?? '', label, parent, page, held: line.held, kind: line.kind ?? '',
    sentence: line.sentence ?? '', digest: line.digest, steps: line.steps, data: dataOf(page)};
  runs.add(run);
  return run;
}

/** What is said of a run: whether it holds, and of one that fails the steps that decide. */
function showRun(run) {
  const {data, held, digest, steps, sentence, kind} = run;
  byId('schedule').value = run.schedule;
  const messages = run.isRecorded ? data.failure?.messages ?? [] : [];
  tell(() => held ? say('held', steps, digest) : say('fails', sentence && !messages.length ? `${kind}: ${sentence}` : kind), held ? 'good' : 'bad');
  const turns = data?.turns ?? [];
  byId('outcome').replaceChildren(...held ? [element('p', {class: 'faint'}, run.parent ? '' : say('next_explore'))] : [
    element('ul', {}, messages.map((message) => element('li', {}, message))),
    turns.length ? element('h3', {}, say('decisive')) : '',
    element('ol', {}, turns.map(({step, text}) => element('li', {}, element('strong', {}, say('step', step)), ` · ${text}`))),
    run.isRecorded ? '' : element('p', {class: 'faint'}, say('facts', steps, digest)),
    run.note ? element('p', {}, run.note()) : '',
    run.isRecorded ? '' : element('p', {class: 'faint'}, say(run.isShrunk || run.schedule.length < 200 ? 'next_explain' : 'next_shrink')),
    run.explanation ? explanationOf(run) : '']);
  byId('changed').hidden = run.text === editor.text;
  enable();
}

function explanationOf({explanation}) {
  return element('details', {open: true}, element('summary', {}, say('why')), element('pre', {tabindex: 0}, explanation));
}

const play = () => during(() => say('running'), async () => {
  const schedule = byId('schedule').value.trim();
  runs.clear();
  await addRun({text: editor.text, schedule: isSchedule(schedule) ? schedule : '',
    label: say(state.isFromLink && schedule ? 'by_link' : 'run_label')});
});

/** In parts, so that the reader sees how far it is; each part goes on where the last one was. */
const explore = () => during(() => say('running'), async () => {
  const {text} = editor;
  const [strategy, seed] = [byId('strategy').value, String(Math.max(0, Math.floor(byId('seed').valueAsNumber) || 0))];
  const schedules = Math.min(10_000_000, Math.max(1, Math.floor(byId('schedules').valueAsNumber) || 1000));
  const common = ['explore', fileOf(text), '--strategy', strategy, '--seed', seed];
  const began = performance.now();
  let [line, part, played] = [null, kContinued.includes(strategy) ? 20 : schedules, 0];
  do {
    const start = performance.now();
    const to = Math.min(schedules, state.explored + part);
    tell(() => played === 0 ? say('exploring_whole', strategy) : say('exploring', played, Math.round(played / (start - began) * 1000)));
    ({line} = await lineOf([...common, '--schedules', String(to), ...state.explored ? ['--from', String(state.explored)] : []], text,
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
  const parent = runs.all.find((run) => run.text === text && !run.parent) ?? null;
  if (!parent) {
    runs.clear();
  }
  const run = await addRun({text, schedule: line.schedule, label: say('by_explore', strategy), parent});
  run.note = () => say('found', played, run.sentence || run.kind);
  showRun(run);
});

const shrink = () => during(() => say('shrinking'), async () => {
  const parent = runs.current;
  const {line, answer} = await lineOf(['shrink', fileOf(parent.text), '--schedule', parent.schedule || 'default'], parent.text, true);
  const before = /(\d+) deviations? from/.exec(answer.stderr)?.[1] ?? '?';
  const run = await addRun({text: parent.text, schedule: line.schedule, label: say('by_shrink'), parent});
  run.isShrunk = true;
  run.note = () => say('shrunk', before, line.deviations, line.executions);
  showRun(run);
});

const explain = () => during(() => say('explaining'), async () => {
  const run = runs.current;
  const {line, answer} = await lineOf(['explain', fileOf(run.text), '--schedule', run.schedule || 'default'], run.text);
  run.explanation = line.explanation ?? answer.stderr.trim();
  showRun(run);
  if (run.held && run.explanation) {
    byId('outcome').append(explanationOf(run));
  }
});

/** Plays a run with one decision changed. */
const take = (parent, decision, alternative, words) => during(() => say('running'), async () => {
  const {line, answer} = await lineOf(['branch', fileOf(parent.text), '--schedule', parent.schedule || 'default',
    '--take', `${decision}=${alternative}`, '-o', 'page.html'], parent.text);
  const page = answer.files['page.html'];
  const data = dataOf(page);
  runs.add({text: parent.text, schedule: line.schedule, label: say('by_branch', decision, words), parent, page, held: line.held,
    kind: line.kind, sentence: line.sentence, digest: data.digest, steps: data.window.of, data,
    step: parent.data?.choices?.[decision - 1]?.[0]});
  runs.frame?.focus();
});

async function share() {
  const {current} = runs;
  const text = editor.text;
  const schedule = current?.text === text && !current.isRecorded ? current.schedule : byId('schedule').value.trim();
  const fragment = await fragmentOf(text, isSchedule(schedule) ? schedule : '');
  state.fragment = `#${fragment}`;
  history.replaceState(null, '', state.fragment);
  try {
    await navigator.clipboard.writeText(location.href);
    byId('shared').replaceChildren(say('copied'));
  } catch {
    const field = element('input', {readonly: true, value: location.href, 'aria-label': say('copy_this')});
    byId('shared').replaceChildren(say('copy_this'), ' ', field);
    field.select();
  }
}

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
    fill(linked.text, linked.schedule);
    state.isFromLink = true;
    note(() => say('from_link'));
  } catch {
    note(() => say('bad_link'));
  }
  return true;
}

function fill(text, schedule = '') {
  if (state.busy) {
    engine.stop();
  }
  runs.clear();
  runs.showPage({});
  editor.text = text;
  byId('schedule').value = schedule;
  byId('outcome').replaceChildren();
  byId('changed').hidden = true;
  note(() => '');
  byId('shared').replaceChildren();
  state.isFromLink = false;
  if (state.isReady) {
    tell(() => say('ready'));
  }
  enable();
}

async function choose(entry) {
  fill(entry.text, entry.live ? entry.schedule : '');
  if (entry.live !== undefined) {
    note(() => say(entry.live ? 'piece_live' : 'piece_recorded'), entry.story);
  }
  if (entry.page) {
    const page = await (await fetch(entry.page)).text();
    const data = dataOf(page);
    if (editor.text === entry.text && data) {
      runs.add({text: entry.text, schedule: '', label: say('recorded'), parent: null, page, isRecorded: true, held: data.held,
        kind: data.failure?.kind ?? '', sentence: '', digest: data.digest,
        steps: data.window.of, data});
    }
  }
}

async function saveJunit() {
  const {text} = editor;
  await during(() => say('running'), async () => {
    const schedule = byId('schedule').value.trim();
    const words = isSchedule(schedule) ? ['replay', fileOf(text), '--schedule', schedule] : ['run', fileOf(text)];
    const {files, stderr} = await engine.run([...words, '--junit', 'junit.xml'], filesOf(text));
    if (!files['junit.xml']) {
      throw new Error(stderr.trim());
    }
    download(`${nameOf(text)}.xml`, files['junit.xml'], 'application/xml');
    tell(() => say('ready'));
  });
}

function listen() {
  const on = (id, act) => byId(id).addEventListener('click', act);
  on('play', play);
  on('explore', explore);
  on('shrink', shrink);
  on('explain', explain);
  on('stop', () => engine.stop());
  on('share', share);
  on('save-story', () => download(fileOf(editor.text), editor.text, 'application/yaml'));
  on('save-schedule', () => download(`${nameOf(editor.text)}.schedule.txt`, `${runs.current?.data?.schedule ?? byId('schedule').value}\n`));
  on('save-page', () => runs.current?.page && download(`${nameOf(editor.text)}.html`, runs.current.page, 'text/html'));
  on('save-junit', saveJunit);
  document.addEventListener('keydown', (event) => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      play();
    }
  }, true);
  byId('language').value = language();
  byId('language').addEventListener('change', () => {
    speak(byId('language').value);
    tell(state.status, state.tone);
    byId('notice').lastChild?.replaceWith(state.note());
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
});

const editor = new Editor(byId('editor'), {
  label: say('editor'),
  schema: async () => JSON.parse((await engine.run(['schema'], {})).stdout),
  check: async (text) => {
    if (!state.isReady || state.busy || !text.trim()) {
      return null;
    }
    try {
      const line = linesOf(await engine.run(['validate', fileOf(text), '--json'], filesOf(text)))[0];
      const sentence = line && !line.held ? line.sentence : '';
      byId('wrong').textContent = sentence;
      return sentence;
    } catch {
      return null;  // stopped
    }
  },
  onChange: (isReader) => {
    if (isReader) {
      kept.write('draft', editor.text);
      byId('schedule').value = '';
      byId('changed').hidden = !runs.current || runs.current.text === editor.text;
    }
  },
});

speak();
const runs = new Runs({hook: await (await fetch('./hook.js')).text(), onTake: take, onShow: showRun});
listen();
enable();
const catalogue = new Catalogue(await (await fetch('./catalogue.json')).json(), choose);
if (!await openLink()) {
  const named = catalogue.named(new URLSearchParams(location.search).get('story'));
  const draft = kept.read('draft');  // what was written here last
  if (draft && !named) {
    fill(draft);
  } else {
    await choose(named ?? catalogue.named('missed_delete') ?? catalogue.entries[0]);
  }
}
document.body.dataset.filled = 'true';
if ('serviceWorker' in navigator && location.protocol.startsWith('http')) {
  navigator.serviceWorker.register('./offline.js').catch(() => {});
}
