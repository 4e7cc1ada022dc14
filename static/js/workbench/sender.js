// Sends waiting changes strictly in order, one at a time. Only a 2xx takes one off the queue.
import { page } from "./page.js";
import * as queue from "./queue.js";
import * as store from "./store.js";
import { post } from "./wire.js";

const LONGEST = 30_000;
let running = false;
let timer = null;
let failed = 0;
let held = false; // a question stands open: conflict, refusal
const listeners = new Set();
export const sending = { phase: "saved", message: "", login: page.urls.login };

export const onSending = (listener) => listeners.add(listener);
export const leaving = { next: null }; // the form that asks for another run, if one is wanted
export const ask = { conflict: () => {}, refused: () => {} };

function say(phase, message = "") {
  Object.assign(sending, { phase, message });
  for (const listener of listeners) listener(sending);
}

export function wake() {
  clearTimeout(timer);
  pump();
}

export function resume() {
  held = false;
  failed = 0;
  wake();
}

async function pump() {
  if (running || held) return;
  running = true;
  try {
    while (queue.first() && !held) {
      say("saving");
      const again = await send(queue.first());
      if (again === null) continue;
      timer = setTimeout(wake, again);
      return;
    }
    if (!held) say("saved");
  } finally {
    running = false;
  }
}

/** Null when the queue may go on; else the milliseconds to wait before the same change is tried again. */
async function send(entry) {
  queue.markTried(entry);
  const base = queue.base() ?? store.annotation.revision;
  const request = { key: entry.key, base, op: entry.op, payload: entry.payload, user: page.user };
  const { status, body, wait } = await post(page.urls.operations, request);
  if (status >= 200 && status < 300) return confirmed(entry, body);
  if (status === 0 || status === 429 || status >= 500) return later(wait);
  // Refused before any view was asked: cookies are gone, and with them the log-in.
  if (status === 401 || (status === 403 && !body.error)) return loggedOut(body);
  return trouble(entry, status, body);
}

function confirmed(entry, body) {
  failed = 0;
  queue.shift(body.revision);
  store.confirm(body);
  if (body.submitted) {
    store.annotation.isFrozen = true;
    store.refresh();
    if (entry.op === "submit") leave(body.next);
  }
  return null;
}

function later(wait) {
  failed += 1;
  say("offline");
  return wait ? wait * 1000 : Math.min(LONGEST, 500 * 2 ** Math.min(failed, 6)) * (0.75 + Math.random() / 2);
}

function loggedOut(body) {
  sending.login = body.login ?? page.urls.login;
  say("log_in", body.message);
  return 5000;
}

function trouble(entry, status, body) {
  held = true;
  if (body.error === "conflict") {
    say("conflict", body.message);
    ask.conflict(body);
  } else {
    say("refused", body.message ?? `The server answered ${status}.`);
    ask.refused(entry, body);
  }
  return null;
}

function leave(next) {
  window.removeEventListener("beforeunload", warn);
  if (leaving.next) leaving.next.submit();
  else location.assign(next ?? page.urls.home);
}

function warn(event) {
  if (queue.length()) event.preventDefault();
}

window.addEventListener("beforeunload", warn);
window.addEventListener("online", () => {
  failed = 0; // an attempt under way may still fail; the next one then follows soon
  wake();
});
window.addEventListener("focus", () => queue.length() && wake());
store.whenAdded(wake);
