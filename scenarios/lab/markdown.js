// The pages of exercises as elements: headings, paragraphs, lists, tables, code. What is a link into the checkout is plain text here.
import {element} from './dom.js';

/** The parts of a line: code, emphasis, strong, links. */
function inline(text) {
  return [...text.matchAll(/`([^`]+)`|\*\*([^*]+)\*\*|\*([^*]+)\*|\[([^\]]+)\]\(([^)\s]+)\)|[^`*[]+|./g)].map(([all, code, strong, em, words, link]) =>
    code ? element('code', {}, code) : strong ? element('strong', {}, inline(strong)) : em ? element('em', {}, inline(em))
      : words ? /^https:/.test(link) ? element('a', {href: link}, inline(words)) : element('span', {}, inline(words)) : all);
}

/** Lines as one; Chinese has no blank between its own. */
const joined = (text) => text.replace(/(?<=[\u3000-\u9fff\uff00-\uffef])\s*\n\s*(?=[\u3000-\u9fff\uff00-\uffef])/g, '').replace(/\n\s*/g, ' ');

const rowOf = (name, line) => element('tr', {}, line.replace(/^\||\|$/g, '').split('|').map((cell) => element(name, {}, inline(cell.trim()))));

/** One block: the lines between two empty ones. */
function block(lines) {
  const [first] = lines;
  const [, marks, words] = /^(#+) (.*)$/.exec(first) ?? [];
  if (marks) {
    return [element(marks.length > 2 ? 'h4' : 'h3', {}, inline(words)), ...lines.length > 1 ? block(lines.slice(1)) : []];
  }
  if (first.startsWith('|')) {
    return [element('table', {}, element('thead', {}, rowOf('th', first)), element('tbody', {}, lines.slice(2).map((line) => rowOf('td', line))))];
  }
  const [mark] = /^(- |\d+\. )/.exec(first) ?? [];
  if (mark) {
    const items = lines.join('\n').split(/\n(?=- |\d+\. )/).map((item) => joined(item.replace(/^(- |\d+\. )/, '')));
    return [element(mark === '- ' ? 'ul' : 'ol', {}, items.map((item) => element('li', {}, inline(item))))];
  }
  if (/^ {4}/.test(first)) {
    return [element('pre', {tabindex: 0}, lines.map((line) => line.slice(4)).join('\n'))];
  }
  return [element('p', {}, inline(joined(lines.join('\n'))))];
}

/** The elements of a page, without its title. */
export function elementsOf(markdown) {
  return markdown.replace(/^# .*\n/, '').split(/\n\s*\n/).map((part) => part.split('\n').filter(Boolean)).filter((lines) => lines.length).flatMap(block);
}
