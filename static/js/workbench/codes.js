// Codes by typing: what others called it first, a new code second. Of others' codes only name and definition.
import { chosen, chosenFailure, onChoice } from "./choice.js";
import { command, run } from "./commands.js";
import { $, $$, announce, h } from "./dom.js";
import { holdable, holding } from "./held.js";
import { kept } from "./kept.js";
import { page } from "./page.js";
import * as store from "./store.js";
import { get } from "./wire.js";

const input = $("[data-code]");
const list = $("[data-code-list]");
const define = $("[data-define]");
const definition = $("[data-definition]");
let options = [];
let active = 0;
let asked = 0;
let timer = null;
let answered = null; // the words that the proposals are for
let coining = "";

/** Half-typed codes outlive the tab; they belong to the mark they were typed for. */
const draft = () => kept(`code:${chosen()}`);

const same = (one, other) => one.toLowerCase() === other.toLowerCase();

function own(words) {
  const phrases = new Set(store.failures().flatMap(([, each]) => each.codes));
  return [...phrases].filter((phrase) => phrase.toLowerCase().includes(words.toLowerCase())).map((phrase) => ({ phrase, definition: "" }));
}

const PATIENCE = 5000;

async function look() {
  clearTimeout(timer);
  const words = input.value.trim();
  const ticket = (asked += 1);
  const { status, body } = await get(`${page.urls.codes}?q=${encodeURIComponent(words)}`, { signal: AbortSignal.timeout(PATIENCE) });
  if (ticket !== asked) return;
  answered = words;
  const known = status === 200 ? body : [];
  const mine = own(words).filter((each) => !known.some((code) => same(code.phrase, each.phrase)));
  const used = chosenFailure()?.codes ?? [];
  options = [...known, ...mine].filter((each) => !used.some((code) => same(code, each.phrase))).slice(0, 9);
  if (words && !options.some((each) => same(each.phrase, words))) options.push({ phrase: words, isNew: true });
  active = Math.max(0, options.findIndex((each) => each.isNew || holds(each.phrase, words)));
  show();
}

/** Enter takes a code that has all that was typed, else what was typed: one that is only near waits for an arrow key. */
const holds = (phrase, words) => words.toLowerCase().split(/\s+/).every((word) => phrase.toLowerCase().includes(word));

function show() {
  list.replaceChildren(...options.map(option));
  list.hidden = !options.length || document.activeElement !== input;
  input.setAttribute("aria-expanded", String(!list.hidden));
  if (list.hidden) input.removeAttribute("aria-activedescendant");
  else input.setAttribute("aria-activedescendant", `wb-code-${active}`);
}

function option(code, index) {
  const words = code.isNew
    ? ["+ new code “", h("bdi", {}, code.phrase), "”", h("kbd", {}, index === active ? "↵" : "⇧↵")]
    : [h("bdi", {}, code.phrase), code.definition && h("span", { class: "muted" }, " · ", h("bdi", {}, code.definition))];
  const props = { role: "option", id: `wb-code-${index}`, class: "wb-option", "aria-selected": String(index === active) };
  // Before the field loses the focus that holds the list open.
  return h("li", { ...props, on: { mousedown: (event) => (event.preventDefault(), take(code)) } }, ...words);
}

function take(code) {
  if (!code || !chosen()) return;
  if (code.isNew) return startCoining(code.phrase);
  add(code.phrase);
}

function add(code) {
  store.change(chosen(), { codes: [...chosenFailure().codes, code] });
  clear();
  announce(`Code: ${code.phrase ?? code}`);
  onward();
}

/** After the code comes the category where it is missing, else the reason. */
function onward() {
  const failure = chosenFailure();
  const categories = $("[data-categories]");
  if (categories && !failure.category && !failure.none_fits) categories.focus();
  else run("why");
}

