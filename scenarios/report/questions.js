// Questions that are asked before the answer is shown. What would give it away is hidden until then.

const kHidden = '? hidden until the question is answered';

/** What a browser keeps under a name, for pages of the same place. Where it keeps nothing, as for
 *  some pages from a disk, it is as if nothing had been kept. */
const kept = {
  read(name) {
    try {
      return JSON.parse(localStorage.getItem(name));
    } catch {
      return null;
    }
  },
  write(name, value) {
    try {
      localStorage.setItem(name, JSON.stringify(value));
      return true;
    } catch {
      return false;
    }
  },
};

class Questions {
  /** Answers are kept under the name, so that a page that is opened again knows them. */
  constructor(questions, name, show) {
    this.show = show;
    this.name = `watchlab answers ${name}`;
    const earlier = kept.read(this.name);
    this.all = questions.map((question, i) => {
      const {ask, given, verdict} = Array.isArray(earlier) && earlier[i] ? earlier[i] : {};
      const isKnown = ask === question.ask && typeof given === 'string' &&
        ['right', 'wrong', 'shown'].includes(verdict);
      return {...question, given: isKnown ? given : null, verdict: isKnown ? verdict : ''};
    });
  }

  keep() {
    kept.write(this.name, this.all.map(({ask, given, verdict}) => ({ask, given, verdict})));
    this.show();
  }

  askAgain() {
    for (const question of this.all) {
      question.given = null;
      question.verdict = '';
    }
    this.keep();
  }

  get open() {
    return this.all.filter((question) => question.given === null);
  }

  /** Those to be answered now: what they are about may happen next. */
  due(player) {
    const next = player.items[player.place] ?? player.item;
    return this.open.filter((question) => next && next.at >= question.from);
  }

  /** Whether an item would give an answer away. */
  hides(item) {
    return this.open.some((question) =>
      question.panels.includes(item.lane === 'work' ? 'handlers' : item.lane) &&
      item.at >= question.from);
  }

  /** The parts of the page that are hidden now. */
  hidden(player) {
    return new Set(this.due(player).flatMap((question) => question.panels));
  }

  answer(question, text) {
    const plain = (words) => words.replace(/\s/g, '').toLowerCase();
    if (plain(text) === '') {
      return;
    }
    question.given = text;
    question.verdict = plain(text) === plain(question.answer) ? 'right' : 'wrong';
    this.keep();
  }

  reveal(question) {
    question.given = '';
    question.verdict = 'shown';
    this.keep();
  }

  row(question, isDue) {
    const number = this.all.indexOf(question) + 1;
    const ask = element('strong', {}, `${number}. `, `${question.ask} `);
    if (question.given !== null) {
      const says = question.answer === '' ? 'nothing' : question.answer;
      const words = {right: `✓ right: ${says}`, wrong: `✕ you said ${question.given}; it is ${says}`,
        shown: `it is ${says}`}[question.verdict];
      return element('li', {}, ask,
        element('span', {class: question.verdict === 'wrong' ? 'bad' : 'good'}, words));
    }
    if (!isDue) {
      return null;
    }
    const field = element('input', {
      type: 'text', size: question.is_count ? '4' : '24', autocomplete: 'off',
      inputmode: question.is_count ? 'numeric' : null,
      'aria-label': `Answer to question ${number}`,
    });
    const form = element('form', {}, ask, field, ' ', element('button', {}, 'answer'), ' ',
      element('button', {type: 'button', onclick: () => this.reveal(question)}, 'show me'),
      element('span', {class: 'faint'}, ` hides ${question.panels.map((panel) =>
        kPanelNames[panel] ?? panel).join(' and ')}`));
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      this.answer(question, field.value);
    });
    return element('li', {}, form);
  }

  /** Fills the box of questions. One that is asked already stays as it is: a reader may be typing. */
  fill(box, player) {
    const due = this.due(player);
    const name = this.all.map((question) => `${due.includes(question)}${question.verdict}`).join();
    if (this.filled === name) {
      return;
    }
    this.filled = name;
    const rows = this.all.map((question) => this.row(question, due.includes(question)))
      .filter((row) => row !== null);
    const right = this.all.filter((question) => question.verdict === 'right').length;
    const later = this.open.length - due.length;
    box.hidden = rows.length === 0;
    box.replaceChildren(element('h2', {}, due.length ? 'Before you look' : 'Asked and answered',
      element('span', {class: 'count'}, `${right} of ${this.all.length} right`,
        later ? `; ${later} more to come` : '')), element('ol', {class: 'asked'}, rows),
    this.open.length < this.all.length
      ? element('button', {type: 'button', class: 'again', onclick: () => this.askAgain()}, 'ask me again') : '');
  }
}
