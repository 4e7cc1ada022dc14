// The run at a glance: a tick per step, long as its text, in its agent's hue; marks and what is in sight.
import { $, svg } from "./dom.js";
import { agentOf, count, hueOf, numberOf, page, placeOf, previewOf, sizeOf } from "./page.js";
import { scroller } from "./steps.js";
import * as store from "./store.js";
import { current, go, inSight, onMove } from "./walk.js";

const map = $("[data-map]");
const [ticks, labels, flags, sight] = ["ticks", "labels", "flags", "sight"].map((name) => $(`[data-map-${name}]`, map));
const TICK = 13;
let left = 30;
let longest = 32;
let pitch = TICK;
let rows = count;

const rowOf = (position) => Math.floor((position * rows) / count);
const yOf = (position) => 8 + (rowOf(position) + 0.5) * pitch;
const width = (position) => 5 + (longest - 5) * Math.min(1, Math.log10(1 + sizeOf(position)) / 4.2);

function draw() {
  const height = map.clientHeight - 16;
  if (height <= 0) return;
  const isNarrow = map.clientWidth < 60;
  left = isNarrow ? 4 : Math.max(30, 8 + 6 * String(numberOf(count - 1)).length);
  longest = isNarrow ? 22 : 62 - left;
  pitch = Math.max(2, Math.min(TICK, height / count));
  rows = Math.min(count, Math.max(1, Math.floor(height / pitch)));
  map.setAttribute("viewBox", `0 0 ${map.clientWidth} ${map.clientHeight}`);
  drawTicks();
  drawLabels();
  drawFlags();
  drawSight();
}

/** One path per hue keeps ten thousand steps at eight nodes; steps that share a row show as the longest. */
function drawTicks() {
  const shown = new Array(rows).fill(-1);
  for (let position = 0; position < count; position += 1) {
    const row = rowOf(position);
    if (shown[row] < 0 || sizeOf(position) > sizeOf(shown[row])) shown[row] = position;
  }
  const paths = new Map();
  shown.forEach((position) => {
    if (position < 0) return;
    const hue = hueOf(position);
    paths.set(hue, `${paths.get(hue) ?? ""}M${left} ${yOf(position).toFixed(1)}h${width(position).toFixed(1)}`);
  });
  const thick = Math.max(1, Math.min(6, pitch * 0.6));
  const drawn = [...paths].map(([hue, d]) => svg("path", { d, class: `wb-tick agent-${hue}`, "stroke-width": thick }));
  ticks.replaceChildren(...drawn);
}

function drawLabels() {
  const every = [5, 10, 20, 50, 100, 200, 500, 1000, 2000].find((each) => (each * rows * pitch) / count >= 44) ?? 5000;
  const shown = [];
  for (let position = 0; position < count; position += 1) {
    if (numberOf(position) % every === 0 && numberOf(position)) shown.push(position);
  }
  labels.replaceChildren(...shown.map((at) => svg("text", { x: left - 5, y: yOf(at) + 3.5 }, String(numberOf(at)))));
}

function drawFlags() {
  const critical = store.answers().critical;
  const marks = store.failures().filter(([, each]) => each.first_step !== null);
  const links = marks.filter(([, each]) => (store.failure(each.cause)?.first_step ?? null) !== null).map(([, each]) => link(each));
  flags.replaceChildren(...links, ...marks.map(([key, each]) => flag(each, key === critical)));
}

/** From a cause to what it caused: an arc at the right edge, the wider the farther they lie apart. */
function link(failure) {
  const [from, to] = [yOf(store.failure(failure.cause).first_step), yOf(failure.first_step)];
  const x = left + longest + 14;
  const out = Math.max(3, Math.min(map.clientWidth - x - 2, 4 + Math.abs(to - from) / 6));
  const arc = svg("path", { d: `M${x} ${from}C${x + out} ${from} ${x + out} ${to} ${x} ${to}l3 ${to > from ? -3 : 3}`, class: "wb-link-arc" });
  arc.append(svg("title", {}, `F${store.failure(failure.cause).number} caused F${failure.number}`));
  return arc;
}

function flag(failure, isCritical) {
  const kind = isCritical ? "critical" : failure.effect || "open";
  const sign = isCritical ? "★" : "⚑";
  const label = svg("text", { x: left + longest + 4, y: yOf(failure.first_step) + 4.5, class: `wb-flag wb-flag--${kind}` }, sign);
  label.append(svg("title", {}, `F${failure.number} at ${placeOf(failure)}`));
  return label;
}

function drawSight() {
  const [first, last] = inSight();
  const top = yOf(first) - Math.max(3, pitch / 2);
  const height = Math.max(8, yOf(last) - yOf(first) + Math.max(6, pitch));
  for (const [name, value] of Object.entries({ x: 2, y: top, width: Math.max(0, map.clientWidth - 4), height })) {
    sight.setAttribute(name, value);
  }
  map.setAttribute("aria-valuenow", current() + 1);
  map.setAttribute("aria-valuetext", `Step ${numberOf(current())}, ${agentOf(current())}`);
}

const positionAt = (event) => {
  const row = (event.clientY - map.getBoundingClientRect().top - 8) / pitch;
  return Math.max(0, Math.min(count - 1, Math.floor((row * count) / rows)));
};

map.addEventListener("pointerdown", (event) => {
  event.preventDefault();
  go(positionAt(event), { top: true });
});
map.addEventListener("pointermove", (event) => {
  const position = positionAt(event);
  const words = previewOf(position);
  $("[data-map-hint]", map).textContent = `${numberOf(position)} ${agentOf(position)}${words ? `: ${words}` : ""}`;
});
map.addEventListener("keydown", (event) => {
  const to = { Home: 0, End: count - 1, PageDown: current() + 10, PageUp: current() - 10 }[event.key];
  const by = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 }[event.key];
  if (to === undefined && by === undefined) return;
  event.preventDefault();
  go(by ? current() + by : to, { focus: false });
});

let waiting = false;
function soon() {
  if (waiting) return;
  waiting = true;
  requestAnimationFrame(() => {
    waiting = false;
    drawSight();
  });
}
scroller.addEventListener("scroll", soon, { passive: true });
new ResizeObserver(draw).observe(map);
store.onChange(drawFlags);
onMove(soon);
map.setAttribute("aria-valuemax", page.steps.agent.length);
