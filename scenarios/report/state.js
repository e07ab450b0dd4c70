'use strict';
// The run as the page has it: items in order, each with what it changes, and a state that follows.

/** Applies a patch to a state: names of members, then the value; null takes the member away.
 *  Returns the patch that takes it back. */
function applyPatch(state, patch) {
  let inner = state;
  for (let i = 0; i + 2 < patch.length; ++i) {
    const name = patch[i];
    if (!Object.hasOwn(inner, name) || typeof inner[name] !== 'object' || inner[name] === null) {
      const before = Object.hasOwn(inner, name) ? inner[name] : null;
      const undo = [...patch.slice(0, i + 1), before];
      setMember(inner, name, {});
      applyPatch(state, patch);
      return undo;
    }
    inner = inner[name];
  }
  const last = patch[patch.length - 2];
  const value = patch[patch.length - 1];
  const undo = [...patch.slice(0, -1), Object.hasOwn(inner, last) ? inner[last] : null];
  if (value === null) {
    delete inner[last];
  } else {
    // A copy: later patches change what is inside of it, and this one may be applied again.
    setMember(inner, last, typeof value === 'object' ? structuredClone(value) : value);
  }
  return undo;
}

/** Also for a name such as "__proto__". */
function setMember(object, name, value) {
  Object.defineProperty(object, name,
    {value, writable: true, enumerable: true, configurable: true});
}

/** The events and steps of the data, in the order of the run. What comes after the end of the story
 *  is about the clients' own end. */
function itemsOf(data) {
  const items = [];
  const {first, last, end} = data.window;
  let at = 0;
  let next = 0;
  const takeEvents = (step) => {
    for (; next < data.events.length && data.events[next][0] <= step; ++next) {
      const [of, time, task, lane, client, keys, text, patches] = data.events[next];
      items.push({
        step: of, at: time, task, lane, client, keys, text, patches, isEvent: true,
        isAfterwards: of > end,
      });
    }
  };
  takeEvents(first - 1);
  for (let step = first; step <= last; ++step) {
    const i = step - first;
    at += data.steps.at[i];
    const why = data.steps.handover[step];
    items.push({
      step, at, task: data.steps.task[i], lane: 'tasks', client: '', keys: [],
      text: data.steps.deeds[data.steps.deed[i]],
      why: why === undefined ? '' : data.steps.deeds[why],
      patches: data.task_patches[step] ?? [], isEvent: false, isAfterwards: step > end,
    });
    takeEvents(step);
  }
  return items;
}

/** Something with items in an order, and a place among them. Place n is after the first n items. */
class Walk {
  constructor(items) {
    this.items = items;
    this.place = 0;
    this.differences = {story: 0, locks: 0};  // of two runs: the first place of what only one does
  }

  /** The item that happened last; undefined at the start. */
  get item() {
    return this.items[this.place - 1];
  }

  /** The nearest place from here, in that direction, whose item is wanted; -1 for none. */
  find(direction, wanted) {
    for (let place = this.place + direction; place >= 1 && place <= this.items.length;
      place += direction) {
      if (wanted(this.items[place - 1])) {
        return place;
      }
    }
    return -1;
  }

  /** The place after a step and all that follows from it. */
  placeOfStep(step) {
    const found = this.items.findIndex((item) => item.step > step);
    return found < 0 ? this.items.length : found;
  }
}

/** A run: its items, and the state at the place. */
class Player extends Walk {
  constructor(data) {
    super(itemsOf(data));
    this.data = data;
    this.state = structuredClone(data.base);
    this.undo = [];
  }

  /** The runs that are shown, with what each did last and which of its keys is chosen. */
  sides(choice) {
    return [{title: '', player: this, choice, moved: true, goToStep: (step) => this.placeOfStep(step)}];
  }

  goTo(place) {
    const target = Math.max(0, Math.min(place, this.items.length));
    while (this.place < target) {
      this.undo[this.place] =
        this.items[this.place].patches.map((patch) => applyPatch(this.state, patch));
      ++this.place;
    }
    while (this.place > target) {
      --this.place;
      for (const patch of this.undo[this.place].reverse()) {
        applyPatch(this.state, patch);
      }
    }
  }
}
