// A text field bound to a value: saved after a pause, on leaving, and before the page goes away.
import { tell } from "./dom.js";

const PAUSE = 400;
const dirty = new Map();

/** Saves whatever is typed but not yet on its way. */
export function flush() {
  for (const save of [...dirty.values()]) save();
}

/** Whether something is typed that is not on its way yet. */
export const isUnsaved = () => dirty.size > 0;

/** `target()` is what the field shows now: {read, write}, or nothing. Typing belongs to the target it began with. */
export function field(input, target) {
  let timer = null;

  function typed() {
    if (input.maxLength > 0 && input.value.length >= input.maxLength) tell(`This field is full: it holds ${input.maxLength} characters.`);
    const aim = dirty.get(input)?.aim ?? target();
    if (!aim) return;
    const save = () => {
      clearTimeout(timer);
      dirty.delete(input);
      if (aim.read() !== undefined && aim.read() !== input.value) aim.write(input.value);
    };
    save.aim = aim;
    dirty.set(input, save);
    clearTimeout(timer);
    timer = setTimeout(save, PAUSE);
  }

  input.addEventListener("input", typed);
  input.addEventListener("blur", () => dirty.get(input)?.());
  input.show = (text) => {
    if (!dirty.has(input) && input.value !== text) input.value = text ?? "";
  };
}

window.addEventListener("pagehide", flush);
document.addEventListener("visibilitychange", () => document.hidden && flush());
