// The annotation as the annotator sees it: what the server confirmed, and on top of it what still waits.
import { page } from "./page.js";
import * as queue from "./queue.js";
import { applied, guessed } from "./replay.js";
import { uuid } from "./uuid.js";

let confirmed = page.state;
let view = confirmed;
const listeners = new Set();

export const annotation = {
  revision: page.revision,
  canUndo: page.can_undo,
  canRedo: page.can_redo,
  warnings: page.warnings,
  isFrozen: page.submitted || !page.held,
};

export const state = () => view;
export const failure = (key) => view.failures[key];
export const answers = () => view.answers;
export const failures = () => Object.entries(view.failures).sort(([, a], [, b]) => at(a) - at(b) || a.number - b.number);
const at = (each) => each.first_step ?? -1;

export function onChange(listener) {
  listeners.add(listener);
}

export function refresh() {
  view = queue.entries().reduce(guessed, confirmed);
  for (const listener of listeners) listener();
}

let wake = () => {};
export function whenAdded(listener) {
  wake = listener;
}

/** One change: shown at once, kept in this browser, then sent. */
export function act(op, payload = {}) {
  if (annotation.isFrozen && op !== "submit") return null;
  const entry = { key: uuid(), op, payload, at: new Date().toISOString() };
  queue.add(entry, annotation.revision);
  refresh();
  wake();
  return entry;
}

export const change = (key, fields) => act("change", { failures: [key], fields });
export const conclude = (fields) => act("conclude", { fields });

export function confirm(answer) {
  // A repeated answer may be older than what this page was opened with.
  if (answer.revision >= annotation.revision) {
    confirmed = applied(confirmed, answer.patch);
    Object.assign(annotation, {
      revision: answer.revision, canUndo: answer.can_undo, canRedo: answer.can_redo, warnings: answer.warnings,
    });
  }
  refresh();
}

export function replace(answer) {
  confirmed = answer.state;
  Object.assign(annotation, { revision: answer.revision, canUndo: answer.can_undo, canRedo: answer.can_redo });
  if (answer.warnings) annotation.warnings = answer.warnings;
  if (answer.submitted !== undefined) annotation.isFrozen = answer.submitted || !answer.held;
  refresh();
}

export const server = () => confirmed;
export const canUndo = () => !annotation.isFrozen && (annotation.canUndo || queue.length() > 0);
export const canRedo = () => !annotation.isFrozen && annotation.canRedo;

export function undo() {
  if (queue.pop()) return refresh();
  if (canUndo()) act("undo");
  return undefined;
}

export function redo() {
  if (canRedo()) act("redo");
}
