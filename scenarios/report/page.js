// Brings the parts together: reads the data, fills the page, and shows each place of the run.

const data = JSON.parse(document.getElementById('data').textContent);
const player = new Player(data);
const choice = {
  key: null, only: false, client: '',
  choose(key) {
    choice.key = key;
    show();
  },
};
const controls = new Controls(player, choice, () => show());
const timeline = new Timeline(document.getElementById('canvas'), player);
const place = (id) => document.getElementById(id);

/** The place in the items after a step and what follows from it. */
function placeOfStep(step) {
  let found = player.items.findIndex((item) => item.step > step);
  found = found < 0 ? player.items.length : found;
  return found;
}

function fillHead() {
  document.title = `${data.name} – watchlab`;
  place('title').textContent = data.name;
  const outcome = place('outcome');
  outcome.textContent = data.held ? '✓ holds' : `✕ ${data.failure.kind}`;
  outcome.classList.add(data.held ? 'good' : 'bad');
  place('variant').textContent = data.variant ? `variant: ${data.variant}` : '';
  const {first, last, of} = data.window;
  const isPart = first > 1 || last < of;
  place('about-text').append(
    element('p', {class: 'story'}, data.story),
    element('p', {}, `${of} steps, digest ${data.digest}. Schedule: `, element('code', {}, data.schedule)));
  if (isPart) {
    place('head').append(element('p', {class: 'notice', role: 'note'},
      `This page holds steps ${first} to ${last} of ${of}. Make one with --from STEP for others.`));
  }
}

function fillWhy() {
  if (data.held) {
    return;
  }
  const why = place('why');
  why.hidden = false;
  const turns = data.turns.map((turn, i) => element('li', {},
    element('button', {class: 'turn', onclick: () => controls.goToStep(turn.step)},
      `${i + 1} · step ${turn.step}`), ' ', turn.text));
  const {messages} = data.failure;
  const details = element('details', {open: true}, element('summary', {}, 'What went wrong'));
  why.append(details);
  details.append(element('ul', {class: 'messages'},
    messages.map((message) => element('li', {}, isolated(message)))));
  if (turns.length) {
    details.append(element('h2', {}, data.turns_title), element('ol', {class: 'turns'}, turns));
  } else {
    details.append(element('p', {}, data.why ||
      'It fails in the default order, and no single change of order makes this run pass.'));
  }
  const key = firstKey();
  const story = player.items.flatMap((item, i) => item.keys.includes(key) &&
    ['server', 'reflector', 'queue', 'cache', 'handlers'].includes(item.lane) && item.step <= data.window.end
    ? [i + 1] : []).slice(-10);
  if (story.length) {
    details.append(element('h2', {}, 'What became of ', isolated(shortText(data.keys[key]))),
      element('p', {class: 'chain'}, story.map((at) => [element('button', {
        title: player.items[at - 1].text, onclick: () => controls.goTo(at),
      }, `${player.items[at - 1].step} ${chainText(player.items[at - 1])}`), ' → ']).flat().slice(0, -1)));
  }
}

/** An event about a key in a few words, without the key. */
function chainText(item) {
  const whose = data.clients.length > 1 && item.client ? `${item.client}: ` : '';
  const values = item.patches.map((patch) => patch[patch.length - 1]);
  if (item.lane === 'server') {
    const [revision, verb] = values.find(Array.isArray);
    return `server ${verb} ${revision}`;
  }
  if (item.lane === 'queue') {
    const deltas = values.find(Array.isArray);
    return deltas ? `${whose}queued ${deltas[deltas.length - 1].slice(0, 2).join(' ')}`
      : `${whose}${values.length ? 'popped' : 'deduplicated'}`;
  }
  if (item.lane === 'cache') {
    return `${whose}cache ${values[0] === null ? 'without it' : `has ${values[0]}`}`;
  }
  if (item.lane === 'reflector') {
    return `${whose}a list has it`;
  }
  const call = values.find(Array.isArray);
  return `${whose}handler ${call ? `${call[1]} ${call[3]}` : ''}`;
}

