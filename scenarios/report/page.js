// Brings the parts together: reads the data, fills the page, and shows each place of the run.

const data = parsed(document.getElementById('data').textContent);
const player = data.other ? new Pair(data) : new Player(data);
const run = player.data;  // of two: what they have in common, and of a failing one why
const withCalls = new Set(player.items.flatMap((item) => item.patches
  .filter(([where, , what]) => where === 'clients' && ['calls', 'prints', 'work'].includes(what))
  .map(([, client]) => client)));
const choice = {
  key: null, only: false, client: '',
  /** Whether a client's calls are shown: those of a run that got stuck only if there are any. */
  hasHandlers: ({name, kind}) => kind !== 'store' && kind !== 'fifo' && (withCalls.has(name) ||
    firstLevel(run) === 'story' || [data, data.other].some((of) => of &&
      Object.keys(of.base.clients[name]?.calls ?? {}).length > 0)),
  choose(key) {
    choice.key = key;
    show();
  },
};
const controls = new Controls(player, choice, () => show());
const timeline = new Timeline(document.getElementById('canvas'), player);
const questions = new Questions(data.questions ?? [], `${data.name} ${data.digest}`, () => show());
controls.hides = (item) => questions.hides(item);
controls.asked = () => questions.due(player).length;
const place = (id) => document.getElementById(id);

/** "✓ holds" or "✕ violation", as a badge. */
function outcomeOf(of) {
  return element('span', {class: `badge ${of.held ? 'good' : 'bad'}`},
    of.held ? '✓ holds' : `✕ ${of.failure.kind}`);
}

function notice(text) {
  place('head').append(element('p', {class: 'notice', role: 'note'}, text));
}

function fillHead() {
  document.title = `${data.name} – watchlab`;
  place('title').textContent = data.name;
  const runs = data.other ? [data, data.other] : [data];
  place('outcome').replaceChildren(...runs.flatMap((of, i) =>
    [runs.length > 1 ? ` ${'AB'[i]} ` : '', outcomeOf(of)]));
  place('variant').textContent = data.variant && !data.other ? `variant: ${data.variant}` : '';
  place('about-text').append(element('p', {class: 'story'}, data.story));
  runs.forEach((each, i) => {
    const {first, last, of} = each.window;
    place('about-text').append(element('p', {}, runs.length > 1 ? `${'AB'[i]}: ` : '',
      `${of} steps, digest ${each.digest}. Schedule: `, element('code', {}, each.schedule)));
    if (first > 1 || last < of) {
      notice(`This page holds steps ${first} to ${last} of ${of}${runs.length > 1 ? ` of run ${'AB'[i]}` : ''}. ` +
        'Make one with --from STEP for others.');
    }
  });
  if (data.other) {
    const {story, locks} = player.differences;
    place('difference').hidden = locks === 0;
    notice(`Two runs side by side. A: ${player.titles[0]}. B: ${player.titles[1]}.${
      locks === 0 ? ' They do the same, step by step.'
        : story === 0 ? ' They tell the same story; only the order of operations differs.' : ''}`);
  }
}

/** What comes of a step: the next event of the same task, if it follows soon. Where that is about
 *  other objects of a list, it is what the list does not do about the one that the run is about. */
function outcomeOfStep(step) {
  const {items} = data.other ? player[player.failing === 'A' ? 'first' : 'second'] : player;
  const at = items.findIndex((item) => item.step === step && !item.isEvent);
  const found = at < 0 ? -1 : items.findIndex((item, i) => i > at && i < at + 60 &&
    item.isEvent && item.task === items[at].task && !['clauses', 'goroutines'].includes(item.lane));
  if (found < 0) {
    return '';
  }
  const list = items.slice(0, found).findLastIndex((item) =>
    isList(item) && item.task === items[at].task) + 1;
  const {place, words} = list > 0 && player.failing !== 'B' ? missingBehind(items, list, firstKey()) : {};
  const text = place > found ? words : items[found].text;
  return element('span', {class: 'content'}, '; then: ', isolated(shortText(text, 160)));
}

/** Whether an event is the answer to a LIST, with the names of all objects in it. */
function isList(item) {
  return item.lane === 'reflector' && item.patches.some((patch) => String(patch.at(-1)).startsWith('has listed')) &&
    item.text.includes(` ${item.keys.length} items`);
}

/** Of a list at a place: behind which place the queue lacks something about that key, and what: the
 *  object, where the list has it; its deletion, where the list does not have what the queue or the
 *  cache of the client has. An empty answer where nothing is missing, or nothing is queued one by one. */
