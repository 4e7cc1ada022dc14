// When the server does not take a change: both sides of a conflict, or the words that were turned down.
import { command } from "./commands.js";
import { $, announce, h, tell } from "./dom.js";
import { nameOf, numberOf } from "./page.js";
import { dialog, open } from "./panels.js";
import * as queue from "./queue.js";
import { ask, resume } from "./sender.js";
import * as store from "./store.js";

let theirs = null;
let refused = null;

const LABELS = {
  step_reason: "why", category_reason: "why this category", codes: "codes", category: "category", participant: "who failed",
  evidence: "evidence", effect: "effect", first_step: "step", last_step: "last step", outcome: "outcome", critical: "critical",
  reason_for_root_cause: "why it is critical", failure_summary: "summary", confidence: "confidence",
};

function shown(name, value) {
  if (value === undefined) return "—";
  if (value === null || value === "") return "empty";
  if (name === "codes") return value.map((code) => code.phrase ?? code).join(", ") || "none";
  if (name === "evidence") return value.map((span) => `“${span.text}”`).join(", ") || "none";
  if (["first_step", "last_step", "recovered_at"].includes(name)) return String(numberOf(value));
  if (["critical", "cause", "repeats"].includes(name)) return nameFor(value);
  return String(value);
}

function nameFor(key) {
  const failure = theirs?.state.failures[key] ?? store.failure(key);
  return failure ? `F${failure.number} ${nameOf(failure)}` : "a mark that is gone";
}

function rowsOf(entry) {
  const { op, payload } = entry;
  const saved = theirs.state;
  if (op === "conclude") return Object.entries(payload.fields).map(([name, value]) => row(LABELS[name] ?? name, shown(name, value), shown(name, saved.answers[name])));
  if (op === "change") {
    return payload.failures.flatMap((key) => Object.entries(payload.fields).map(([name, value]) =>
      row(`${nameFor(key)}: ${LABELS[name] ?? name}`, shown(name, value), saved.failures[key] ? shown(name, saved.failures[key][name]) : "removed")));
  }
  if (op === "accept") return [row("a suggestion", `taken over at step ${numberOf(payload.fields.first_step)}`, "—")];
  if (op === "dismiss") return [row("a suggestion", `dismissed: ${payload.reason}`, "—")];
  if (op === "reveal") return [row("suggestions", "asked for", "—")];
  if (op === "mark") return [row("a new mark", `step ${numberOf(payload.fields.first_step)}`, "—")];
  if (op === "remove") return [row(nameFor(payload.failure), "removed", saved.failures[payload.failure] ? "kept" : "removed")];
  return [row(op, op, "—")];
}

const row = (what, mine, other) => h("tr", {}, h("th", { scope: "row" }, what), h("td", { class: "wrap", dir: "auto" }, mine), h("td", { class: "wrap", dir: "auto" }, other));

ask.conflict = (body) => {
  theirs = body;
  $("[data-conflict-rows]").replaceChildren(...queue.entries().flatMap(rowsOf));
  open("conflict");
};

command("keepMine", () => {
  queue.rebase(theirs.revision);
  store.replace(theirs);
  dialog("conflict").close();
  resume();
});
command("takeTheirs", () => {
  queue.clear();
  store.replace(theirs);
  dialog("conflict").close();
  resume();
  announce("Taken as it was saved elsewhere.");
});

const WORDLESS = new Set(["undo", "redo", "submit", "reveal"]);

ask.refused = (entry, body) => {
  refused = entry;
  // Nothing is lost with these; the sentence is all there is to say.
  if (body.error === "refused" && WORDLESS.has(entry.op)) {
    queue.shift(store.annotation.revision);
    store.refresh();
    resume();
    return tell(body.message);
  }
  $("[data-refused-message]").textContent = body.message ?? "It did not say why. Reloading the page may help; what waits is kept.";
  $("[data-refused-what]").textContent = body.field ? `Field: ${LABELS[body.field] ?? body.field}` : "";
  $("[data-refused-text]").value = readable(entry);
  const more = queue.length() - 1;
  const all = $("[data-discard-all]");
  all.hidden = more < 1;
  all.textContent = `Discard this and the ${more} after it`;
  return open("refused");
};

function readable(entry) {
  const { fields } = entry.payload;
  if (!fields) return `${entry.op} ${JSON.stringify(entry.payload)}`;
  return Object.entries(fields).map(([name, value]) => `${LABELS[name] ?? name}: ${typeof value === "string" ? value : JSON.stringify(value)}`).join("\n");
}

command("tryAgain", () => {
  dialog("refused").close();
  resume();
});
command("discard", () => {
  if (queue.first() === refused) queue.shift(queue.base());
  dialog("refused").close();
  store.refresh();
  resume();
});
command("discardAll", () => {
  queue.clear();
  dialog("refused").close();
  store.refresh();
  resume();
});
command("copyWaiting", async () => {
  const text = queue.entries().map(readable).join("\n\n");
  try {
    await navigator.clipboard.writeText(text);
    announce("Copied.");
  } catch {
    const box = h("textarea", { class: "input", readonly: true, "aria-label": "What waits" });
    box.value = text;
    (document.querySelector("dialog[open]") ?? document.body).append(box);
    box.select();
  }
});
