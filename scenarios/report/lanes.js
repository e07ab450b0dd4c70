// The lanes: each function makes the content of one from the state.

/** What the lanes ask: the state, the time, what the last item changed, and which key is chosen. */
class View {
  constructor(player, choice) {
    this.data = player.data;
    this.state = player.state;
    this.at = player.item ? player.item.at : 0;
    this.step = player.item ? player.item.step : 0;
    this.choice = choice;
    this.changed = (player.item ? player.item.patches : [])
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
    return !this.choice.only || this.choice.key === null || Number(key) === this.choice.key;
  }

  /** A key as a button that chooses it. */
  keyButton(key) {
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
        this.writes.set(name, [...(this.writes.get(name) ?? []), entry]);
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

function serverLane(view) {
  const {server} = view.state;
  const rows = [];
  for (const n of Object.keys(server.log).map(Number).sort((a, b) => a - b)) {
    const [revision, verb, key, , content] = server.log[n];
    if (view.isShown(key)) {
      rows.push(view.row(view.isNew('server', 'log', String(n)),
        element('span', {class: 'rv'}, revision), sign(verb), ' ', view.keyButton(key),
        element('span', {class: 'content'}, content)));
    }
    if (server.window === revision) {
      rows.push(element('li', {class: 'cut'}, 'history above is evicted: a watch from there gets 410'));
    }
  }
  const faults = Object.keys(server.faults)
    .map((name) => view.row(view.isNew('server', 'faults', name), '⚡ ', name));
  const hidden = Math.max(0, rows.length - 12);
  return element('div', {class: 'lane server'}, heading('Server', server.rv && `rv ${server.rv}`),
    hidden ? element('p', {class: 'more'}, `${hidden} earlier`) : '',
    listOf(rows.slice(hidden), 12), heading('Faults in place', faults.length),
    listOf(faults, 8));
}

function wireLane(view, client) {
  const rows = Object.entries(view.state.wire)
    .filter(([, message]) => message[5] === client.name)
    .filter(([, message]) => message[3] === null || view.isShown(message[3]))
    .map(([number, [from, to, what, , sent]]) => view.row(view.isNew('wire', number),
      element('span', {class: 'arrow'}, from.startsWith('server') ? '→' : '←'),
      isolated(` ${what} `), element('span', {class: 'faint', title: `${from} to ${to}`},
        `since ${timeText(sent)}`)));
  return element('div', {class: 'lane wire'}, heading('In flight', rows.length),
    rows.length ? listOf(rows, 12) : element('p', {class: 'faint'}, 'nothing'));
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
  return element('div', {class: 'lane reflector'}, heading('Reflector'),
    element('dl', {}, rows.flat()), requests.length
      ? element('p', {class: 'faint'}, `last answer: ${requests[requests.length - 1]}`) : '');
}

function deltaText(view, [type, revision, isTombstone]) {
  return element('span', {class: 'delta'}, sign(type), ` ${type}`,
    revision ? element('span', {class: 'rv'}, ` ${revision}`) : '', isTombstone ? ' ✝' : '');
}

function queueLane(view, client, own) {
  const all = Object.entries(own.queue).sort((a, b) => (a[1].order ?? 0) - (b[1].order ?? 0));
  const rows = all.filter(([key]) => view.isShown(key))
    .map(([key, {deltas}]) => view.row(view.isNew('clients', client.name, 'queue', key),
      view.keyButton(key), ' ', (deltas ?? []).map((delta) => deltaText(view, delta))));
  return element('div', {class: 'lane queue'}, heading('Queue', all.length),
    rows.length ? listOf(rows, 12, 'ol') : element('p', {class: 'faint'}, 'empty'));
}

function cacheLane(view, client, own) {
  const kept = Object.keys(own.cache).map((key) => ({
    key, revision: own.cache[key], is: view.compared(client.resource, key, own.cache[key]),
  }));
  kept.sort((a, b) => (a.is === 'current') - (b.is === 'current') || a.key - b.key);
  const rows = kept.filter(({key}) => view.isShown(key)).map(({key, revision, is}) =>
    view.row(view.isNew('clients', client.name, 'cache', key), view.keyButton(key),
      element('span', {class: 'rv'}, ` ${revision} `),
      is === 'current' ? '' : element('strong', {class: is === 'ghost' ? 'ghost' : 'stale'},
        is === 'ghost' ? 'ghost: gone on the server' : is)));
  const missing = Object.keys(view.state.server.objects)
    .filter((name) => name.startsWith(`${client.resource}/`))
    .map((name) => name.slice(client.resource.length + 1))
    .filter((key) => !Object.hasOwn(own.cache, key));
  const lacks = client.selects.length === 0 ? missing.filter((key) => view.isShown(key)) : [];
  return element('div', {class: 'lane cache'}, heading('Cache', kept.length),
    rows.length ? listOf(rows, 12) : element('p', {class: 'faint'}, 'empty'),
    lacks.length ? element('p', {}, element('strong', {class: 'stale'}, 'not here: '),
      lacks.slice(0, 6).map((key) => view.keyButton(key)),
      lacks.length > 6 ? ` and ${lacks.length - 6} more` : '') : '',
    client.selects.length ? element('p', {class: 'faint'}, `selects ${client.selects.join(', ')}`) : '');
}

function callRow(view, client, n, call) {
  const [handler, type, key, revision, before, , ends, flags] = call;
  const runs = ends > view.at ? element('strong', {}, ` runs until ${timeText(ends)}`) : '';
  return view.row(view.isNew('clients', client.name, 'calls', String(n)), sign(type), ' ',
    view.keyButton(key), element('span', {class: 'rv'}, before ? ` ${before}→${revision}` : ` ${revision}`),
    flags ? element('span', {class: 'faint'}, ` ${flags}`) : '',
    element('span', {class: 'faint'}, ` ${handler}`), runs);
}

function handlersLane(view, client, own) {
  const numbers = Object.keys(own.calls).map(Number).sort((a, b) => a - b)
    .filter((n) => view.isShown(own.calls[n][2]));
  const rows = numbers.slice(-8).map((n) => callRow(view, client, n, own.calls[n]));
  const prints = inOrder(own.prints).slice(-6).map((text) => element('li', {}, isolated(`“${text}”`)));
  const work = Object.entries(own.work).filter(([key]) => view.isShown(key))
    .map(([key, {waits, worker}]) => view.row(view.isNew('clients', client.name, 'work', key),
      view.keyButton(key), worker ? ` with ${worker}` : '', waits ? ' waits' : ''));
  const none = rows.length + prints.length + work.length === 0;
  return element('div', {class: 'lane handlers'}, heading('Handler calls', numbers.length),
    numbers.length > 8 ? element('p', {class: 'more'}, `${numbers.length - 8} earlier`) : '',
    rows.length ? listOf(rows, 8) : none ? element('p', {class: 'faint'}, 'none yet') : '',
    prints.length ? [heading('Prints', inOrder(own.prints).length), listOf(prints, 6)] : '',
    work.length || client.kind === 'controller'
      ? [heading('Work queue', work.length), listOf(work, 8)] : '');
}

function clientBox(view, client) {
  const own = view.state.clients[client.name];
  return element('section', {class: 'client', 'aria-label': `Client ${client.name}`},
    element('h2', {}, isolated(client.name), element('span', {class: 'faint'},
      ` ${client.kind} of ${client.resource}${own.ended ? `, ended: ${own.ended}` : ''}`)),
    element('div', {class: 'row'}, wireLane(view, client), reflectorLane(view, client, own),
      client.kind === 'store' ? '' : queueLane(view, client, own),
      client.kind === 'fifo' ? '' : cacheLane(view, client, own),
      client.kind === 'store' || client.kind === 'fifo' ? '' : handlersLane(view, client, own)));
}

function writesText(count) {
  return count === 1 ? '1 write' : `${count} writes`;
}

/** Where the chosen key is: on the server, in each cache, as each handler was last called. */
function truthPanel(view) {
  const {key} = view.choice;
  if (key === null) {
    return [heading('Truth'), element('p', {class: 'faint'}, 'choose a key: click on one')];
  }
  const line = (where, what, verdict, isBad) => element('tr', {},
    element('th', {scope: 'row'}, where), element('td', {}, what),
    element('td', {class: isBad ? 'stale' : null}, verdict));
  const rows = [];
  const seen = new Set(Object.keys(view.state.server.objects)
    .concat(inOrder(view.state.server.log).map((entry) => `${entry[3]}/${entry[2]}`))
    .filter((name) => name.slice(name.lastIndexOf('/') + 1) === String(key)));
  for (const name of seen) {
    const resource = name.slice(0, name.lastIndexOf('/'));
    const revision = view.onServer(resource, key);
    rows.push(line(`server, ${resource}`, revision || 'does not exist',
      writesText(view.revisionsOf(resource, key).length), false));
  }
  for (const client of view.data.clients) {
    const own = view.state.clients[client.name];
    const cached = own.cache[key] ?? '';
    const now = view.onServer(client.resource, key);
    const is = cached === '' ? (now === '' ? 'as the server' : 'missing')
      : view.compared(client.resource, key, cached);
    if (client.kind !== 'fifo') {
      rows.push(line(`cache of ${client.name}`, cached || 'does not hold it', is,
        is !== 'as the server' && is !== 'current'));
    }
    const queued = own.queue[key];
    if (queued && queued.deltas) {
      rows.push(line(`queue of ${client.name}`,
        queued.deltas.map(([type, revision]) => `${type} ${revision}`).join(', '), 'waits', false));
    }
    for (const [handler, delivered] of Object.entries(own.delivered)) {
      const last = delivered[key];
      if (last) {
        const isGone = last[0] === 'delete';
        const same = isGone ? now === '' : now === last[1];
        rows.push(line(`${client.name}: ${handler}`, `last call: ${last[0]} ${last[1]}`,
          same ? 'as the server' : 'not as the server', !same));
      }
    }
  }
  return [heading('Truth of '), element('p', {class: 'chosen'}, isolated(view.keyName(key))),
    element('table', {}, element('tbody', {}, rows))];
}

function clausesPanel(view, goToStep) {
  const broken = view.data.clauses.filter((clause) => clause.broken !== undefined);
  const rows = broken.map((clause) => {
    const isShown = view.step >= clause.step;
    return element('li', {class: isShown ? 'broken message' : 'message'},
      isShown ? '✕ ' : '○ ', element('strong', {}, `${clause.clause} ${clause.name}`),
      isShown ? `: ${clause.broken} ` : ' holds up to here; it is broken later ',
      element('button', {onclick: () => goToStep(clause.step)}, `step ${clause.step}`));
  });
  const held = view.data.clauses.filter((clause) => clause.broken === undefined);
  const failed = inOrder(view.state.clauses);
  const others = failed.filter((text) => !broken.some((clause) => text.includes(clause.broken)))
    .map((text) => element('li', {class: 'broken message'}, `✕ ${text}`));
  const isOver = view.state.story === 'ended';
  const restText = `${held.length}${broken.length ? ' others' : ''}`;
  const isChecked = view.data.has_story &&
    (view.data.held || view.data.failure.kind === 'violation');
  return [heading('Clauses', broken.length ? `${broken.length} broken` : ''),
    listOf([...rows, ...others], 20),
    element('details', {}, element('summary', {}, !isChecked
      ? `${restText} were not looked at in this run`
      : isOver ? `${restText} hold` : `${restText}: looked at when the story ends`),
    listOf(held.map((clause) => element('li', {},
      element('strong', {}, `${clause.clause} ${clause.name}`), ` ${clause.doc}`,
      clause.waived ? ` (not checked: ${clause.waived})` : '')), 200))];
}

/** Every task: what it is about to do, and what a waiting one waits for. */
function tasksPanel(view, current) {
  const {tasks, words} = view.data;
  const rows = Object.keys(view.state.tasks).map(Number).sort((a, b) => a - b).map((task) => {
    const [state, next, because, releasers] = view.state.tasks[task];
    const isCurrent = current && current.task === task;
    const waitsFor = releasers.map((releaser) => tasks[releaser]).join(', ');
    return element('tr', {class: `${isCurrent ? 'current ' : ''}${view.isNew('tasks', String(task)) ? 'new' : ''}`},
      element('th', {scope: 'row'}, isCurrent ? '▶ ' : '', isolated(tasks[task])),
      element('td', {}, state === 'waits' ? '‖ waits' : '○ can run'),
      element('td', {}, words[next]),
      element('td', {}, words[because], waitsFor ? ` ⟶ ${waitsFor}` : ''));
  });
  return [heading('Tasks and locks', rows.length),
    element('table', {class: 'tasks'}, element('thead', {}, element('tr', {},
      ['task', 'state', 'is about to', 'because; who can release it'].map((text) =>
        element('th', {scope: 'col'}, text)))), element('tbody', {}, rows))];
}
