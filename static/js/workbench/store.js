// The annotation as the annotator sees it: what the server confirmed, and on top of it what still waits.
import { page } from "./page.js";
import * as queue from "./queue.js";
import { applied, guessed } from "./replay.js";
import { uuid } from "./uuid.js";

let confirmed = page.state;
let view = confirmed;
let undone = []; // since the last change, what redo brings again: an entry that was never sent, or null for one the server knows
const listeners = new Set();

/** Why nothing can be changed; empty where it can. */
const frozenBy = ({ submitted, closed, held }) => (submitted && "submitted") || (closed && "closed") || (!held && "not held") || "";

export const annotation = {
  revision: page.revision,
  canUndo: page.can_undo,
  canRedo: page.can_redo,
  warnings: page.warnings,
  isFrozen: frozenBy(page) !== "",
  frozenBy: frozenBy(page),
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
  undone = [];
  return add(made(op, payload));
}

const made = (op, payload = {}) => ({ key: uuid(), op, payload, at: new Date().toISOString() });

function add(entry) {
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
  if (answer.revision !== annotation.revision) undone = [];
  confirmed = answer.state;
  Object.assign(annotation, { revision: answer.revision, canUndo: answer.can_undo, canRedo: answer.can_redo });
  if (answer.warnings) annotation.warnings = answer.warnings;
  if (answer.submitted !== undefined) Object.assign(annotation, { frozenBy: frozenBy(answer), isFrozen: frozenBy(answer) !== "" });
  refresh();
}

export const server = () => confirmed;
export const canUndo = () => !annotation.isFrozen && (annotation.canUndo || queue.length() > 0);
export const canRedo = () => !annotation.isFrozen && (annotation.canRedo || undone.length > 0);

/** What was never sent is taken back here; an undo that waits is not, since a second one means one change more. */
export function undo() {
  if (!canUndo()) return;
  const last = queue.unsent();
  if (last && last.op !== "undo") {
    queue.pop();
    undone.push(last.op === "redo" ? null : last);
    refresh();
  } else {
    undone.push(null);
    add(made("undo"));
  }
}

export function redo() {
  if (!canRedo()) return;
  const last = undone.pop();
  if (last) add(last);
  else if (queue.unsent()?.op === "undo") {
    queue.pop();
    refresh();
  } else add(made("redo"));
}
