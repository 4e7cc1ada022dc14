// Keys by what they type, not where they lie; never while somebody types or composes.
import { choose, chosen, phase } from "./choice.js";
import { run } from "./commands.js";
import { $, $$, isTyping, tell } from "./dom.js";
import { count, positionOf } from "./page.js";
import { remembered } from "./kept.js";
import * as search from "./search.js";
import * as store from "./store.js";
import { flush } from "./typing.js";
import { current, go, say, step } from "./walk.js";

const KEYS = {
  m: "mark", e: "evidence", x: "recovered", o: "open", w: "why", i: "layers", "/": "search", "?": "sheet",
  t: "memo", y: "copyLast", h: "harmless", p: "persists", n: "unknown",
};
const jump = $("[data-jump]");
let typed = null; // digits after g

const walked = (by) => step(by).then(say);

const ACTS = {
  j: () => walked(1),
  k: () => walked(-1),
  ArrowDown: () => walked(1),
  ArrowUp: () => walked(-1),
  G: () => go(count - 1),
  g: () => startJump(),
  "]": () => toMark(1),
  "[": () => toMark(-1),
  c: () => run(phase() === 2 ? "critical" : "code"),
  u: () => undo("undo"),
  U: () => undo("redo"),
  f: () => run("phase", 1),
  v: () => run("phase", 2),
};

function undo(name) {
  flush();
  run(name);
}

function toMark(by) {
  const marks = store.failures().map(([, each]) => each.first_step).filter((each) => each !== null);
  const next = by > 0 ? marks.find((each) => each > current()) : marks.findLast((each) => each < current());
  if (next === undefined) tell("No marked step that way.");
  else go(next);
}

function startJump() {
  typed = "";
  jump.textContent = "g";
}

function jumping(event) {
  if (/^[0-9]$/.test(event.key)) typed += event.key;
  else if (event.key === "Backspace") typed = typed.slice(0, -1);
  else if (event.key === "g" && !typed) return land(0);
  else if (event.key === "Enter") return land(positionOf(typed));
  else return stopJump();
  jump.textContent = `g ${typed}`;
  return true;
}

function land(position) {
  if (position === null) tell(`There is no step ${typed}.`);
  else go(position, { top: true }).then(say);
  stopJump();
  return true;
}

function stopJump() {
  typed = null;
  jump.textContent = "";
  return false;
}

function digit(key) {
  if (phase() === 2) {
    const button = $$("[data-confidence] button")[Number(key) - 1];
    if (button) run("confidence", button);
    return Boolean(button);
  }
  if (!chosen()) return false;
  if (key === "0") run("noneFits");
  else {
    const button = $$("[data-category]").find((each) => $("kbd", each).textContent === key);
    if (!button) return false;
    run("category", button);
  }
  run("why");
  return true;
}

/** Backs out one thing at a time. */
function escape(target) {
  const layers = $("[data-layers]");
  if (!layers.hidden) return run("layers");
  if (search.isIn(target)) return run("searchClose");
  if (isTyping(target)) {
    flush();
    target.blur();
    return go(current());
  }
  if (chosen() && phase() === 1) return run("done");
  if (chosen()) return choose(null);
  if (search.isOpen()) return run("searchClose");
  return go(current());
}

/** Who has just chosen an outcome and types is writing the reason, not giving commands. */
function isReason(event) {
  const isLetter = /^\p{L}$/u.test(event.key) && event.target.matches?.("[name=outcome]");
  if (isLetter) tell("Letters do nothing on a choice. Tab leads to the reason, Esc back to the run.");
  return isLetter;
}

const isControl = (target) => target.closest?.("button, a, summary, [role=slider], [role=tab], input, select, textarea");

function enter(event) {
  if (isControl(event.target)) return false;
  if (phase() === 2) run("nextDecision");
  else run("open");
  return true;
}

function confirm(event) {
  if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return false;
  if (phase() === 2) run("submit");
  else run("done");
  return true;
}

const off = $("[data-keys-off]");
const setting = remembered("assay-keys-off");
off.checked = setting.read() === "1";
off.addEventListener("change", () => setting.keep(off.checked ? "1" : ""));

function press(event) {
  if (confirm(event)) return true;
  // Who speaks to the machine, or is easily tripped by a key, turns single ones off (all but ?).
  if (off.checked && event.key.length === 1 && event.key !== "?") return false;
  if (event.ctrlKey || event.metaKey || event.altKey) return false;
  if (event.key === "Escape") return escape(event.target), true;
  if (isTyping(event.target)) return false;
  if (typed !== null && jumping(event)) return true;
  if (isReason(event)) return true;
  if (event.key.startsWith("Arrow") && isControl(event.target)) return false;
  if (event.repeat && !["j", "k", "ArrowDown", "ArrowUp"].includes(event.key)) return false;
  if (/^[0-9]$/.test(event.key)) return digit(event.key);
  if (event.key === "Enter") return enter(event);
  if (event.key in ACTS) return ACTS[event.key](), true;
  if (event.key in KEYS) return run(KEYS[event.key]), true;
  return false;
}

document.addEventListener("keydown", (event) => {
  if (event.defaultPrevented || event.isComposing || event.keyCode === 229 || $("dialog[open]")) return;
  if (press(event)) event.preventDefault();
});
