// Changes that the server has not confirmed, kept in this browser per person, run and tab, in order.
import { page } from "./page.js";
import { tab, settle } from "./tabs.js";

const PREFIX = `assay-queue:${page.user}:${page.item}:`;
let memory = { base: null, entries: [] };
export let isKept = true;

const place = () => PREFIX + tab();

function read(key) {
  try {
    return JSON.parse(localStorage.getItem(key)) ?? { base: null, entries: [] };
  } catch {
    return { base: null, entries: [] };
  }
}

function write() {
  try {
    if (memory.entries.length) localStorage.setItem(place(), JSON.stringify(memory));
    else localStorage.removeItem(place());
    isKept = true;
  } catch {
    isKept = false; // full or forbidden: the changes live in this page only, and the status says so
  }
}

function keys() {
  try {
    return Object.keys(localStorage).filter((key) => key.startsWith(PREFIX));
  } catch {
    return [];
  }
}

/** Reads what was left over, by this tab before a reload or by tabs that are gone. */
export async function open() {
  const left = keys();
  if (!left.length) return;
  const orphans = await settle(left.map((key) => key.slice(PREFIX.length)));
  const found = [read(place()), ...orphans.map((id) => read(PREFIX + id))].filter((each) => each.entries.length);
  const entries = found.flatMap((each) => each.entries).map((entry) => ({ ...entry, tried: true }));
  memory = { base: found[0]?.base ?? null, entries: [...entries, ...memory.entries] };
  write();
  orphans.forEach((id) => localStorage.removeItem(PREFIX + id));
}

export const entries = () => memory.entries;
export const first = () => memory.entries[0];
export const length = () => memory.entries.length;
export const base = () => memory.base;

const sameFields = (one, other) => Object.keys(one).join() === Object.keys(other).join();
const TEXTS = new Set(["step_reason", "category_reason", "reason_for_root_cause", "failure_summary", "participant"]);

/** The waiting entry whose words this one only carries on: typing while offline is one change, not fifty. */
function continued(entry) {
  const last = memory.entries.at(-1);
  if (!last || last.tried || last.op !== entry.op || !["change", "conclude"].includes(entry.op)) return null;
  const { fields } = entry.payload;
  if (!Object.keys(fields).every((name) => TEXTS.has(name)) || !sameFields(fields, last.payload.fields)) return null;
  return String(last.payload.failures) === String(entry.payload.failures) ? last : null;
}

export function add(entry, base) {
  const last = continued(entry);
  if (last) last.payload = entry.payload;
  else memory.entries.push(entry);
  if (memory.base === null) memory.base = base;
  write();
}

export function markTried(entry) {
  entry.tried = true;
  write();
}

/** Confirmed at this revision: the next entry rests on it. */
export function shift(revision) {
  memory.entries.shift();
  memory.base = memory.entries.length ? revision : null;
  write();
}

/** The last entry, as long as no attempt was made to send it. */
export function unsent() {
  const last = memory.entries.at(-1);
  return last?.tried ? undefined : last;
}

/** Takes that one back. */
export function pop() {
  const last = unsent();
  if (!last) return undefined;
  memory.entries.pop();
  if (!memory.entries.length) memory.base = null;
  write();
  return last;
}

export function rebase(revision) {
  memory.base = memory.entries.length ? revision : null;
  write();
}

export function clear() {
  memory = { base: null, entries: [] };
  write();
}
