// Parts of the page. What is shown is text: nothing here makes markup of it.

export const byId = (id) => document.getElementById(id);

/** An element with attributes, listeners (`onclick`) and children, which are elements or texts. */
export function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (typeof value === 'function') {
      made.addEventListener(key.slice(2), value);
    } else if (value !== null && value !== undefined && value !== false) {
      made.setAttribute(key, value === true ? '' : value);
    }
  }
  made.append(...children.flat().filter((child) => child !== null && child !== undefined));
  return made;
}

/** Saves a text as a file of the reader's. */
export function download(name, text, type = 'text/plain') {
  const url = URL.createObjectURL(new Blob([text], {type}));
  element('a', {href: url, download: name}).click();
  setTimeout(() => URL.revokeObjectURL(url), 1000);
}

/** What this browser keeps under a name, where it keeps anything. */
export const kept = {
  read(name) {
    try {
      return localStorage.getItem(`watchlab ${name}`);
    } catch {
      return null;
    }
  },
  write(name, value) {
    try {
      localStorage.setItem(`watchlab ${name}`, value);
    } catch {
      // a browser that keeps nothing
    }
  },
};
