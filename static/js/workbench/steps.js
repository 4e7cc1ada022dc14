// The run in windows: every window has its place from the start, its cards only while they are near.
import { $, $$, h } from "./dom.js";
import { count, page, sizeOf } from "./page.js";

const SIZE = 10;
const KEEP_ALL = 300; // shorter runs stay loaded once they were
const NEAR = "1500px 0px";

export const scroller = $("[data-run]");
const feed = $("[data-feed]");
const windows = [];
const loading = new Map();
const listeners = new Set();
let pinned = 0;

/** Hears of every window that is filled; the first one came with the page. */
export function onLoad(listener) {
  listeners.add(listener);
  queueMicrotask(() => windows.filter((place) => place.dataset.loaded).forEach(listener));
}
export const cardOf = (position) => document.getElementById(`step-${position}`);
export const loadedCards = () => $$("[data-step]", feed);
export const pin = (position) => (pinned = Math.floor(position / SIZE));

function guessedHeight(index) {
  let height = 0;
  for (let position = index * SIZE; position < Math.min(count, (index + 1) * SIZE); position += 1) {
    height += 68 + 21 * Math.ceil(Math.min(sizeOf(position), 4000) / 95);
  }
  return height;
}

/** Runs `act`, which may change heights above, without moving what the reader looks at. */
export function steady(act) {
  const line = scroller.getBoundingClientRect().top;
  const anchor = loadedCards().find((card) => card.getBoundingClientRect().bottom > line + 1);
  const before = anchor?.getBoundingClientRect().top;
  act();
  if (anchor?.isConnected) scroller.scrollTop += anchor.getBoundingClientRect().top - before;
}

async function fetchWindow(index) {
  const from = index * SIZE;
  const to = Math.min(count, from + SIZE);
  const response = await fetch(`${page.urls.steps}?from=${from}&to=${to}`, { credentials: "same-origin" });
  if (!response.ok) throw new Error(`steps ${from}–${to}: ${response.status}`);
  return response.text();
}

const tellBusy = () => feed.setAttribute("aria-busy", String(loading.size > 0));

function load(index) {
  const place = windows[index];
  if (place.dataset.loaded) return Promise.resolve();
  if (loading.has(index)) return loading.get(index);
  const promise = fetchWindow(index)
    .then((html) => steady(() => fill(place, html)))
    .catch(() => steady(() => fail(place, index)))
    .finally(() => {
      loading.delete(index);
      tellBusy();
    });
  loading.set(index, promise);
  tellBusy();
  return promise;
}

function fill(place, html) {
  place.innerHTML = html; // the server's own markup; everything from the run in it is escaped text
  place.dataset.loaded = "1";
  place.style.height = "";
  for (const listener of listeners) listener(place);
}

function fail(place, index) {
  const again = h("button", { class: "button", type: "button", on: { click: () => load(index) } }, "Try again");
  place.replaceChildren(h("p", { class: "wb-unread" }, "These steps could not be read. ", again));
}

function unload(index) {
  const place = windows[index];
  if (!place.dataset.loaded || count <= KEEP_ALL || index === pinned) return;
  place.style.height = `${place.offsetHeight}px`;
  delete place.dataset.loaded;
  place.replaceChildren();
}

function watch(entries) {
  for (const entry of entries) {
    const index = Number(entry.target.dataset.window);
    if (entry.isIntersecting) load(index);
    else unload(index);
  }
}

/** Resolves once the card of this position stands in the page. */
export async function ready(position) {
  await load(Math.floor(position / SIZE));
  return cardOf(position);
}

windows.push($("[data-window='0']", feed));
for (let index = 1; index * SIZE < count; index += 1) {
  const place = h("div", { class: "wb-window", "data-window": index });
  place.style.height = `${guessedHeight(index)}px`;
  windows.push(place);
}
feed.append(...windows.slice(1));
const observer = new IntersectionObserver(watch, { root: scroller, rootMargin: NEAR });
windows.forEach((place) => observer.observe(place));