function startCoining(phrase) {
  coining = phrase;
  $("[data-define-phrase]").textContent = phrase;
  definition.value = "";
  define.hidden = false;
  clear();
  draft().keep(phrase);
  definition.focus();
}

function coin() {
  if (!coining) return;
  const words = definition.value.trim();
  const code = words ? { phrase: coining, definition: words } : { phrase: coining };
  coining = "";
  define.hidden = true;
  add(code);
}

/** What was typed as a code and not yet confirmed counts when the failure is done. */
function settle() {
  if (!chosen()) return;
  const phrase = coining || input.value.trim();
  const words = coining ? definition.value.trim() : "";
  coining = "";
  define.hidden = true;
  clear();
  if (!phrase || chosenFailure().codes.some((each) => same(each, phrase))) return;
  store.change(chosen(), { codes: [...chosenFailure().codes, words ? { phrase, definition: words } : phrase] });
}

function clear() {
  input.value = "";
  draft().forget();
  forget();
}

/** Proposes nothing, neither now nor when an answer still comes. */
function forget() {
  clearTimeout(timer);
  options = [];
  answered = null;
  asked += 1;
  show();
}

function render() {
  const failure = chosenFailure();
  const chips = (failure?.codes ?? []).map((phrase) =>
    h("li", { class: "tag tag--accent" }, h("bdi", {}, phrase),
      h("button", { class: "wb-chip-x", type: "button", "aria-label": `Remove code ${phrase}`, on: { click: () => drop(phrase) } }, "×")));
  $("[data-codes]").replaceChildren(...chips);
}

function drop(phrase) {
  store.change(chosen(), { codes: chosenFailure().codes.filter((each) => each !== phrase) });
}

const MOVES = { ArrowDown: 1, ArrowUp: -1 };

holdable(input);
input.addEventListener("keydown", (event) => {
  if (event.isComposing || event.keyCode === 229) return;
  if (event.key in MOVES && options.length) {
    event.preventDefault();
    active = (active + MOVES[event.key] + options.length) % options.length;
    show();
  } else if (event.key in MOVES) {
    event.preventDefault();
    look();
  } else if (event.key === "Enter" && !event.ctrlKey && !event.metaKey) {
    event.preventDefault();
    const words = input.value.trim();
    if (!words && !options[active]) return onward();
    if (!words && !event.shiftKey && list.hidden) return onward();
    if (event.shiftKey && words) return startCoining(words);
    if (answered === words) return take(options[active]);
    const key = chosen();
    // Who has gone elsewhere meanwhile finds the words still in the field.
    const isHere = () => chosen() === key && input.value.trim() === words && document.activeElement === input;
    holding(input, look(), () => isHere() && take(options[active]));
  } else if (event.key === "Escape" && !list.hidden && input.value) {
    // The words stay, and so does their draft when a second one leaves the field.
    event.stopPropagation();
    event.preventDefault();
    forget();
  }
});
function lookSoon() {
  clearTimeout(timer);
  timer = setTimeout(look, 80);
}
input.addEventListener("input", () => {
  draft().keep(input.value);
  lookSoon();
});
input.addEventListener("focus", lookSoon);
input.addEventListener("blur", () => {
  list.hidden = true;
  input.setAttribute("aria-expanded", "false");
});
definition.addEventListener("keydown", (event) => {
  if (event.isComposing || event.keyCode === 229) return;
  if (event.key === "Enter") {
    event.preventDefault();
    coin();
  } else if (event.key === "Escape") {
    event.preventDefault();
    event.stopPropagation();
    input.value = coining;
    coining = "";
    define.hidden = true;
    input.focus();
  }
});

command("coin", coin);
command("settleCode", settle);
command("code", () => {
  if (!chosen()) run("open");
  if (chosen()) input.focus();
});
store.onChange(render);
onChoice(() => {
  if (coining) define.hidden = true;
  coining = "";
  input.value = chosen() ? draft().read() : "";
  forget();
  render();
});
