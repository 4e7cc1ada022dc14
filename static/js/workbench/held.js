// Keys pressed while an answer is awaited: held, and pressed again once it is there, as if they had come after it.
import { isTyping } from "./dom.js";

const EDITS = ["Enter", "Escape", "Backspace", "ArrowUp", "ArrowDown"];
const held = [];
let waits = 0;

/** Runs `act` when `answer` is there; what `input` is given meanwhile comes after that. */
export async function holding(input, answer, act) {
  waits += 1;
  input.setAttribute("aria-busy", "true");
  try {
    await answer;
    act();
    await null; // what the act left for the end of this turn, as moving the cursor
  } finally {
    waits -= 1;
    input.removeAttribute("aria-busy");
  }
  while (held.length && !waits) {
    again(held.shift());
    await null;
  }
}

/** A field whose keys are held while it waits. */
export function holdable(input) {
  input.addEventListener("keydown", (event) => {
    if (!waits || !event.isTrusted || event.isComposing || event.keyCode === 229) return;
    const isCommand = event.ctrlKey || event.metaKey || event.altKey;
    if (isCommand ? event.key !== "Enter" : event.key.length > 1 && !EDITS.includes(event.key)) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    const { key, ctrlKey, metaKey, shiftKey } = event;
    held.push({ key, ctrlKey, metaKey, shiftKey });
  });
  // Pasted, dictated, or from a keyboard on the screen.
  input.addEventListener("beforeinput", (event) => {
    if (!waits || !event.isTrusted || !event.cancelable || event.isComposing) return;
    event.preventDefault();
    if (event.data) held.push({ text: event.data });
    else if (event.inputType.startsWith("delete")) held.push({ key: "Backspace" });
  });
  input.addEventListener("compositionend", (event) => waits && event.data && held.push({ text: event.data }));
}

const type = (text) => document.execCommand("insertText", false, text);

function again({ text, ...pressed }) {
  const target = document.activeElement;
  if (text) return isTyping(target) && type(text);
  const { key, ctrlKey, metaKey } = pressed;
  const isFree = target.dispatchEvent(new KeyboardEvent("keydown", { ...pressed, bubbles: true, cancelable: true }));
  if (!isFree || ctrlKey || metaKey || !isTyping(target)) return null;
  if (key.length === 1) return type(key);
  if (key === "Backspace") return document.execCommand("delete");
  return key === "Enter" && target.matches("textarea") && type("\n");
}
