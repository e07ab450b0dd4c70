#!/usr/bin/env node
// wasm_course.mjs MODULE_FOLDER ROOT: whether the course without a compiler, as a module of WebAssembly, hands out, checks
// and keeps what the program does, and knows nothing that students must not. Where the broken builds are there (./dev wasm
// --variants course), the answers of instructors are right.
import fs from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

const [folder, root] = process.argv.slice(2);
const { loadWatchlab } = await import(pathToFileURL(path.resolve(folder, 'watchlab.mjs')));
const lab = await loadWatchlab();
const exercises = path.join(root, 'exercises');
let passed = 0;
let failed = 0;

function want(holds, message) {
  holds ? ++passed : ++failed;
  if (!holds) {
    console.log(`FAIL  ${message}`);
  }
}

// A student: what one call leaves, the next one finds.
class Student {
  files = {};

  async call(...words) {
    const answer = await lab.run(words, { program: 'watchlab-course', files: this.files });
    Object.assign(this.files, answer.files);
    return { ...answer, text: answer.stdout + answer.stderr };
  }

  async wants(words, status, ...parts) {
    const answer = await this.call(...words);
    want(answer.status === status && parts.every((part) => answer.text.includes(part)),
      `${words.join(' ')} ends with ${answer.status}, expected ${status} and ${parts.join(', ')}:\n${answer.text}`);
    return answer;
  }
}

const read = (...names) => fs.readFileSync(path.join(exercises, ...names), 'utf8');

// Nothing that a bundle does not have.
const course = fs.readFileSync(path.join(folder, 'course.json'), 'utf8');
want(!/instructor\/|\.patch/.test(course), 'course.json names what is secret');
for (const slug of fs.readdirSync(exercises).filter((name) => course.includes(`"exercises/${name}/`))) {
  for (const name of ['answers.yaml', 'answers.zh.yaml'].filter((each) => fs.existsSync(path.join(exercises, slug, 'instructor', each)))) {
    const lines = read(slug, 'instructor', name).split('\n').map((line) => line.trim()).filter((line) => line.length >= 40);
    const known = lines.find((line) => course.includes(JSON.stringify(line).slice(1, -1)));
    want(known === undefined, `course.json has a line of ${slug}/instructor/${name}: ${known}`);
  }
}

// Predictions are locked before the truth is shown, and what is right there is right here.
const student = new Student();
const kAnswers = 'homework/21-in-which-order/answers.yaml';
await student.wants(['list'], 0, 'E21', 'E13', 'E17');
await student.wants(['start', 'E21'], 0, 'In which order?');
want('homework/21-in-which-order/questions.html' in student.files && 'homework/progress.json' in student.files, 'start leaves no page of questions');
await student.wants(['check', 'E21'], 1, '0 of 5 answers are locked');
student.files['few.yaml'] = 'answers: {last_state: b}\n';
await student.wants(['predict', 'E21', '--answers', 'few.yaml'], 2, 'nothing is locked');
student.files['mine.yaml'] = 'answers: {steps_of_a_relist: "b, d, e, c, a", way_of_a_deletion: "a, b, c, d, e, f", requests_in_all: 6, '
  + 'calls_after_the_cut: "add default/green", last_state: b}\n';
const revealed = await student.wants(['predict', 'E21', '--answers', 'mine.yaml'], 0, 'shown when it is graded', 'Hand in', 'more points are open');
want(/✓ .*requests/.test(revealed.text) || /✗ .*requests/.test(revealed.text), `what is measured is not shown:\n${revealed.text}`);
want(student.files[kAnswers].includes('what: revealed'), 'the reveal is not in the record');
await student.wants(['check', 'E21'], 1, 'points are open');
await student.wants(['list'], 0, 'done');
const kept = student.files[kAnswers];
student.files[kAnswers] = kept.replace('"a, b, c, d, e, f"', '"d, b, f, a, e, c"');
await student.wants(['check', 'E21'], 1, 'what was locked has been edited');
student.files[kAnswers] = kept;
const chinese = await lab.run(['start', 'E07'], { program: 'watchlab-course', env: { WATCHLAB_LANG: 'zh' } });
want('homework/07-resync/README.zh.md' in chinese.files && chinese.status === 0, 'start knows no Chinese');
await student.wants(['hint', 'E21'], 0);
await student.wants(['check', 'E99'], 2, 'E99');

// The tour plays its stories; the rest needs broken builds.
await student.wants(['start', 'E00'], 0);
await student.wants(['check', 'E00'], 0, 'held');
const instructors = { E09: ['09-bad-weather', 4], E13: ['13-cold-cases', 4], E17: ['17-break-it-by-a-story', 3] };
for (const [id, [slug, builds]] of Object.entries(instructors)) {
  if (!lab.builds.includes(`${slug}/build_1`)) {
    continue;
  }
  await student.wants(['start', id], 0);
  await student.wants(['check', id], 1, `0 of ${builds}`);
  const answers = id === 'E17' ? ['solution/build_1.yaml', 'solution/build_2.yaml', 'solution/build_3.yaml'] : ['answers.yaml'];
  for (const file of answers) {
    student.files[`homework/${slug}/${path.basename(file)}`] = read(slug, 'instructor', file);
  }
  await student.wants(['check', id], 0, `${builds} of ${builds}`);
}
console.log(`course in a module: ${passed} passed, ${failed} failed; ${lab.builds.length} broken builds`);
process.exit(failed > 0 ? 1 : 0);
