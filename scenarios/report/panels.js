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
      element('button', {onclick: () => controls.jump(view.goToStep(clause.step))},
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

/** Whether these words say that no task can help; while a run goes on that is not yet so. */
function isHelpless(view, because) {
  return /is left that would/.test(view.data.words[because]);
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
      element('th', {scope: 'row'}, isCurrent ? '▶ ' : '', isolated(shortText(tasks[task]))),
      element('td', {}, state === 'waits' ? '‖ waits' : '○ can run'),
      element('td', {}, words[next]),
      element('td', {}, isHelpless(view, because) && !hasStopped(view) ? 'until another task does that'
        : words[because], waitsFor ? ` ⟶ ${waitsFor}` : ''));
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
      const nobody = hasStopped(view) && isHelpless(view, because) ? [-1] : [];
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

const kArrowsShown = 16;

/** The picture of who waits for whom: each arrow turns in a lane of its own, where its number stands. */
function waitsGraph(waits, ring, tasks, label) {
  const involved = [...new Set(waits.flatMap((wait) => [wait.from, wait.to]))]
    .filter((task) => task >= 0).sort((a, b) => a - b);
  const [rowHeight, laneWidth] = [34, 18];
  const y = (task) => involved.indexOf(task) * rowHeight + 17;
  const bend = (i) => 276 + laneWidth * i;
  const look = ({from, to}) => ({class: isOfRing(ring, from, to) ? 'ring' : ''});
  const boxes = involved.map((task) => shape('g', {},
    shape('rect', {x: 4, y: y(task) - 12, width: 250, height: 24, rx: 3,
      class: ring.includes(task) ? 'task ring' : 'task'}),
    shape('text', {x: 12, y: y(task) + 4}, shortText(tasks[task], 36))));
  const arrows = waits.map((wait, i) => {
    const begin = y(wait.from) - 5;
    const end = y(wait.to) + 5;
    return wait.to < 0 ? shape('path', {d: `M254 ${begin} H${bend(i)}`, class: 'wait'})
      : shape('g', look(wait), shape('path', {d: `M254 ${begin} H${bend(i)} V${end} H262`, class: 'wait'}),
        shape('path', {d: `M254 ${end} l9 -4 v8 z`, class: 'head'}));
  });
  const numbers = waits.map((wait, i) => shape('g', look(wait),
    shape('circle', {cx: bend(i), cy: y(wait.from) - 5, r: 8, class: 'number'}),
    shape('text', {x: bend(i), y: y(wait.from) - 1, 'text-anchor': 'middle'}, String(i + 1))));
  const [width, height] = [bend(waits.length - 1) + 12, involved.length * rowHeight + 4];
  return shape('svg', {viewBox: `0 0 ${width} ${height}`, width, height, role: 'img', 'aria-label': label},
    boxes, arrows, numbers);
}

/** Whether a wait is part of the ring, or of what no task can help with. */
function isOfRing(ring, from, to) {
  return to < 0 || (ring.includes(from) && ring.includes(to));
}

/** Who waits for whom: a box for each task, a numbered arrow from one that waits to one that can release it, and
 *  what each arrow says, in lines that may wrap. */
function waitsPicture(view) {
  const waits = waitsOf(view);
  if (waits.length === 0) {
    return [];
  }
  const ring = ringOf(waits);
  const {tasks} = view.data;
  const shown = waits.slice(0, kArrowsShown);
  const lines = waits.map(({from, to, wants, because}, i) => element('li', {
    class: isOfRing(ring, from, to) ? 'broken' : null,
  }, `${i + 1}. `, isolated(shortText(tasks[from], 60)), ` ${shortText(wants, 60)}`,
  to < 0 ? `: ✕ ${shortText(because, 60)}` : [' ⟶ ', isolated(shortText(tasks[to], 60))]));
  const words = waits.map((wait) => `${tasks[wait.from]} ${wait.wants}, ` +
    `${wait.to < 0 ? wait.because : `and waits for ${tasks[wait.to]}`}`).join('; ');
  return [heading('Who waits for whom', waits.length),
    ring.length ? element('p', {class: 'broken'}, '✕ A ring: none of these can continue. ',
      isolated([...ring, ring[0]].map((task) => tasks[task]).join(' ⟶ '))) : '',
    waitsGraph(shown, ring, tasks, words), listOf(lines, kArrowsShown, 'ol')];
}
