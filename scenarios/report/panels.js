// The panels below the lanes: truth, clauses, tasks and who waits for whom.

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
    if (client.kind !== 'fifo' && !view.hidden.has('cache')) {
      rows.push(line(`cache of ${client.name}`, cached || 'does not hold it', is,
        is !== 'as the server' && is !== 'current'));
    }
    const queued = own.queue[key];
    if (queued && queued.deltas && !view.hidden.has('queue')) {
      rows.push(line(`queue of ${client.name}`,
        queued.deltas.map(([type, revision]) => `${type} ${revision}`).join(', '), 'waits', false));
    }
    const called = view.hidden.has('handlers') ? [] : Object.entries(own.delivered);
    for (const [handler, delivered] of called) {
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

/** A clause that is not broken: its name, and what it says when opened. */
function clauseRow(clause, sign) {
  return element('li', {}, element('details', {}, element('summary', {},
    `${sign} ${clause.clause} ${clause.name}${clause.waived ? ' (not checked)' : ''}`),
  ` ${clause.doc}`, clause.waived ? ` Not checked: ${clause.waived}` : ''));
}

/** What the panel of the clauses depends on; it is made anew where this has changed. */
function clausesState({data, state, step}) {
  return [state.story, inOrder(state.clauses).length,
    ...data.clauses.map((clause) => clause.broken !== undefined && step >= clause.step)].join();
}

function clausesPanel(view) {
  const {clauses, failure, held, has_story} = view.data;
  const broken = clauses.filter((clause) => clause.broken !== undefined);
  const rows = broken.map((clause) => {
    const isShown = view.step >= clause.step;
    return element('li', {class: isShown ? 'broken message' : 'message'},
      isShown ? '✕ ' : '✓ ', element('strong', {}, `${clause.clause} ${clause.name}`),
      isShown ? `: violated: ${clause.broken} ` : ' holds up to here; it is violated later ',
      element('button', {onclick: () => controls.goTo(view.goToStep(clause.step))},
        `step ${clause.step}`));
  });
  const rest = clauses.filter((clause) => clause.broken === undefined);
  const failed = inOrder(view.state.clauses);
  const others = failed.filter((text) => !broken.some((clause) => text.includes(clause.broken)))
    .map((text) => element('li', {class: 'broken message'}, `✕ ${text}`));
  const isOver = view.state.story === 'ended';
  const isChecked = has_story && (held || failure.kind === 'violation');
  const sign = isChecked && isOver ? '✓' : '○';
  const says = !isChecked ? 'were not looked at in this run'
    : isOver ? 'hold' : 'are looked at when the story ends';
  return [heading('Clauses', broken.length ? `${broken.length} violated` : ''),
    listOf([...rows, ...others], 20),
    element('details', {}, element('summary', {},
      `${sign} ${rest.length}${broken.length ? ' others' : ''} ${says}`),
    listOf(rest.map((clause) => clauseRow(clause, clause.waived ? '–' : sign)), 200))];
}

/** Every task: what it is about to do, and what a waiting one waits for. */
function tasksPanel(view) {
  const {tasks, words} = view.data;
  const current = view.item;
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

/** Whether this is the end of a run that could not continue. */
function hasStopped(view) {
  return view.isAtEnd && !view.data.held && view.data.failure.kind !== 'violation';
}

/** Who waits for whom: pairs of tasks, with what the one wants; at the end of a run that could not
 *  continue also what no task can help with: `to` is -1. */
function waitsOf(view) {
  const {words} = view.data;
  return Object.entries(view.state.tasks).filter(([, [state]]) => state === 'waits')
    .flatMap(([task, [, next, because, releasers]]) => {
      const wants = words[next].replace(/ \([^()]*\)$/, '');
      const nobody = hasStopped(view) && /is left that would/.test(words[because]) ? [-1] : [];
      return (releasers.length ? releasers : nobody).map((to) =>
        ({from: Number(task), to, wants, because: words[because]}));
    });
}

/** The tasks of a ring in which each waits for the next; empty for none. */
function ringOf(waits) {
  const next = (task) => waits.filter((wait) => wait.from === task).map((wait) => wait.to);
  for (const {from} of waits) {
    const path = [from];
    const seen = new Set(path);
    for (let task = from; ;) {
      const onwards = next(task);
      if (onwards.includes(from)) {
        return path;
      }
      task = onwards.find((each) => !seen.has(each));
      if (task === undefined) {
        break;
      }
      seen.add(task);
      path.push(task);
    }
  }
  return [];
}

/** Whether this is where a run gets stuck: a ring, or the end of one that fails so. */
function isStuck(view) {
  return hasStopped(view) || ringOf(waitsOf(view)).length > 0;
}

/** The wait-for graph: a box for each task, an arrow from one that waits to one that can release it. */
function waitsPicture(view) {
  const waits = waitsOf(view);
  if (waits.length === 0) {
    return [];
  }
  const ring = ringOf(waits);
  const {tasks} = view.data;
  const involved = [...new Set(waits.flatMap((wait) => [wait.from, wait.to]))]
    .filter((task) => task >= 0).sort((a, b) => a - b);
  const shown = waits.slice(0, 16);
  const rowHeight = 34;
  const boxes = involved.map((task, i) => shape('g', {},
    shape('rect', {x: 4, y: i * rowHeight + 5, width: 250, height: 24, rx: 3,
      class: ring.includes(task) ? 'task ring' : 'task'}),
    shape('text', {x: 12, y: i * rowHeight + 21}, shortText(tasks[task], 36))));
  const arrows = shown.map(({from, to, wants, because}, i) => {
    const y = (task) => involved.indexOf(task) * rowHeight + 17;
    if (to < 0) {
      return shape('g', {class: 'ring'}, shape('text', {x: 344, y: y(from)},
        `${shortText(wants, 60)}: ✕ ${shortText(because, 60)}`));
    }
    const [begin, end] = [y(from) - 5, y(to) + 5];
    const bend = 284 + 14 * (i % 4);
    const isRing = ring.includes(from) && ring.includes(to);
    return shape('g', {class: isRing ? 'ring' : ''},
      shape('path', {d: `M254 ${begin} H${bend} V${end} H262`, class: 'wait'}),
      shape('path', {d: `M254 ${end} l9 -4 v8 z`, class: 'head'}),
      shape('text', {x: 344, y: begin + 5}, shortText(wants, 60)));
  });
  const words = waits.map((wait) => `${tasks[wait.from]} ${wait.wants}, ` +
    `${wait.to < 0 ? wait.because : `and waits for ${tasks[wait.to]}`}`).join('; ');
  const more = waits.length > shown.length ? [element('p', {class: 'more'},
    `and ${waits.length - shown.length} more arrows`)] : [];
  const height = involved.length * rowHeight + 4;
  return [heading('Who waits for whom', waits.length),
    ring.length ? element('p', {class: 'broken'}, '✕ A ring: none of these can continue. ',
      isolated([...ring, ring[0]].map((task) => tasks[task]).join(' ⟶ '))) : '',
    shape('svg', {viewBox: `0 0 900 ${height}`, width: 900, height, role: 'img', 'aria-label': words},
      boxes, arrows), ...more];
}
