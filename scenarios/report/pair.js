// Two runs with one cursor: their items, merged as the data align them.

/** Names of two lists as one list. Returns for each number of the second its number in the joint. */
function joined(names, others) {
  const numbers = new Map(names.map((name, i) => [name, i]));
  return others.map((name) => {
    if (!numbers.has(name)) {
      numbers.set(name, names.length);
      names.push(name);
    }
    return numbers.get(name);
  });
}

/** What is different about two runs, as a title of each: variant, machine or schedule. */
function titlesOf(first, second) {
  const machines = (data) => [...new Set(data.clients.map((client) => client.machine))].join(', ');
  const order = (data) => (data.schedule.split(':')[4] ?? '') === ''
    ? 'default order' : 'order of the schedule';
  const facts = [
    (data) => data.name,
    (data) => data.variant ? `core ${data.variant.includes(' ') ? '' : 'in the variant '}${data.variant}`
      : 'core as it is',
    (data) => `machine ${machines(data)}`,
    order,
  ].filter((fact) => fact(first) !== fact(second));
  const title = (data) => facts.map((fact) => fact(data)).join(', ') || data.name;
  const titles = [title(first), title(second)];
  return titles[0] === titles[1] ? [`${titles[0]}, the first`, `${titles[1]}, the second`] : titles;
}

/** Two players, walked through together. An item has `side`: '' for what both runs do, 'A' or 'B'; and
 *  `inOther`: the words of B, where it says the same in other ones. */
class Pair extends Walk {
  constructor(data) {
    super([]);
    const {other, alignment} = data;
    this.first = new Player(data);
    this.second = new Player(other);
    this.titles = titlesOf(data, other);
    this.data = {...data, keys: [...data.keys], tasks: [...data.tasks], clients: [...data.clients]};
    this.keys = joined(this.data.keys, other.keys);
    this.tasks = joined(this.data.tasks, other.tasks);
    const names = new Set(data.clients.map((client) => client.name));
    this.data.clients.push(...other.clients.filter((client) => !names.has(client.name)));
    this.failing = data.held && !other.held ? 'B' : 'A';
    if (this.failing === 'B') {
      for (const name of ['held', 'failure', 'turns', 'turns_title', 'why']) {
        this.data[name] = other[name];
      }
    }
    this.places = [[0, 0]];
    this.merge(alignment);
    const first = (wanted) => this.items.findIndex((item) => item.side !== '' && wanted(item)) + 1;
    this.differences = {
      locks: first(() => true), story: first((item) => item.isEvent && !item.isAfterwards),
    };
  }

  get state() {
    return this.first.state;
  }

  merge(alignment) {
    let [a, b] = [0, 0];
    const add = (item) => {
      this.items.push(item);
      this.places.push([a, b]);
    };
    for (let i = 0; i < alignment.length; i += 3) {
      for (let n = 0; n < alignment[i]; ++n) {
        const [mine, theirs] = [this.first.items[a++], this.ofSecond(this.second.items[b++])];
        const inOther = mine.isEvent && theirs.text !== mine.text ? theirs.text : '';
        add({...mine, side: '', inOther, isAfterwards: mine.isAfterwards && theirs.isAfterwards});
      }
      for (let n = 0; n < alignment[i + 1]; ++n) {
        add({...this.first.items[a++], side: 'A'});
      }
      for (let n = 0; n < alignment[i + 2]; ++n) {
        add({...this.ofSecond(this.second.items[b++]), side: 'B'});
      }
    }
  }

  ofSecond(item) {
    return {...item, task: item.task < 0 ? -1 : this.tasks[item.task],
      keys: item.keys.map((key) => this.keys[key])};
  }

  goTo(place) {
    this.place = Math.max(0, Math.min(place, this.items.length));
    const [a, b] = this.places[this.place];
    this.first.goTo(a);
    this.second.goTo(b);
  }

  placeOfStep(step, side = this.failing) {
    const at = side === 'A' ? this.first.placeOfStep(step) : this.second.placeOfStep(step);
    return this.places.findIndex((place) => place[side === 'A' ? 0 : 1] >= at);
  }

  sides(choice) {
    const back = this.keys.indexOf(choice.key);
    const {side} = this.item ?? {side: ''};
    return [
      {title: `A: ${this.titles[0]}`, player: this.first, choice, moved: side !== 'B',
        goToStep: (step) => this.placeOfStep(step, 'A')},
      {title: `B: ${this.titles[1]}`, player: this.second, moved: side !== 'A',
        choice: {...choice, key: choice.key === null || back < 0 ? null : back,
          choose: (key) => choice.choose(this.keys[key])},
        goToStep: (step) => this.placeOfStep(step, 'B')},
    ];
  }
}
