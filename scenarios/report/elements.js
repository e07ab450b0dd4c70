// Small builders of what the page shows. Text is always set as text, never as markup; names between
// backticks, as stories and messages have them, stand as code.

// What nobody sees, and what changes how the letters around it stand: the list of plain_text.cpp.
const kUnseen = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\ufffe\uffff\u{e0000}-\u{e007f}\u{1bca0}-\u{1bca3}]/gu;

/** A text, or the names in an object, with escapes for what nobody sees. */
function visible(value) {
  const half = (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;  // one of UTF-16, as in visible_text
  const shown = (text) => text.replace(kUnseen, (letter) => letter === '\r' ? '\\r' : letter.replace(/[^]/g, half));
  return typeof value === 'string' ? shown(value)
    : value === null || typeof value !== 'object' || Array.isArray(value) ? value
      : Object.fromEntries(Object.entries(value).map(([name, each]) => [shown(name), each]));
}

/** The data of a page, whose texts are for people: only a page with such characters has other escapes than of markup. */
function parsed(json) {
  return JSON.parse(json, /\\u(?!003[ce]|0026)/.test(json) ? (_, value) => visible(value) : undefined);
}

function element(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name === 'onclick') {
      made.addEventListener('click', value);
    } else if (value !== null && value !== false) {
      made.setAttribute(name, value === true ? '' : value);
    }
  }
  made.append(...children.flat(Infinity).filter((child) => child !== null && child !== '')
    .flatMap((child) => typeof child === 'string' && tag !== 'code' && tag !== 'option' ? prose(child) : [child]));
  return made;
}

function prose(text) {
  return text.split(/`([^`\n]+)`/).map((part, i) => i % 2 ? element('code', {}, part) : part)
    .filter((part) => part !== '');
}

/** The same for a picture. */
function shape(tag, attributes = {}, ...children) {
  const made = document.createElementNS(document.getElementById('shapes').namespaceURI, tag);
  for (const [name, value] of Object.entries(attributes)) {
    made.setAttribute(name, String(value));
  }
  made.append(...children.flat(Infinity));
  return made;
}

const kLooks = ['class', 'aria-pressed', 'aria-current'];  // attributes that can change in place

/** Whether an element can become another one by changing how it looks and what is inside of it. A
 *  button has to say the same; whether a reader has opened something is not looked at. */
function isSameOutside(mine, other) {
  if (mine.nodeName !== other.nodeName || !mine.getAttributeNames ||
      (mine.nodeName === 'BUTTON' && mine.textContent !== other.textContent)) {
    return false;
  }
  const names = (of) => of.getAttributeNames().filter((name) => name !== 'open' && !kLooks.includes(name));
  const [before, after] = [names(mine), names(other)];
  return before.length === after.length &&
    after.every((name) => mine.getAttribute(name) === other.getAttribute(name));
}

function takeLooks(mine, other) {
  for (const name of kLooks.filter((each) => mine.getAttribute(each) !== other.getAttribute(each))) {
    other.hasAttribute(name) ? mine.setAttribute(name, other.getAttribute(name)) : mine.removeAttribute(name);
  }
}

const kLookedAhead = 4;  // rows that may have gone from above one that stays

/** Gives an element these children and touches only what differs: what is equal stays where it is,
 *  with its focus and its scroll position, and costs no layout. So the attributes of a button have to
 *  say all that its handler depends on. */
function renew(parent, ...children) {
  let mine = parent.firstChild;
  for (const child of children.flat(Infinity).filter((each) => each !== null && each !== '')) {
    const other = typeof child === 'string' ? document.createTextNode(child) : child;
    let equal = mine;
    for (let n = 0; equal && n < kLookedAhead && !equal.isEqualNode(other); ++n) {
      equal = n + 1 < kLookedAhead ? equal.nextSibling : null;
    }
    if (equal) {
      while (mine !== equal) {
        mine = removed(mine);
      }
      mine = mine.nextSibling;
    } else if (mine && mine.nodeName === '#text' && other.nodeName === '#text') {
      mine.data = other.data;
      mine = mine.nextSibling;
    } else if (mine && isSameOutside(mine, other)) {
      takeLooks(mine, other);
      renew(mine, ...other.childNodes);
      mine = mine.nextSibling;
    } else {
      parent.insertBefore(other, mine);
    }
  }
  while (mine) {
    mine = removed(mine);
  }
}

/** Takes a node out; returns the one behind it. */
function removed(node) {
  const next = node.nextSibling;
  node.remove();
  return next;
}

/** A list, at most so many of it, with a line that says how many more there are. What is not shown is
 *  not made. */
function listOf(rows, most = 40, tag = 'ul', make = (row) => row) {
  const shown = rows.slice(0, most).map(make);
  if (rows.length > most) {
    shown.push(element('li', {class: 'more'}, `and ${rows.length - most} more`));
  }
  return element(tag, {class: 'rows'}, shown);
}

/** "20.001 s" of nanoseconds. */
function timeText(nanoseconds) {
  const seconds = nanoseconds / 1e9;
  return `${seconds.toFixed(3)} s`;
}

/** A name that may be very long, cut in its middle. Its letters stand alone, whatever their
 *  direction. */
function shortText(text, most = 48) {
  const letters = [...text];
  return letters.length <= most
    ? text
    : `${letters.slice(0, most / 2 - 1).join('')}…${letters.slice(-most / 2 + 1).join('')}`;
}

function isolated(text, attributes = {}) {
  return element('bdi', attributes, text);
}

/** Each kind of change has a sign and a letter, so that no colour is needed. */
const kSigns = {
  ADDED: ['+', 'A', 'add'], Added: ['+', 'A', 'add'], add: ['+', 'A', 'add'],
  MODIFIED: ['~', 'M', 'update'], Updated: ['~', 'U', 'update'], update: ['~', 'U', 'update'],
  DELETED: ['−', 'D', 'delete'], Deleted: ['−', 'D', 'delete'], delete: ['−', 'D', 'delete'],
  Sync: ['↻', 'S', 'sync'], Replaced: ['⇄', 'R', 'sync'], Newest: ['•', 'N', 'sync'],
  BOOKMARK: ['▸', 'B', 'other'], ERROR: ['!', 'E', 'delete'],
};

function sign(type) {
  const [mark, letter, look] = kSigns[type] ?? ['·', '', 'other'];
  return element('abbr', {class: `sign ${look}`, title: type}, `${mark}${letter}`);
}

/** Rows of a record that is an object with numbers for names, in their order. */
function inOrder(numbered) {
  return Object.values(numbered);  // members that are numbers stand in their order
}
