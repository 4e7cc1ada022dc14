// Search within the run: words on the server, agent and errors here; hits are steps, walked one by one.
import { command } from "./commands.js";
import { $, announce, debounce, h } from "./dom.js";
import { paint } from "./evidence.js";
import { agentOf, count, hasError, numberOf, page } from "./page.js";
import { cardOf, onLoad, scroller } from "./steps.js";
import { current, go } from "./walk.js";
import { get } from "./wire.js";

const form = $("[data-search]");
const words = $("[data-search-words]");
const errors = $("[data-search-errors]");
const agent = $("[data-search-agent]");
const counter = $("[data-search-count]");
let hits = [];
let asked = 0;

agent.append(...[...new Set(page.steps.agents)].filter(Boolean).map((name) => h("option", { value: name }, name)));

const isWanted = (position) => (!errors.checked || hasError(position)) && (!agent.value || agentOf(position) === agent.value);

async function look() {
  const text = words.value.trim();
  const ticket = (asked += 1);
  let found = [...Array(count).keys()];
  if (text) {
    const { status, body } = await get(`${page.urls.search}?q=${encodeURIComponent(text)}`);
    if (ticket !== asked) return;
    if (status !== 200) return void (counter.textContent = "could not search; try again");
    found = body.positions;
  } else if (!errors.checked && !agent.value) found = [];
  hits = found.filter(isWanted);
  show();
  paintHits();
}

function show() {
  if (!words.value.trim() && !errors.checked && !agent.value) return void (counter.textContent = "");
  const at = hits.indexOf(current());
  counter.textContent = hits.length ? `${at >= 0 ? `${at + 1} of ` : ""}${hits.length} step${hits.length === 1 ? "" : "s"}` : "nothing found";
}

function paintHits() {
  const text = words.value.trim().toLowerCase();
  paint("search", text && !form.hidden ? hits.flatMap((position) => rangesIn(cardOf(position), text)) : []);
}

function rangesIn(card, text) {
  if (!card) return [];
  const found = [];
  const walker = document.createTreeWalker(card, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node && found.length < 200; node = walker.nextNode()) {
    const lower = node.data.toLowerCase();
    if (lower.length !== node.data.length) continue; // a letter whose lower case is longer: offsets would not fit
    for (let at = lower.indexOf(text); at >= 0; at = lower.indexOf(text, at + text.length)) {
      const range = document.createRange();
      range.setStart(node, at);
      range.setEnd(node, at + text.length);
      found.push(range);
    }
  }
  return found;
}

async function move(by) {
  await pending;
  if (!hits.length) return announce("Nothing found.");
  const here = current();
  const next = by > 0 ? hits.find((each) => each > here) ?? hits[0] : hits.findLast((each) => each < here) ?? hits.at(-1);
  await go(next, { focus: false });
  scroller.dispatchEvent(new Event("scroll"));
  show();
  announce(`Step ${numberOf(next)}, ${counter.textContent}`);
}

let pending = Promise.resolve();
const soon = debounce(150, () => (pending = look()));
words.addEventListener("input", soon);
for (const input of [errors, agent]) input.addEventListener("change", () => (pending = look()));
form.addEventListener("submit", (event) => {
  event.preventDefault();
  soon.cancel();
  pending = look();
  move(1);
});
words.addEventListener("keydown", (event) => {
  if (event.key === "Enter" && event.shiftKey) {
    event.preventDefault();
    move(-1);
  }
});
onLoad(paintHits);

command("search", () => {
  form.hidden = false;
  words.focus();
  words.select();
});
command("searchOn", () => move(1));
command("searchBack", () => move(-1));
command("searchClose", () => {
  if (form.contains(document.activeElement)) document.activeElement.blur(); // hidden, it would keep the cursor until the next frame
  form.hidden = true;
  paint("search", []);
  go(current());
});
export const isOpen = () => !form.hidden;
export const isIn = (element) => form.contains(element);
