// Where the reader is: the current step, moved by keys, clicks, jumps and, where it scrolled away, by scrolling.
import { announce, isTyping } from "./dom.js";
import { agentOf, count, kindsOf, numberOf } from "./page.js";
import { cardOf, loadedCards, onLoad, pin, ready, scroller } from "./steps.js";

const MARGIN = 12;
let position = 0;
let wanted = 0;
let moving = 0;
const listeners = new Set();

/** Where the reader is, or is about to be: who jumps and marks at once means the step jumped to. */
export const current = () => wanted;
export const onMove = (listener) => listeners.add(listener);

export async function go(to, { focus = true, top = false } = {}) {
  wanted = Math.max(0, Math.min(count - 1, to));
  const target = wanted;
  moving += 1;
  try {
    const card = await ready(target);
    if (target !== wanted) return;
    if (!card) {
      wanted = position;
      return;
    }
    become(target);
    show(card, top);
    // Somebody who has begun to type meanwhile keeps the cursor.
    if (focus && !isTyping(document.activeElement)) card.focus({ preventScroll: true });
  } finally {
    requestAnimationFrame(() => requestAnimationFrame(() => (moving -= 1)));
  }
}

export const step = (by) => go(wanted + by);

function show(card, top) {
  const view = scroller.getBoundingClientRect();
  const box = card.getBoundingClientRect();
  const isTall = box.height > view.height - 2 * MARGIN;
  if (top || isTall || box.top < view.top + MARGIN) scroller.scrollTop += box.top - view.top - MARGIN;
  else if (box.bottom > view.bottom - MARGIN) scroller.scrollTop += box.bottom - view.bottom + MARGIN;
}

function become(to) {
  cardOf(position)?.removeAttribute("aria-current");
  position = to;
  pin(to);
  cardOf(to)?.setAttribute("aria-current", "step");
  history.replaceState(history.state, "", `#step-${to}`);
  for (const listener of listeners) listener(to);
}

export function say() {
  announce(`Step ${numberOf(position)} of ${count}, ${agentOf(position)}, ${kindsOf(position)}`);
}

/** Scrolled by hand until the current step is out of sight: then the step at the top of the page is meant. */
function follow() {
  if (moving) return;
  const view = scroller.getBoundingClientRect();
  const seen = (card) => {
    const box = card.getBoundingClientRect();
    return box.bottom > view.top + 24 && box.top < view.bottom - 24;
  };
  const card = cardOf(position);
  if (card && seen(card)) return;
  const next = loadedCards().find(seen);
  if (!next) return;
  wanted = Number(next.dataset.step);
  become(wanted);
}

/** The first and last position that can be seen. */
export function inSight() {
  const view = scroller.getBoundingClientRect();
  const seen = loadedCards().filter((card) => {
    const box = card.getBoundingClientRect();
    return box.bottom > view.top && box.top < view.bottom;
  });
  return seen.length ? [Number(seen[0].dataset.step), Number(seen.at(-1).dataset.step)] : [position, position];
}

let resting = null;
scroller.addEventListener("scroll", () => {
  clearTimeout(resting);
  resting = setTimeout(follow, 120);
});
scroller.addEventListener("click", (event) => {
  const card = event.target.closest("[data-step]");
  if (!card || !getSelection().isCollapsed) return;
  wanted = Number(card.dataset.step);
  become(wanted);
});
onLoad(() => cardOf(position)?.setAttribute("aria-current", "step"));
