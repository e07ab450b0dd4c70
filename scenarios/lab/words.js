// The words of the page, in English and in Chinese. What the program itself says stays as it says it.
import {kept} from './dom.js';

const kTable = {
  title: ['watchlab in a browser tab', '浏览器里的 watchlab'],
  intro: ['Play list and watch against a simulated Kubernetes API server, in every order. Nothing is installed, and your stories stay in this tab.',
    '在模拟的 Kubernetes API 服务器上运行 list 与 watch，尝试各种执行顺序。无需安装，你的场景不会离开这个标签页。'],
  stories: ['Stories', '场景库'],
  story: ['Story', '场景'],
  editor: ['The story, in YAML', '场景（YAML）'],
  play: ['Run', '运行'],
  explore: ['Explore', '探索'],
  shrink: ['Shrink', '缩减'],
  explain: ['Explain', '解释'],
  stop: ['Stop', '停止'],
  strategy: ['Strategy', '策略'],
  schedules: ['Schedules', '调度数'],
  seed: ['Seed', '种子'],
  schedule: ['Schedule', '调度'],
  share: ['Copy link', '复制链接'],
  copied: ['The link is in your clipboard. It holds the story and its schedule.', '链接已复制，其中包含场景和调度。'],
  copy_this: ['Copy this link:', '请复制这个链接：'],
  save: ['Save', '保存'],
  save_story: ['Story (.yaml)', '场景（.yaml）'],
  save_schedule: ['Schedule (.txt)', '调度（.txt）'],
  save_page: ['Step-through page (.html)', '逐步回放页面（.html）'],
  save_junit: ['Result as JUnit (.xml)', 'JUnit 结果（.xml）'],
  result: ['Result', '结果'],
  step_through: ['Step through the run', '逐步回放'],
  page_hint: ['The page of a run appears here. j and k step forward and back.',
    '运行之后，这里会显示逐步回放页面，按 j / k 前进或后退。'],
  tried: ['What you have tried', '尝试过的运行'],
  tried_hint: ['On the page of a run, under “What else could run here”, click another choice: it is played at once.',
    '在运行页面的“What else could run here”里点另一个选择，马上就按它运行。'],
  undo: ['Back to the run before', '回到上一个运行'],
  wide: ['Wide', '放大'],
  narrow: ['Beside the story', '并排显示'],
  loading: ['Loading the engine …', '正在加载引擎…'],
  ready: ['Ready. Press Run (Ctrl+Enter).', '就绪。按“运行”（Ctrl+Enter）。'],
  no_engine: ['The engine does not start here: {}. You can still read the stories, the bugs and their recorded runs.',
    '引擎无法在此启动：{}。你仍然可以阅读场景、缺陷和录制好的运行。'],
  running: ['Running …', '正在运行…'],
  drawing: ['Writing the page …', '正在生成页面…'],
  exploring: ['{} schedules, {} per second', '已运行 {} 个调度，每秒 {} 个'],
  exploring_whole: ['Searching with {} …', '正在用 {} 搜索…'],
  shrinking: ['Looking for the shortest schedule that still fails …', '正在寻找仍会失败的最短调度…'],
  explaining: ['Finding out why …', '正在分析原因…'],
  stopped: ['Stopped after {} schedules. The engine is ready again.', '已停止，运行了 {} 个调度。引擎已重新就绪。'],
  stopped_call: ['Stopped. The engine is ready again.', '已停止。引擎已重新就绪。'],
  held: ['✓ Everything holds: {} steps, digest {}.', '✓ 全部成立：{} 步，摘要 {}。'],
  fails: ['✕ It fails: {}', '✕ 失败：{}'],
  facts: ['{} steps, digest {}', '{} 步，摘要 {}'],
  invalid: ['The story cannot be played: {}', '场景无法运行：{}'],
  explored: ['✓ {} schedules, and none fails.', '✓ 运行了 {} 个调度，没有失败。'],
  exhausted: ['✓ {} schedules, and none fails. Nothing is left to explore.', '✓ 运行了 {} 个调度，没有失败，已穷尽。'],
  found: ['✕ Schedule {} fails: {}', '✕ 第 {} 个调度失败：{}'],
  next_shrink: ['Shrink it: the fewest decisions that still make it fail.', '下一步：缩减，只留下导致失败的最少决策。'],
  next_explain: ['Explain it, or step through the page.', '下一步：解释，或者逐步回放。'],
  next_explore: ['It holds in this order. Explore tries others.', '在这个顺序下成立。“探索”会尝试其他顺序。'],
  shrunk: ['{} → {} decisions that differ from the default order, after {} runs.', '与默认顺序不同的决策：{} → {} 个，共运行 {} 次。'],
  decisive: ['The steps that decide', '起决定作用的步'],
  step: ['step {}', '第 {} 步'],
  why: ['Why', '原因'],
  run_label: ['the story', '原场景'],
  by_link: ['from the link', '来自链接'],
  by_explore: ['found by {}', '由 {} 发现'],
  by_shrink: ['shrunk', '缩减后'],
  by_branch: ['decision {}: {}', '决策 {}：{}'],
  changed: ['The story has changed since this run.', '场景在这次运行之后已修改。'],
  from_link: ['This story came with a link. Read it, then press Run. Nothing runs before that.', '这个场景来自链接。请先阅读，再按“运行”；在此之前不会运行任何东西。'],
  bad_link: ['The link is damaged: it holds no story.', '链接已损坏，其中没有场景。'],
  search: ['Search', '搜索'],
  theme: ['Theme', '主题'],
  symptom: ['Symptom', '症状'],
  all: ['all', '全部'],
  museum: ['museum', '博物馆'],
  of: ['{} of {}', '{} / {}'],
  close: ['Close', '关闭'],
  piece_recorded: ['A bug of the museum. On the page you see the recorded run of the core that has the bug; Run plays the same story on the fixed core, which passes.',
    '博物馆藏品。页面上是带有该缺陷的核心的录制运行；“运行”会在修复后的核心上运行同一场景，结果成立。'],
  piece_live: ['A bug of the museum that client-go still has. Run plays the order in which it fails.', '博物馆藏品，client-go 至今仍有这个缺陷。“运行”会按失败的顺序运行。'],
  recorded: ['recorded, with the bug', '录制的运行（含缺陷）'],
  language: ['Language', '语言'],
};

let column = (kept.read('language') ?? navigator.language ?? '').startsWith('zh') ? 1 : 0;

export const language = () => ['en', 'zh'][column];

/** The words of that name, with what stands for each `{}`. */
export function say(name, ...values) {
  return kTable[name][column].replace(/\{\}/g, () => String(values.shift()));
}

/** Puts words where the page has `data-word`, and names where it has `data-label`. */
export function speak(which) {
  if (which) {
    column = which === 'zh' ? 1 : 0;
    kept.write('language', which);
  }
  document.documentElement.lang = column ? 'zh-CN' : 'en';
  document.title = say('title');
  document.querySelectorAll('[data-word]').forEach((each) => {
    each.textContent = say(each.dataset.word);
  });
  document.querySelectorAll('[data-label]').forEach((each) => each.setAttribute('aria-label', say(each.dataset.label)));
}
