// What else could have run: the decisions between this place and the next stop, what would have gone another way,
// and how to play it. A page of `serve-report` plays it itself; any other page says by which command.

const kDecisionsShown = 12;

/** A word as a shell takes it. */
function quoted(word) {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

kKeys.push(['b', 'to what else could run here']);

class Branches {
  constructor(player, controls) {
    this.player = player.first ?? player;  // of two runs the first: its decisions are listed
    this.second = player.second ?? null;
    this.controls = controls;
    this.session = player.data.session ?? null;
    this.choices = (player.data.choices ?? []).map(([step, kind, what, taken, options, tasks], i) =>
      ({number: i + 1, step, kind, what, taken, options, tasks}));
    this.nextOf = this.operations();
    this.panel = element('section', {id: 'branches', class: 'lane', tabindex: '0', 'aria-label': 'What else could run'});
    this.command = '';
    document.getElementById('main').before(...(this.session ? [this.sessionPanel()] : []));
    document.getElementById('below').before(this.panel);
    document.addEventListener('keydown', (event) => this.press(event));
    const step = Number(new URLSearchParams(location.hash.slice(1)).get('step'));
    if (step > 0) {
      this.goBefore(step + 1);
    }
  }

  /** Before that step; at the level of locks, where each of them is a place. */
  goBefore(step) {
    this.controls.level = 'locks';
    this.controls.goToStep(step - 1);
  }

  press(event) {
    const isField = event.target.matches('input[type=search], select');
    if (event.key === 'b' && !isField && !event.ctrlKey && !event.altKey && !event.metaKey) {
      this.panel.scrollIntoView({block: 'nearest'});
      this.panel.focus();
    }
  }

  /** Of each task, what it is about to do, from which step on. */
  operations() {
    const found = {};
    const note = (step, task, value) => {
      (found[task] ??= []).push([step, value === null ? null : value[1]]);
    };
    Object.entries(this.player.data.base?.tasks ?? {}).forEach(([task, value]) => note(0, task, value));
    for (const [step, patches] of Object.entries(this.player.data.task_patches ?? {})) {
      patches.forEach(([, task, value]) => note(Number(step), task, value));
    }
    return found;
  }

  wordsOf(task, step) {
    const last = (this.nextOf[task] ?? []).findLast(([from]) => from <= step);
    return last && last[1] !== null ? this.player.data.words[last[1]] : '';
  }

  /** The decisions between this place and the next one at which stepping stops. */
  here() {
    const {items, place} = this.player;
    const from = place === 0 ? 0 : items[place - 1].step;
    const next = items.slice(place).find((item) => this.controls.isWanted(item) && item.step > from);
    const to = next ? next.step : this.player.data.window.last + 1;
    return this.choices.filter(({step}) => step >= from && step < to);
  }

  /** What each alternative of a decision that was not taken means, in words. */
  alternatives(choice) {
    const answers = [];
    for (let i = 0; i < choice.options; ++i) {
      if (i !== choice.taken) {
        const task = choice.tasks[i];
        answers.push({decision: choice.number, alternative: i, task, words: task === undefined
          ? this.answerText(choice, i)
          : `${this.player.data.tasks[task]} ${choice.kind === 'actor' ? this.wordsOf(task, choice.step) : ''}`});
      }
    }
    return answers;
  }

  answerText(choice, index) {
    if (choice.kind === 'value' || choice.kind === 'advance') {
      return choice.options === 2 ? `${choice.what}: ${index === 1 ? 'yes' : 'no'}` : `${choice.what}: ${index + 1}`;
    }
    if (choice.kind === 'order') {  // what has no promised order
      return `${choice.what}: ${['sorted', 'the other way round', 'shuffled'][index]}`;
    }
    if (choice.kind === 'handover') {
      return `${choice.what}: ${index === 0 ? 'none, the first task that comes gets it'
        : choice.options === 2 ? 'the one that has waited longest' : `number ${index} of those that have waited longest`}`;
    }
    return `${choice.what}: alternative ${index + 1} of ${choice.options}`;
  }

  /** At the story level each task that could run instead stands once: at the first place where it could. */
  rows() {
    const seen = new Set();
    const isFirst = ({task}) => {
      const isNew = task === undefined || this.controls.level === 'locks' || !seen.has(task);
      seen.add(task);
      return isNew;
    };
    return this.here().map((choice) => ({choice, answers: this.alternatives(choice).filter(isFirst)}))
      .filter(({answers}) => answers.length > 0);
  }

  takenText(choice) {
    const task = choice.tasks[choice.taken];
    return task === undefined ? this.answerText(choice, choice.taken)
      : `${this.player.data.tasks[task]} ${choice.kind === 'actor' ? 'continues' : `(${choice.what})`}`;
  }

  program() { return this.player.data.program || './watchlab'; }

  commandFor({decision, alternative}) {
    const {data} = this.player;
    const variant = data.variant ? ` --variant ${quoted(data.variant)}` : '';
    const starts = data.starts_programs ? ' --allow-run' : '';
    return `${this.program()} branch ${quoted(data.path || data.name)}${variant}${starts} --schedule '${data.schedule}' --take ${decision}=${alternative} -o branch.html`;
  }

  button(answer) {
    if (this.session) {
      return element('form', {method: 'post', action: `/run/${this.session.run}/take`},
        element('input', {type: 'hidden', name: 'decision', value: String(answer.decision)}),
        element('input', {type: 'hidden', name: 'alternative', value: String(answer.alternative)}),
        element('button', {class: 'answer', type: 'submit'}, isolated(answer.words)));
    }
    return element('button', {class: 'answer', 'data-take': `${answer.decision}=${answer.alternative}`, onclick: () => {
      this.command = this.commandFor(answer);
      this.show();
    }}, isolated(answer.words));
  }

  show() {
    if (this.player.data.choices === undefined || this.choices.length === 0) {
      this.panel.hidden = true;
      return;
    }
    const rows = this.rows();
    const list = listOf(rows.map(({choice, answers}) => element('li', {},
      element('span', {class: 'faint'}, `decision ${choice.number}, before step ${choice.step + 1}: `),
      isolated(this.takenText(choice)), element('span', {class: 'faint'}, '; instead: '),
      answers.map((answer) => this.button(answer)))), kDecisionsShown, 'ol');
    renew(this.panel, heading(this.second ? 'What else could run here in A' : 'What else could run here', rows.length),
      rows.length ? list : element('p', {class: 'faint'}, 'Nothing: up to the next stop there is one way only.'),
      this.command ? element('p', {role: 'status'}, 'To play that: ', element('code', {class: 'command'}, this.command)) : '',
      this.session ? '' : element('p', {class: 'faint'},
        `Click an alternative for the command that plays it. \`${this.program()} serve-report\` plays it in the page.`),
      this.player.data.has_story ? element('p', {class: 'faint'},
        'A fault is a choice here where its story says `choice: true`; others act as the story says.') : '',
      this.savePanel());
  }

  savePanel() {
    const {session, player} = this;
    const links = session
      ? [element('a', {href: `/run/${session.run}/schedule.txt`}, 'schedule'), ' or ',
        element('a', {href: `/run/${session.run}/scenario.yaml`}, 'scenario file')]
      : [this.scheduleLink(player.data, this.second ? 'schedule-a.txt' : 'schedule.txt')];
    return element('p', {}, this.second ? 'Save run A as ' : 'Save this run as ', links,
      this.second ? [', run B as ', this.scheduleLink(this.second.data, 'schedule-b.txt')] : '');
  }

  scheduleLink({schedule}, name) {
    return element('a', {download: name, href: `data:text/plain,${encodeURIComponent(`${schedule}\n`)}`}, 'schedule');
  }

  /** The runs of the session, and the level if one is played. */
  sessionPanel() {
    const {run, runs, level} = this.session;
    const depth = (n) => n === 0 ? 0 : 1 + depth(runs[n].parent);
    const rows = runs.map((each, n) => [element('li', {class: n === run ? 'chosen' : null},
      '· '.repeat(depth(n)), element('a', {href: `/run/${n}${each.step ? `#step=${each.step}` : ''}`,
        'aria-current': n === run ? 'page' : null}, n === 0 ? 'the first run' : `run ${n}, from step ${each.step + 1}`),
      ' ', element('span', {class: each.held ? 'good' : 'bad'}, each.held ? '✓ holds' : `✕ ${each.outcome}`),
      ` · ${each.choices} ${each.choices === 1 ? 'choice' : 'choices'}`, each.won ? ' · ★ won' : '')]);
    const parts = [element('ol', {class: 'rows'}, rows)];
    if (level) {
      parts.unshift(...this.levelParts(level, runs[run]));
    }
    return element('section', {id: 'session', class: 'lane', 'aria-label': level ? 'Level' : 'Runs'},
      heading(level ? level.title : 'Runs'), parts);
  }

  levelParts(level, current) {
    const left = level.choices - current.choices;
    const state = level.after ? '★ Won.' : level.broken ? 'It is broken, but by too many choices: go back and use fewer.'
      : left < 0 ? 'Too many choices: go back to an earlier run.'
        : `You are ${level.you_are}. ${left} of ${level.choices} ${level.choices === 1 ? 'choice' : 'choices'} left.`;
    return [element('p', {class: 'story'}, level.task),
      element('p', {}, 'To break: ', element('code', {}, level.goal)),
      element('p', {class: level.after ? 'good' : null, role: 'status'}, state),
      level.after ? element('p', {class: 'story'}, level.after) : ''];
  }
}

let branches = null;

/** Called each time that the page shows a place. */
function showBranches() {
  branches?.show();
}