function missingBehind(items, at, key) {
  const list = items[at - 1];
  const {has, queued} = heldBefore(items, at, key);
  const isIn = list.keys.includes(key);
  let last = 0;
  for (let i = at; i < items.length; ++i) {
    const item = items[i];
    const isOf = item.isEvent && item.client === list.client;
    if (isOf && item.lane === 'reflector') {
      break;
    }
    if (isOf && item.lane === 'queue' && item.task === list.task) {
      if (item.keys.includes(key) || item.keys.some((each) => run.keys[each] === kAllKeys)) {
        return {};  // a list as one change has all, and takes away the rest
      }
      last = i + 1;
    }
  }
  const name = run.keys[key];
  return last === 0 || (!isIn && !has) ? {}
    : isIn ? {place: last, sign: '✕ not queued', words: `the list has ${name}, and the queue does not get it`}
      : {place: last, sign: '✕ no deletion queued', words: `the list came without ${name}, which ${queued
        ? 'waits in the queue' : 'the cache holds'}, and no deletion of it is queued`};
}

/** Whether a client has that key in its queue or its cache before a place. */
function heldBefore(items, at, key) {
  const {client} = items[at - 1];
  const last = (lane) => items.slice(0, at - 1).findLast((item) =>
    item.lane === lane && item.client === client && item.patches.length && item.keys.includes(key));
  const value = (item) => item ? item.patches[0].at(-1) : null;
  const queued = value(last('queue')) !== null;
  return {queued, has: queued || value(last('cache')) !== null};
}

/** Those of the events about a key that are worth a look: around the first step that decides. What
 *  should be there and is not has the place behind which it is missing. */
function chainOf(key) {
  const lanes = ['server', 'reflector', 'queue', 'cache', 'handlers'];
  const isWithout = (item, i) => isList(item) && !item.keys.includes(key) &&
    heldBefore(player.items, i + 1, key).has;
  const places = player.items.flatMap((item, i) => lanes.includes(item.lane) && !item.isAfterwards &&
    (item.keys.includes(key) || isWithout(item, i)) ? [i + 1] : []);
  const decides = run.turns.length === 0 ? places.length
    : places.findIndex((place) => player.items[place - 1].step >= run.turns[0].step);
  const from = Math.max(0, Math.min(decides - 5, places.length - 12));
  return {places: places.slice(from, from + 12), before: from > 0, after: from + 12 < places.length};
}

const missingAt = new Map();  // by place: what the queue lacks there about the key that the run is about

/** The steps that decide a run, and what became of the key that it is about. */
function fillWhy() {
  if (run.held) {
    return;
  }
  const turns = run.turns.map((turn, i) => element('li', {},
    element('button', {class: 'turn', onclick: () => controls.goToStep(turn.step)},
      `${i + 1} · step ${turn.step}`), ' ', turn.text, outcomeOfStep(turn.step)));
  const details = element('details', {open: true}, element('summary', {},
    data.other ? `What went wrong in ${player.failing}` : 'What went wrong'));
  place('why').append(details);
  const did = element('div', {class: 'did'}, element('h2', {}, 'What happened'));
  details.append(element('div', {class: 'verdict'}, element('div', {class: 'should'},
    element('h2', {}, 'What should have happened'), element('p', {class: 'story'}, data.story.trim()),
    listOf(shouldOf(run.failure.messages).map((each) => element('li', {}, isolated(each))))), did));
  const messages = messagesOf(run.failure);
  if (turns.length) {
    did.append(element('h3', {}, run.turns_title), element('ol', {class: 'turns'}, turns),
      element('h3', {}, 'What came of it'), messages);
  } else {
    did.append(messages, element('p', {}, run.why || onlyExpected() ||
      'It fails in the default order, and no single change of order makes this run pass.'));
  }
  const key = firstKey();
  const {places, before, after} = chainOf(key);
  const isAboutKey = run.failure.kind === 'violation' && run.has_story;
  if (isAboutKey && places.length && !data.other) {
    const buttons = places.flatMap((at) => {
      const item = player.items[at - 1];
      const missing = isList(item) ? missingBehind(player.items, at, key) : {};
      missingAt.set(missing.place, missing.words);
      return [chainButton(at, chainText(item, key), '')].concat(
        missing.place ? [chainButton(missing.place, missing.sign, 'bad')] : []);
    });
    did.append(element('h3', {}, 'What became of ', isolated(shortText(run.keys[key]))),
      element('p', {class: 'chain'}, before ? '… → ' : '', buttons.map((button, i) =>
        i === 0 ? button : [' → ', button]), after ? ' → …' : ''));
  }
  if (data.other && !data.held && !data.other.held) {
    did.append(element('h3', {}, 'B fails, too'), messagesOf(data.other.failure));
  }
  const patch = player.failing === 'B' ? data.other.patch : data.patch;
  if (patch) {
    details.append(element('h2', {}, 'The defect, as a change of the correct code'),
      element('p', {class: 'faint'}, 'Lines with − are the correct ones, lines with + stand in their place.'),
      diffOf(patch, run.turns));
  }
}

