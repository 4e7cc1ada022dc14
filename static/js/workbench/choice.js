// Which failure is being worked on, and in which phase.
import * as store from "./store.js";

let key = null;
let number = 1;
const listeners = new Set();

export const chosen = () => (key && store.failure(key) ? key : null);
export const chosenFailure = () => (chosen() ? store.failure(key) : null);
export const phase = () => number;
export const onChoice = (listener) => listeners.add(listener);

const tell = () => listeners.forEach((listener) => listener());

export function choose(next) {
  if (next === key) return;
  key = next;
  tell();
}

export function enter(next) {
  if (next === number) return;
  number = next;
  tell();
}
