// The lanes: each function makes the content of one from the state.

/** The parts of the page as people call them. */
const kPanelNames = {
  wire: 'In flight', reflector: 'Reflector', queue: 'Queue', cache: 'Cache', handlers: 'Handler calls',
};

const kAllKeys = '*';  // of what a queue has about all objects at once

/** What the lanes of a run ask: the state, the time, what the last item changed, which key is
 *  chosen, and which parts are hidden until a question is answered. */
class View {
  constructor({player, choice, moved, goToStep}, hidden) {
    this.data = player.data;
    this.state = player.state;
    this.item = player.item;
    this.at = player.item ? player.item.at : 0;
    this.step = player.item ? player.item.step : 0;
    this.isAtEnd = player.place === player.items.length || (player.item && player.item.isAfterwards);
    this.choice = choice;
    this.hidden = hidden;
    this.goToStep = goToStep;
    this.changed = (player.item && moved ? player.item.patches : [])
      .map((patch) => patch.slice(0, -1).join('\u0000'));
  }

  /** Whether the last item changed this place, or something inside of it. */
  isNew(...path) {
    const place = path.join('\u0000');
    return this.changed.some((each) => each === place || each.startsWith(`${place}\u0000`));
  }

  keyName(key) {
    return this.data.keys[key];
  }

  isShown(key) {
    return !this.choice.only || this.choice.key === null || Number(key) === this.choice.key ||
      this.keyName(key) === kAllKeys;
  }

  /** A key as a button that chooses it. */
  keyButton(key) {
    if (this.keyName(key) === kAllKeys) {
      return element('em', {}, 'all objects');
    }
    const chosen = Number(key) === this.choice.key;
    return element('button', {
      class: 'key', 'aria-pressed': String(chosen), title: `Show the truth of ${this.keyName(key)}`,
      onclick: () => this.choice.choose(Number(key)),
    }, isolated(shortText(this.keyName(key))));
  }

  row(isNew, ...children) {
    return element('li', {class: isNew ? 'new' : null},
      isNew ? element('span', {class: 'mark', title: 'changed just now'}, '▶') : '', children);
  }

  /** The revisions that the server gave a key of that collection, in order. */
  revisionsOf(resource, key) {
    if (!this.writes) {
      this.writes = new Map();
      for (const entry of inOrder(this.state.server.log)) {
        const name = `${entry[3]}/${entry[2]}`;
        const known = this.writes.get(name);
        known ? known.push(entry) : this.writes.set(name, [entry]);
      }
    }
    return this.writes.get(`${resource}/${key}`) ?? [];
  }

  /** What the server has of a key now: its revision, or "" for nothing. */
  onServer(resource, key) {
    return this.state.server.objects[`${resource}/${key}`] ?? '';
  }

  /** How a revision in a cache compares with the server: "current", "behind by 2", "ghost". */
  compared(resource, key, revision) {
    const now = this.onServer(resource, key);
    if (now === revision) {
      return 'current';
    }
    const later = this.revisionsOf(resource, key)
      .filter((entry) => Number(entry[0]) > Number(revision)).length;
    if (now === '') {
      return 'ghost';
    }
    return later === 0 ? 'ahead' : `behind by ${later}`;
  }
}

function heading(text, count) {
  return element('h3', {}, text,
    count === undefined ? '' : element('span', {class: 'count'}, String(count)));
}

/** A lane with its heading. Its content is not made while it is hidden. */
function lane(view, name, title, count, ...content) {
  const isHidden = view.hidden.has(name);
  return element('div', {class: `lane ${name}`, 'data-lane': name},
    heading(title, isHidden ? '' : count),
    isHidden ? element('p', {class: 'masked'}, kHidden) : content);
}

function nothing(words) {
  return element('p', {class: 'faint'}, words);
}

/** Where each open watch is: the revision that its client has, and whether the server is ahead. */
function watchRows(view) {
  return view.data.clients.map((client) => {
    const own = view.state.clients[client.name];
    const at = Math.max(Number(own.received ?? 0), Number(own.rv ?? 0));  // of a new watch, what it asked for
    const ahead = at === 0 ? 0 : inOrder(view.state.server.log).filter((entry) =>
      entry[3] === client.resource && Number(entry[0]) > Number(at)).length;
    return own.stream !== 'open' ? null : view.row(view.isNew('clients', client.name, 'stream'),
      isolated(client.name), element('span', {class: 'rv'}, ` at ${at || '?'}`),
      ahead && client.selects.length === 0 ? element('strong', {class: 'stale'}, ` ${writesText(ahead)} to come`) : '');
  }).filter((row) => row !== null);
}

const kWritesShown = 12;

