// What is said below the status of a run: the steps that decide, what to do next, and why it fails.
import {element} from './dom.js';
import {say} from './words.js';

/** Of a recorded run what it breaks; of another one the status says it. */
export const messagesOf = (run) => run.isRecorded ? run.data.failure?.messages ?? [] : [];

export function outcomeOf(run) {
  const {data, held, digest, steps, explanation} = run;
  const why = explanation ? element('details', {open: true}, element('summary', {}, say('why')), element('pre', {tabindex: 0}, explanation)) : '';
  const next = (words) => run.isRecorded || run.level ? '' : element('p', {class: 'faint'}, say(words));
  if (held) {
    return [run.parent ? '' : next('next_explore'), why];
  }
  const turns = data?.turns ?? [];
  return [
    element('ul', {}, messagesOf(run).map((message) => element('li', {}, message))),
    turns.length ? element('h3', {}, say('decisive')) : '',
    element('ol', {}, turns.map(({step, text}) => element('li', {}, element('strong', {}, say('step', step)), ` · ${text}`))),
    run.isRecorded ? '' : element('p', {class: 'faint'}, say('facts', steps, digest)),
    run.note ? element('p', {}, run.note()) : '',
    next(run.isShrunk || run.schedule.length < 200 ? 'next_explain' : 'next_shrink'), why];
}
