// What a reader can do: step, jump, filter, search and play.

const kKeys = [
  ['j, →', 'forward one event'], ['k, ←', 'back one event'],
  ['n, p', 'next event of the same task, and the one before'],
  ['], [', 'next change of the chosen lane, and the one before'],
  ['v', 'to the violation'], ['1, 2, …', 'to a step that decides the run'],
  ['d', 'of two runs: to the first difference at this level'],
  ['Home, End', 'to the start, to the end'], ['space', 'play or pause'],
  ['l', 'story level or locks level'], ['/', 'search; Enter finds the next, Shift+Enter the one before'],
  ['Esc', 'out of a field, or close this'], ['?', 'these keys'],
];

/** The level at which what matters happens: operations of a program, and of a run that got stuck. */
function firstLevel({has_story, held, failure}) {
  return has_story && (held || ['violation', 'exception'].includes(failure.kind)) ? 'story' : 'locks';
}

class Controls {
  constructor(player, choice, show) {
    this.player = player;
    this.choice = choice;
    this.show = show;
    this.timer = null;
    this.level = firstLevel(player.data);
    this.wanted = (item) => this.isWanted(item);
    this.hides = () => false;
    this.asked = () => 0;
    this.known = {};
  }

  /** Whether stepping stops at an item: at this level, and about the chosen client and key. */
  isWanted(item) {
    if (this.level === 'story' && (!item.isEvent || item.isAfterwards)) {
      return false;
    }
    const isAlways = ['faults', 'story', 'clauses'].includes(item.lane) || !item.isEvent;
    const {client, key, only} = this.choice;
    const ofClient = client === '' || item.client === client || item.lane === 'server' || isAlways;
    const ofKey = !only || key === null || item.keys.includes(key) || isAlways;
    return ofClient && ofKey;
  }

  /** The places at which stepping stops at this level, whatever is filtered; the start is one. */
  stops() {
    this.known[this.level] ??= [0, ...this.player.items.flatMap((item, i) =>
      this.level === 'locks' || (item.isEvent && !item.isAfterwards) ? [i + 1] : [])];
    return this.known[this.level];
  }

  goTo(place) {
    if (place >= 0) {
      this.player.goTo(place);
      this.show();
    }
    return place >= 0;
  }

  /** To a place that was asked for by itself: on a small screen what happens there may be out of sight. */
  jump(place) {
    const went = this.goTo(place);
    document.getElementById('now').scrollIntoView({block: 'nearest'});
    return went;
  }

  /** To the place after a step and all that follows from it. */
  goToStep(step) {
    return this.jump(this.player.placeOfStep(step));
  }

  move(direction) {
    const place = this.player.find(direction, this.wanted);
    return this.goTo(place < 0 && direction < 0 ? 0 : place);
  }

  moveInTask(direction) {
    const task = this.task ?? (this.player.item ? this.player.item.task : -1);
    const place = this.player.find(direction, (item) => item.task === task && this.isWanted(item));
    return task >= 0 && this.goTo(place);
  }

  moveInLane(direction) {
    const lane = document.getElementById('lane').value;
    return this.goTo(this.player.find(direction,
      (item) => item.isEvent && item.lane === lane && this.isWanted(item)));
  }

  goToViolation() {
    const place = this.player.items.findIndex((item) => item.lane === 'clauses');
    return this.jump(place < 0 ? -1 : place + 1);
  }

  /** The first place at which only one of two runs does something, at this level; 0 for none. */
  get difference() {
    return this.player.differences[this.level];
  }

  goToDifference() {
    if (!this.difference) {
      this.level = 'locks';
    }
    return this.jump(this.difference || -1);
  }

  search(direction) {
    const words = document.getElementById('search').value.toLowerCase();
    const matches = (item) => words !== '' && (this.level === 'locks' || item.isEvent) &&
      item.text.toLowerCase().includes(words) && !this.hides(item);
    const places = this.player.items.flatMap((item, i) => matches(item) ? [i + 1] : []);
    const at = this.player.place;
    const next = direction > 0 ? places.find((place) => place > at) ?? places[0]
      : places.findLast((place) => place < at) ?? places[places.length - 1];
    this.goTo(next ?? -1);
    document.getElementById('found').textContent = words === '' ? ''
      : places.length ? `${places.indexOf(next) + 1} of ${places.length}` : 'nothing found';
  }

