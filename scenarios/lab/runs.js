// The runs that the reader has tried, as a tree, and the page of the one that is shown.
import {byId, element} from './dom.js';
import {say} from './words.js';

/** The data of a step-through page; null for anything else. */
export function dataOf(page) {
  const [, text] = /<script type="application\/json" id="data">(.*?)<\/script>/s.exec(page) ?? [];
  return text ? JSON.parse(text) : null;
}

export class Runs {
  /** `onTake` gets a run, one of its decisions and an alternative; `onShow` the run that is shown now. */
  constructor({hook, onTake, onShow}) {
    this.hook = hook;
    this.onShow = onShow;
    this.clear();
    byId('undo').addEventListener('click', () => this.current?.parent && this.show(this.current.parent));
    byId('wide').addEventListener('click', () => {
      const isWide = document.body.classList.toggle('wide');
      byId('wide').dataset.word = isWide ? 'narrow' : 'wide';
      byId('wide').textContent = say(byId('wide').dataset.word);
      byId('wide').setAttribute('aria-pressed', String(isWide));
    });
    addEventListener('message', ({source, data}) => {
      const [, decision, alternative] = /^(\d{1,6})=(\d{1,6})$/.exec(String(data?.take)) ?? [];
      if (decision && source === this.frame?.contentWindow && this.current) {
        onTake(this.current, Number(decision), Number(alternative), String(data.words).slice(0, 80));
      }
    });
  }

  clear() {
    this.all = [];
    this.current = null;
    this.list();
  }

  add(run) {
    this.all.push(run);
    this.show(run);
  }

  show(run) {
    this.current = run;
    this.list();
    this.showPage(run);
    this.onShow(run);
  }

  /** In a frame that may run scripts, and is no part of this site: it reaches neither this page nor what is kept. */
  showPage({page, step, isRecorded}) {
    byId('page-hint').hidden = Boolean(page);
    this.frame?.remove();
    this.frame = null;
    if (!page) {
      return;
    }
    const end = page.lastIndexOf('</body>');
    const text = isRecorded ? page : `${page.slice(0, end)}<style>#branches > p.faint { display: none }</style><script>${
      this.hook}</script>${page.slice(end)}`;
    const url = URL.createObjectURL(new Blob([text], {type: 'text/html'}));
    this.frame = element('iframe', {sandbox: 'allow-scripts allow-downloads', title: say('step_through'), onload: () => {
      URL.revokeObjectURL(url);
    }});
    this.frame.src = step ? `${url}#step=${step}` : url;
    byId('page').append(this.frame);
  }

  list() {
    const depth = (run) => run.parent ? 1 + depth(run.parent) : 0;
    const rows = (parent) => this.all.filter((run) => run.parent === parent).flatMap((run) => [
      element('li', {style: `--depth: ${Math.min(depth(run), 8)}`}, element('button', {
        class: 'run', 'aria-current': run === this.current ? 'true' : null, onclick: () => this.show(run)},
        element('span', {class: run.held ? 'good' : 'bad'}, run.held ? '✓ ' : '✕ '), run.label,
        run.held ? null : element('span', {class: 'faint'}, ` ${run.kind}`))),
      ...rows(run)]);
    byId('tree').replaceChildren(...rows(null));
    byId('tried').hidden = this.all.length === 0;
    byId('undo').disabled = !this.current?.parent;
  }
}
