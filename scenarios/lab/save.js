// What the reader takes away: a link, and a result for other programs.
import {byId, download, element} from './dom.js';
import {fragmentOf, isSchedule} from './share.js';
import {say} from './words.js';

/** Copies a link to what is shown: a level, an exercise, or the story with its schedule and core. */
export async function share(state, runs, {text, variant}) {
  const {current} = runs;
  const isTask = document.body.classList.contains('no-story');
  if (!isTask) {
    const schedule = current?.source.text === text && !current.isRecorded ? current.schedule : byId('schedule').value.trim();
    state.fragment = `#${await fragmentOf(text, isSchedule(schedule) ? schedule : '', variant)}`;
    history.replaceState(null, '', state.fragment);
  }
  try {
    await navigator.clipboard.writeText(location.href);
    byId('shared').replaceChildren(say(isTask ? 'copied_task' : 'copied'));
  } catch {
    const field = element('input', {readonly: true, value: location.href, 'aria-label': say('copy_this')});
    byId('shared').replaceChildren(say('copy_this'), ' ', field);
    field.select();
  }
}

export async function saveJunit(engine, {file, files, variant}, schedule) {
  const words = isSchedule(schedule) ? ['replay', file, '--schedule', schedule] : ['run', file];
  const answer = await engine.run([...words, '--junit', 'junit.xml'], files, {variant});
  if (!answer.files['junit.xml']) {
    throw new Error(answer.stderr.trim());
  }
  download(file.replace(/yaml$/, 'xml'), answer.files['junit.xml'], 'application/xml');
}