/** What the broken clauses claim, and what the expectations ask for that did not come, a line each. */
function shouldOf(messages) {
  const claims = run.clauses.filter((clause) => clause.broken !== undefined)
    .map((clause) => `${clause.clause} ${clause.name}: ${clause.doc}`);
  const wanted = messages.flatMap((message) => {
    const [line, rest] = /^(line \d+): (.*)$/s.exec(message)?.slice(1) ?? ['', ''];
    const [, subject, what] = /^(.*?): (.*)$/s.exec(rest) ?? [];
    const is = what && (/^(number \d+) should be ('.*'), but is /s.exec(what)?.slice(1).join(': ') ??
      /^('.*?') is missing/s.exec(what)?.slice(1).map((each) => `has ${each}`)[0] ??
      /^after the (\d+) expected ones/.exec(what)?.slice(1).map((count) => `${count} of them, and nothing more`)[0] ??
      /^('.*?') was not expected/s.exec(what)?.slice(1).map((each) => `no ${each}`)[0]);
    return is ? [`${line}: ${subject}: ${is}`] : [];
  });
  return claims.concat(wanted);
}

/** A patch, a line each. The lines at which the steps stand that decide the run are marked. */
function diffOf(patch, turns) {
  const places = turns.flatMap((turn, i) =>
    [...turn.text.matchAll(/([\w.]+):(\d+)/g)].map(([, file, line]) => ({at: `${file}:${line}`, number: i + 1})));
  let [file, line] = ['', 0];
  const rows = patch.slice(Math.max(0, patch.search(/^--- /m))).trimEnd().split('\n').flatMap((text) => {
    if (text.startsWith('--- ')) {
      return [];
    }
    if (text.startsWith('+++ ')) {
      file = text.slice(text.lastIndexOf('/') + 1);
      return [element('li', {class: 'place'}, text.slice(4).replace(/^b\//, ''))];
    }
    const hunk = /^@@ -\d+(?:,\d+)? \+(\d+)/.exec(text);
    if (hunk) {
      line = Number(hunk[1]);
      return [element('li', {class: 'place'}, `line ${line}`)];
    }
    const kind = {'-': 'removed', '+': 'added'}[text[0]];
    const found = kind === 'removed' ? [] : places.filter(({at}) => at === `${file}:${line}`);
    line += kind === 'removed' ? 0 : 1;
    return [element('li', {class: [kind, found.length ? 'decides' : null].filter(Boolean).join(' ') || null},
      `${{'-': '−', '+': '+'}[text[0]] ?? ' '} ${text.slice(1)}`,
      found.map(({number}) => element('span', {class: 'side'}, `  ◀ ${number}`)))];
  });
  return element('ol', {class: 'diff', tabindex: 0, 'aria-label': 'The defect as a diff'}, rows);
}

/** Of a story on two machines that fails on one of them, with no clause broken: what that means. */
function onlyExpected() {
  const machines = data.other ? [data, data.other].map((of) => of.clients.map((client) => client.machine).join()) : [];
  const failing = player.failing === 'B' ? data.other : data;
  return machines[0] !== machines[1] && data.held !== data.other.held &&
    failing.clauses.every((clause) => clause.broken === undefined)
    ? `All clauses hold in ${player.failing}: what the story expects is what the other machine does.` : '';
}

function messagesOf(failure) {
  return element('ul', {class: 'messages'}, failure.messages.map((message) => element('li', {}, isolated(message))));
}

function chainButton(at, text, kind) {
  const item = player.items[at - 1];
  return element('button', {class: kind || null, title: item.text, onclick: () => controls.jump(at)},
    `${item.step} ${text}`);
}

/** An event about a key in a few words, without the key. */
function chainText(item, key) {
  const whose = run.clients.length > 1 && item.client ? `${item.client}: ` : '';
  const values = item.patches.map((patch) => patch[patch.length - 1]);
  if (item.lane === 'server') {
    const [revision, verb] = values.find(Array.isArray);
    return `server ${verb} ${revision}`;
  }
  if (item.lane === 'queue') {
    const deltas = values.find(Array.isArray);
    return deltas ? `${whose}queued ${deltas[deltas.length - 1].slice(0, 2).join(' ')}`
      : `${whose}${values.length === 0 ? 'deduplicated'
        : `popped ${item.text.includes(': ') ? item.text.slice(item.text.lastIndexOf(': ') + 2) : 'the list'}`}`;
  }
  if (item.lane === 'cache') {
    const own = item.patches.find((patch) => patch[2] === 'cache' && patch[3] === String(key));
    return `${whose}cache ${(own ?? [null]).at(-1) === null ? 'without it' : `has ${own.at(-1)}`}`;
  }
  if (item.lane === 'reflector') {
    return `${whose}${item.keys.includes(key) ? 'a list has it' : 'a list does not have it'}`;
  }
  const call = values.find(Array.isArray);
  return `${whose}handler ${call ? `${call[1]} ${call[3]}` : ''}`;
}

function fillChoices() {
  const clients = place('client');
  clients.append(element('option', {value: ''}, 'all'),
    ...run.clients.map((client) => element('option', {value: client.name}, client.name)));
  const keys = place('key');
  keys.append(element('option', {value: ''}, 'none'), ...run.keys.flatMap((key, i) =>
    key === kAllKeys ? [] : [element('option', {value: String(i)}, shortText(key))]));
  place('lane').append(...kTimelineRows.filter((row) => timeline.rows.includes(row))
    .map((row) => element('option', {value: row}, row)));
  place('violation').disabled = !player.items.some((item) => item.lane === 'clauses');
  place('help').append(element('h2', {}, 'Keys'),
    element('dl', {class: 'keys'}, kKeys.filter(([key]) => data.other || key !== 'd').flatMap(([key, act]) =>
      [element('dt', {}, element('kbd', {}, key)), element('dd', {}, act)])),
    element('p', {}, 'Signs: +A added, ~M or ~U changed, −D deleted, ↻S resync, ⇄R listed anew, ✝ tombstone. ' +
      'A ▶ stands before what the last step changed. Click on a key to follow it.'),
    element('form', {method: 'dialog'}, element('button', {}, 'close')));
}

/** The key that most violations are about; without any, the one that has the most events. */
function firstKey() {
  const violations = player.items.filter((item) => item.lane === 'clauses' && item.keys.length > 0);
  const counts = new Map();
  for (const key of (violations.length ? violations : player.items).flatMap((item) => item.keys)
    .filter((each) => run.keys[each] !== kAllKeys)) {
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  const most = [...counts].sort((a, b) => b[1] - a[1])[0];
  return most ? most[0] : null;
}

/** What an item says, unless a question is open that it would answer. */
function wordsOf(item) {
  if (questions.hides(item)) {
    return kHidden;
  }
  return item.isEvent ? item.text : `${run.tasks[item.task]} ${item.text}`;
}

/** "only A " where two runs are shown and only one of them does it. */
function sideOf(item) {
  return item && item.side ? element('span', {class: 'side'}, `only ${item.side}: `) : '';
}

function showNow() {
  const {item} = player;
  const task = item && item.task >= 0 ? run.tasks[item.task] : '';
  place('where').replaceChildren(item
    ? element('span', {}, `step ${item.step}, ${timeText(item.at)}`,
      task ? [' · ', isolated(task)] : '', item.isEvent ? ` · ${item.lane}` : '')
    : 'before the first event');
  place('narration').replaceChildren(sideOf(item), item
    ? isolated(wordsOf(item).split('\n')[0]) : 'Press j, or → , to step.',
  ...(item && item.inOther && !questions.hides(item)
    ? [element('span', {class: 'side'}, ' · in B: '), isolated(item.inOther)] : []),
  missingAt.has(player.place)
    ? element('span', {class: 'bad'}, ' ✕ ', isolated(missingAt.get(player.place))) : '');
  place('narration').className = item && item.lane === 'clauses' ? 'broken' : '';
  const next = player.items.slice(player.place, player.place + 2000).find(controls.wanted);
  place('aside').replaceChildren(...[item && item.why ? prose(`because: ${item.why}`)
    : next ? `next: ${shortText(wordsOf(next), 100)}` : 'this is the end'].flat());
}

function eventRow(at) {
  const item = player.items[at - 1];
  const isCurrent = at === player.place;
  return element('li', {class: isCurrent ? 'current' : null},
    controls.difference === at ? element('span', {class: 'side'}, '≠ here they differ first') : '',
    element('button', {
      class: 'event', 'data-place': at, 'aria-current': isCurrent ? 'step' : null, onclick: () => controls.goTo(at),
    }, element('span', {class: 'faint'}, `${item.step} `), sideOf(item),
    isolated(shortText(wordsOf(item), 110))));
}

function showList() {
  const rows = [];
  const add = (direction, count) => {
    for (let at = player.place + (direction > 0 ? 1 : 0), found = 0;
      at >= 1 && at <= player.items.length && found < count; at += direction) {
      if (controls.isWanted(player.items[at - 1]) || at === player.place) {
        direction > 0 ? rows.push(eventRow(at)) : rows.unshift(eventRow(at));
        ++found;
      }
    }
  };
  add(-1, 7);
  add(1, 12);
  renew(place('list'), heading('Events'), element('ol', {class: 'rows'}, rows));
}

/** A panel with what each of the runs has to say, under its letter where there are two. */
function fillPanel(id, sides, content) {
  const parts = sides.map((view, i) => {
    const made = content(view);
    return sides.length > 1 && made.length ? [element('h3', {class: 'side'}, 'AB'[i]), ...made] : made;
  });
  renew(place(id), parts);
  return parts.some((part) => part.length > 0);
}

function showRuns(views, sides) {
  const runs = views.map((view, i) => runLanes(view, sides[i].title));
  if (runs.length > 1) {
    markDifferences(runs[0], runs[1]);
  }
  place('runs').classList.toggle('two', runs.length > 1);
  renew(place('runs'), runs);
}

let shownClauses = '';

function show() {
  const hidden = questions.hidden(player);
  const sides = player.sides(choice);
  const views = sides.map((side) => new View(side, hidden));
  const stops = controls.stops();
  showNow();
  questions.fill(place('questions'), player);
  place('why').hidden = run.held || questions.open.length > 0;
  timeline.draw(stops, {wanted: controls.wanted, hides: controls.hides, turns: turnPlaces,
    difference: controls.difference,
    filter: [controls.level, choice.client, choice.key, choice.only, questions.open.length].join()});
  const slider = place('slider');
  slider.max = String(stops.length - 1);
  slider.value = String(Math.max(0, stops.findLastIndex((stop) => stop <= player.place)));
  slider.setAttribute('aria-valuetext', place('where').textContent);
  const isStory = data.has_story;
  if (isStory) {
    showRuns(views, sides);
  }
  const isLocks = controls.level === 'locks';
  const waits = fillPanel('waits', views, waitsPicture);
  place('waits').hidden = !waits || !(isLocks || views.some((view) => isStuck(view)));
  place('tasks').hidden = !isLocks;
  if (isLocks) {
    fillPanel('tasks', views, tasksPanel);
  }
  fillPanel('truth', views, truthPanel);
  place('truth').hidden = !isStory;
  const clauses = views.map(clausesState).join();
  if (clauses !== shownClauses) {
    shownClauses = clauses;
    fillPanel('clauses', views, clausesPanel);
  }
  showList();
  showBranches();
  place('key').value = choice.key === null ? '' : String(choice.key);
  place('client').value = choice.client;
  for (const level of ['story', 'locks']) {
    place(`${level}-level`).setAttribute('aria-pressed', String(controls.level === level));
  }
}

const turnPlaces = run.turns.map((turn) => player.placeOfStep(turn.step));
fillHead();
fillWhy();
fillChoices();
controls.listen();
choice.key = firstKey();
place('canvas').addEventListener('click', (event) =>
  controls.goTo(timeline.placeAt(event.offsetX)));
const fitAgain = () => {
  timeline.fit();
  show();
};
window.addEventListener('resize', fitAgain);
matchMedia('(prefers-color-scheme: dark)').addEventListener('change', fitAgain);
branches = new Branches(player, controls);
show();

// For scripts that drive the page: where it is, what the state is, and how to go elsewhere.
window.watchlab = {
  place: () => player.place,
  places: () => player.items.length,
  state: () => structuredClone(player.state),
  other: () => player.second ? structuredClone(player.second.state) : null,
  goTo: (to) => controls.goTo(to),
};