function serverLane(view) {
  const {server} = view.state;
  const numbers = Object.keys(server.log);
  const all = numbers.filter((n) => view.isShown(server.log[n][2]));
  const isEvicted = (n) => n !== undefined && server.window &&
    Number(server.log[n][0]) <= Number(server.window);
  const rows = all.slice(-kWritesShown).flatMap((n, i, shown) => {
    const [revision, verb, key, , content] = server.log[n];
    const row = view.row(view.isNew('server', 'log', n),
      element('span', {class: 'rv'}, revision), sign(verb), ' ', view.keyButton(key),
      element('span', {class: 'content'}, content));
    return isEvicted(n) && !isEvicted(shown[i + 1]) ? [row, element('li', {class: 'cut'},
      'history above is evicted: a watch from there gets 410')] : [row];
  });
  const faults = Object.keys(server.faults)
    .map((name) => view.row(view.isNew('server', 'faults', name), '⚡ ', name));
  const hidden = all.length - Math.min(all.length, kWritesShown);
  const isHidden = view.hidden.has('wire');
  const watches = isHidden ? [] : watchRows(view);
  return lane(view, 'server', 'Server', server.rv && `rv ${server.rv}`,
    hidden ? element('p', {class: 'more'}, `${hidden} earlier`) : '',
    listOf(rows, rows.length), heading('Open watches', isHidden ? '?' : watches.length),
    isHidden ? nothing(kHidden) : listOf(watches, 8),
    heading('Faults in place', faults.length), listOf(faults, 8));
}

function wireLane(view, client) {
  const rows = Object.entries(view.state.wire)
    .filter(([, message]) => message[5] === client.name)
    .filter(([, message]) => message[3] === null || view.isShown(message[3]))
    .map(([number, [from, to, what, , sent]]) => view.row(view.isNew('wire', number),
      element('span', {class: 'arrow'}, from.startsWith('server') ? '→' : '←'),
      isolated(` ${what} `), element('span', {class: 'faint', title: `${from} to ${to}`},
        `since ${timeText(sent)}`)));
  return lane(view, 'wire', 'In flight', rows.length,
    rows.length ? listOf(rows, 12) : nothing('nothing'));
}

function reflectorLane(view, client, own) {
  const rows = [['does', 'phase'], ['asked', 'asked'], ['from', 'rv'], ['received', 'received'],
    ['watch', 'stream']]
    .filter(([, name]) => own[name])
    .map(([words, name]) => {
      const isNew = view.isNew('clients', client.name, name);
      return [element('dt', {}, words), element('dd', {class: isNew ? 'new' : null},
        isNew ? element('span', {class: 'mark'}, '▶') : '', String(own[name]))];
    });
  const requests = inOrder(own.requests);
  return lane(view, 'reflector', 'Reflector', undefined, element('dl', {}, rows.flat()),
    requests.length ? nothing(`last answer: ${requests[requests.length - 1]}`) : '');
}

function deltaText(view, [type, revision, isTombstone]) {
  return element('span', {class: 'delta'}, sign(type), ` ${type}`,
    revision ? element('span', {class: 'rv'}, ` ${revision}`) : '', isTombstone ? ' ✝' : '');
}

function queueLane(view, client, own) {
  const all = Object.entries(own.queue).sort((a, b) => (a[1].order ?? 0) - (b[1].order ?? 0));
  const rows = all.filter(([key]) => view.isShown(key));
  const rowOf = ([key, {deltas}]) => view.row(view.isNew('clients', client.name, 'queue', key),
    view.keyButton(key), ' ', (deltas ?? []).map((delta) => deltaText(view, delta)));
  return lane(view, 'queue', 'Queue', all.length,
    rows.length ? listOf(rows, 12, 'ol', rowOf) : nothing('empty'));
}

function cacheLane(view, client, own) {
  const kept = Object.keys(own.cache).map((key) => ({
    key, revision: own.cache[key], is: view.compared(client.resource, key, own.cache[key]),
  }));
  kept.sort((a, b) => (a.is === 'current') - (b.is === 'current') || a.key - b.key);
  const rows = kept.filter(({key}) => view.isShown(key));
  const rowOf = ({key, revision, is}) =>
    view.row(view.isNew('clients', client.name, 'cache', key), view.keyButton(key),
      element('span', {class: 'rv'}, ` ${revision} `),
      is === 'current' ? '' : element('strong', {class: is === 'ghost' ? 'ghost' : 'stale'},
        is === 'ghost' ? 'ghost: gone on the server' : is));
  const missing = Object.keys(view.state.server.objects)
    .filter((name) => name.startsWith(`${client.resource}/`))
    .map((name) => name.slice(client.resource.length + 1))
    .filter((key) => !Object.hasOwn(own.cache, key));
  const lacks = client.selects.length === 0 ? missing.filter((key) => view.isShown(key)) : [];
  const index = Object.entries(own.index ?? {}).sort(([a], [b]) => a < b ? -1 : 1);
  const indexRow = ([label, keys]) => view.row(view.isNew('clients', client.name, 'index', label),
    isolated(shortText(label)), ': ', keys.filter((each) => view.isShown(each)).slice(0, 6)
      .map((each) => view.keyButton(each)), keys.length > 6 ? ` and ${keys.length - 6} more` : '');
  return lane(view, 'cache', 'Cache', kept.length,
    rows.length ? listOf(rows, 12, 'ul', rowOf) : nothing('empty'),
    lacks.length ? element('p', {}, element('strong', {class: 'stale'}, 'not here: '),
      lacks.slice(0, 6).map((key) => view.keyButton(key)),
      lacks.length > 6 ? ` and ${lacks.length - 6} more` : '') : '',
    client.selects.length ? nothing(`selects ${client.selects.join(', ')}`) : '',
    index.length ? [heading('Index by label', index.length), listOf(index, 8, 'ul', indexRow)] : '');
}