  setLevel(level) {
    this.level = level;
    this.show();
  }

  play() {
    if (this.timer !== null) {
      clearTimeout(this.timer);
      this.timer = null;
    } else {
      const tick = () => {
        const asked = this.asked();
        this.timer = this.move(1) && this.asked() <= asked  // a new question stops it
          ? setTimeout(tick, Number(document.getElementById('speed').value)) : null;
        this.showPlaying();
      };
      this.timer = setTimeout(tick, 50);
    }
    this.showPlaying();
  }

  showPlaying() {
    const button = document.getElementById('play');
    button.textContent = this.timer === null ? 'play' : 'pause';
    button.setAttribute('aria-pressed', String(this.timer !== null));
  }

  listen() {
    const on = (id, event, act) => document.getElementById(id).addEventListener(event, act);
    on('first', 'click', () => this.goTo(0));
    on('last', 'click', () => this.goTo(this.stops().at(-1)));
    on('back', 'click', () => this.move(-1));
    on('forward', 'click', () => this.move(1));
    on('task-back', 'click', () => this.moveInTask(-1));
    on('task-forward', 'click', () => this.moveInTask(1));
    on('lane-back', 'click', () => this.moveInLane(-1));
    on('lane-forward', 'click', () => this.moveInLane(1));
    on('violation', 'click', () => this.goToViolation());
    on('difference', 'click', () => this.goToDifference());
    on('play', 'click', () => this.play());
    on('story-level', 'click', () => this.setLevel('story'));
    on('locks-level', 'click', () => this.setLevel('locks'));
    on('help-button', 'click', () => document.getElementById('help').showModal());
    on('slider', 'input', (event) => this.goTo(this.stops()[Number(event.target.value)]));
    on('client', 'change', (event) => {
      this.choice.client = event.target.value;
      this.show();
    });
    on('key', 'change', (event) =>
      this.choice.choose(event.target.value === '' ? null : Number(event.target.value)));
    on('only', 'change', (event) => {
      this.choice.only = event.target.checked;
      this.show();
    });
    on('search', 'keydown', (event) => {
      if (event.key === 'Enter') {
        this.search(event.shiftKey ? -1 : 1);
        event.preventDefault();
      }
    });
    document.addEventListener('keydown', (event) => this.press(event));
  }

  press(event) {
    const isField = event.target.matches('input[type=search], input[type=text], select');
    if (event.key === 'Escape' && isField) {
      event.target.blur();
    }
    if (isField || event.ctrlKey || event.altKey || event.metaKey ||
        document.getElementById('help').open) {
      return;
    }
    const isSlider = event.target.id === 'slider';
    const acts = {
      j: () => this.move(1), ArrowRight: () => this.move(1), k: () => this.move(-1),
      ArrowLeft: () => this.move(-1), n: () => this.moveInTask(1), p: () => this.moveInTask(-1),
      ']': () => this.moveInLane(1), '[': () => this.moveInLane(-1), v: () => this.goToViolation(),
      d: () => this.goToDifference(),
      Home: () => this.goTo(0), End: () => this.goTo(this.stops().at(-1)),
      l: () => this.setLevel(this.level === 'story' ? 'locks' : 'story'),
      '?': () => document.getElementById('help').showModal(),
      '/': () => document.getElementById('search').focus(),
    };
    const turn = this.player.data.turns[Number(event.key) - 1];
    if (event.key === ' ' && !event.target.matches('button, summary, input')) {
      acts[' '] = () => this.play();
    }
    if (turn && event.key.length === 1) {
      acts[event.key] = () => this.goToStep(turn.step);
    }
    if (acts[event.key] && !(isSlider && event.key.startsWith('Arrow'))) {
      event.preventDefault();
      acts[event.key]();
    }
  }
}
