// The editor of the story: CodeMirror, with words from the schema and the program's own errors at their places.
import {autocompletion} from '@codemirror/autocomplete';
import {yaml} from '@codemirror/lang-yaml';
import {HighlightStyle, syntaxHighlighting} from '@codemirror/language';
import {setDiagnostics} from '@codemirror/lint';
import {EditorView, keymap} from '@codemirror/view';
import {tags} from '@lezer/highlight';
import {basicSetup} from 'codemirror';

import {wordsAt} from './complete.js';

const kQuiet = 400;  // ms without a key before the story is checked

const colours = HighlightStyle.define([
  {tag: [tags.propertyName, tags.definition(tags.propertyName)], color: 'var(--key)'},
  {tag: [tags.string, tags.content], color: 'var(--ink)'},
  {tag: tags.comment, color: 'var(--faint)', fontStyle: 'italic'},
  {tag: [tags.keyword, tags.meta], color: 'var(--side)'},
]);

/** "file.yaml:7:1: message", as a place and the message. */
export function placeIn(sentence) {
  const [, line, column, message] = /^[^:\n]+:(\d+):(?:(\d+):)? ?(.*)$/s.exec(sentence) ?? [];
  return line ? {line: Number(line), column: Number(column ?? 1), message} : null;
}

export class Editor {
  /** `schema` and `check` are functions that give a promise: of the schema, and of what is wrong, or ''. */
  constructor(parent, {label, schema, check, onChange}) {
    this.check = check;
    let words = null;
    const complete = async (context) => {
      const typed = context.matchBefore(/[\w-]*/);
      if (!typed.text && !context.explicit) {
        return null;
      }
      words ??= await schema();
      const options = words ? wordsAt(context.state.sliceDoc(0, typed.from), words) : [];
      return options.length ? {from: typed.from, options, validFor: /^[\w-]*$/} : null;
    };
    this.view = new EditorView({parent, extensions: [
      keymap.of([{key: 'Mod-Enter', run: () => true}]), basicSetup, yaml(), syntaxHighlighting(colours),  // Tab stays a way out
      autocompletion({override: [complete]}), EditorView.lineWrapping,
      EditorView.contentAttributes.of({'aria-label': label}),
      EditorView.updateListener.of((update) => {
        if (update.docChanged) {
          onChange(!this.isFilling);
          clearTimeout(this.timer);
          this.timer = setTimeout(() => this.look(), kQuiet);
        }
      }),
    ]});
  }

  get text() {
    return this.view.state.doc.toString();
  }

  set text(text) {
    this.isFilling = true;
    this.view.dispatch({changes: {from: 0, to: this.view.state.doc.length, insert: text}});
    this.isFilling = false;
  }

  /** Checks the story, and marks the place that is wrong. */
  async look() {
    const {text} = this;
    const sentence = await this.check(text);
    if (text === this.text && sentence !== null) {
      this.mark(sentence);
    }
  }

  mark(sentence) {
    const {doc} = this.view.state;
    const place = placeIn(sentence);
    const diagnostics = [];
    if (place) {
      const line = doc.line(Math.max(1, Math.min(place.line, doc.lines)));
      const from = Math.min(line.from + place.column - 1, line.to);
      const length = /^[\w$-]+/.exec(doc.sliceString(from, line.to))?.[0].length ?? 1;
      diagnostics.push({from, to: Math.min(from + length, line.to), severity: 'error', message: place.message});
    }
    this.view.dispatch(setDiagnostics(this.view.state, diagnostics));
  }
}