function callRow(view, client, n, call) {
  const [handler, type, key, revision, before, , ends, flags] = call;
  const runs = ends > view.at ? element('strong', {}, ` runs until ${timeText(ends)}`) : '';
  return view.row(view.isNew('clients', client.name, 'calls', n), sign(type), ' ',
    view.keyButton(key), element('span', {class: 'rv'}, before ? ` ${before}→${revision}` : ` ${revision}`),
    flags ? element('span', {class: 'faint'}, ` ${flags}`) : '',
    element('span', {class: 'faint'}, ` ${handler}`), runs);
}

function handlersLane(view, client, own) {
  const all = Object.keys(own.calls);
  const numbers = view.choice.only ? all.filter((n) => view.isShown(own.calls[n][2])) : all;
  const rows = numbers.slice(-8).map((n) => callRow(view, client, n, own.calls[n]));
  const prints = inOrder(own.prints).slice(-6).map((text) => element('li', {}, isolated(`“${text}”`)));
  const work = Object.entries(own.work).filter(([key]) => view.isShown(key))
    .map(([key, {waits, worker}]) => view.row(view.isNew('clients', client.name, 'work', key),
      view.keyButton(key), worker ? ` with ${worker}` : '', waits ? ' waits' : ''));
  const none = rows.length + prints.length + work.length === 0;
  return lane(view, 'handlers', 'Handler calls', numbers.length,
    numbers.length > 8 ? element('p', {class: 'more'}, `${numbers.length - 8} earlier`) : '',
    rows.length ? listOf(rows, 8) : none ? nothing('none yet') : '',
    prints.length ? [heading('Prints', inOrder(own.prints).length), listOf(prints, 6)] : '',
    work.length || client.kind === 'controller'
      ? [heading('Work queue', work.length), listOf(work, 8)] : '');
}

/** A row for each goroutine of a program that the schedule let go out of its turn: what it did last. */
function goroutinesLane(view, client, own) {
  const rows = Object.entries(own.goroutines).map(([name, deed]) =>
    view.row(view.isNew('clients', client.name, 'goroutines', name),
      element('strong', {}, isolated(name)), ` ${deed}`));
  return lane(view, 'goroutines', 'Goroutines out of turn', rows.length, listOf(rows, 12));
}

function clientBox(view, client, title) {
  const own = view.state.clients[client.name];
  return element('section', {class: 'client', 'aria-label': `Client ${client.name}${title === '' ? '' : `, ${title}`}`},
    element('h2', {}, isolated(client.name), element('span', {class: 'faint'},
      ` ${client.kind} of ${client.resource}, machine ${client.machine}` +
      `${own.ended ? `, ended: ${own.ended}` : ''}`)),
    element('div', {class: 'row'}, wireLane(view, client), reflectorLane(view, client, own),
      client.kind === 'store' ? '' : queueLane(view, client, own),
      client.kind === 'fifo' ? '' : cacheLane(view, client, own),
      view.choice.hasHandlers(client) ? handlersLane(view, client, own) : '',
      own.goroutines ? goroutinesLane(view, client, own) : ''));
}

/** All lanes of a run, of the chosen client or of all. */
function runLanes(view, title) {
  const clients = view.data.clients.filter((client) =>
    view.choice.client === '' || client.name === view.choice.client);
  return element('section', {class: 'run', 'aria-label': title === '' ? 'Lanes' : title},
    title === '' ? element('h2', {class: 'words'}, 'Lanes') : element('h2', {}, isolated(title)), serverLane(view),
    element('div', {class: 'clients'}, clients.map((client) => clientBox(view, client, title))));
}

/** Marks the lanes of two runs that do not show the same. */
function markDifferences(first, second) {
  const lanes = (run) => [...run.querySelectorAll('[data-lane]')];
  // What a list brings is the same, whether a queue calls it Sync or Replaced.
  const words = (each) => each.textContent.replace(/▶|⇄R Replaced|↻S Sync/g, '');
  const theirs = new Map(lanes(second).map((each, i) => [`${i} ${each.dataset.lane}`, each]));
  lanes(first).forEach((mine, i) => {
    const other = theirs.get(`${i} ${mine.dataset.lane}`);
    if (other && words(mine) !== words(other)) {
      for (const each of [mine, other]) {
        each.classList.add('differs');
        each.querySelector('h3').append(element('span', {class: 'mark'}, ' ≠ differs'));
      }
    }
  });
}