function fillChoices() {
  const clients = place('client');
  clients.append(element('option', {value: ''}, 'all'),
    ...data.clients.map((client) => element('option', {value: client.name}, client.name)));
  const keys = place('key');
  keys.append(element('option', {value: ''}, 'none'), ...data.keys.map((key, i) =>
    element('option', {value: String(i)}, shortText(key))));
  place('lane').append(...kTimelineRows.filter((row) => timeline.rows.includes(row))
    .map((row) => element('option', {value: row}, row)));
  place('violation').disabled = !player.items.some((item) => item.lane === 'clauses');
  place('help').append(element('h2', {}, 'Keys'),
    element('dl', {class: 'keys'}, kKeys.flatMap(([key, act]) =>
      [element('dt', {}, element('kbd', {}, key)), element('dd', {}, act)])),
    element('p', {}, 'Signs: +A added, ~M or ~U changed, −D deleted, ↻S resync, ⇄R listed anew, ✝ tombstone. ' +
      'A ▶ stands before what the last step changed. Click on a key to follow it.'),
    element('form', {method: 'dialog'}, element('button', {}, 'close')));
}

/** The key that most violations are about; without any, the one that has the most events. */
function firstKey() {
  const violations = player.items.filter((item) => item.lane === 'clauses' && item.keys.length > 0);
  const counts = new Map();
  for (const key of (violations.length ? violations : player.items).flatMap((item) => item.keys)) {
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  const most = [...counts].sort((a, b) => b[1] - a[1])[0];
  return most ? most[0] : null;
}

function showNow() {
  const {item} = player;
  const task = item && item.task >= 0 ? data.tasks[item.task] : '';
  place('where').replaceChildren(item
    ? element('span', {}, `step ${item.step}, ${timeText(item.at)}`,
      task ? [' · ', isolated(task)] : '', item.isEvent ? ` · ${item.lane}` : '')
    : 'before the first event');
  place('narration').replaceChildren(item
    ? isolated(item.isEvent ? item.text.split('\n')[0] : `${task} ${item.text}`) : 'Press j, or → , to step.');
  place('narration').className = item && item.lane === 'clauses' ? 'broken' : '';
  const next = player.items.slice(player.place).find(controls.wanted);
  place('aside').replaceChildren(item && item.why ? `because: ${item.why}`
    : next ? `next: ${shortText(next.text, 100)}` : 'this is the end');
}

function showList() {
  const rows = [];
  const add = (direction, count) => {
    for (let at = player.place + (direction > 0 ? 1 : 0), found = 0;
      at >= 1 && at <= player.items.length && found < count; at += direction) {
      const item = player.items[at - 1];
      if (controls.isWanted(item) || at === player.place) {
        const row = element('li', {class: at === player.place ? 'current' : null},
          element('button', {
            class: 'event', 'aria-current': at === player.place ? 'step' : null,
            onclick: () => controls.goTo(at),
          }, element('span', {class: 'faint'}, `${item.step} `), isolated(shortText(item.text, 110))));
        direction > 0 ? rows.push(row) : rows.unshift(row);
        ++found;
      }
    }
  };
  add(-1, 7);
  add(1, 12);
  place('list').replaceChildren(heading('Events'), element('ol', {class: 'rows'}, rows));
}

function show() {
  const view = new View(player, choice);
  const stops = controls.stops();
  showNow();
  timeline.draw(stops, controls.wanted, data.turns.map((turn) => placeOfStep(turn.step)));
  const slider = place('slider');
  slider.max = String(stops.length - 1);
  slider.value = String(Math.max(0, stops.findLastIndex((stop) => stop <= player.place)));
  slider.setAttribute('aria-valuetext', place('where').textContent);
  const isStory = data.has_story;
  place('lanes').replaceChildren(...(isStory ? [serverLane(view), element('div', {class: 'clients'},
    data.clients.filter((client) => choice.client === '' || client.name === choice.client)
      .map((client) => clientBox(view, client)))] : []));
  place('lanes').hidden = !isStory;
  place('tasks').hidden = controls.level === 'story';
  if (controls.level === 'locks') {
    place('tasks').replaceChildren(...tasksPanel(view, player.item));
  }
  place('truth').replaceChildren(...truthPanel(view));
  place('truth').hidden = !isStory;
  place('clauses').replaceChildren(...clausesPanel(view, (step) => controls.goToStep(step)));
  showList();
  place('key').value = choice.key === null ? '' : String(choice.key);
  place('client').value = choice.client;
  for (const level of ['story', 'locks']) {
    place(`${level}-level`).setAttribute('aria-pressed', String(controls.level === level));
  }
}

fillHead();
fillWhy();
fillChoices();
controls.listen();
choice.key = firstKey();
place('canvas').addEventListener('click', (event) =>
  controls.goTo(timeline.placeAt(event.offsetX)));
window.addEventListener('resize', show);
show();

// For scripts that drive the page: where it is, what the state is, and how to go elsewhere.
window.watchlab = {
  place: () => player.place,
  places: () => player.items.length,
  state: () => structuredClone(player.state),
  goTo: (to) => controls.goTo(to),
};
