// The form of the chosen failure. What is typed is saved after a pause, on leaving the field, and on leaving the page.
import { choose, chosen, chosenFailure, onChoice, phase, enter } from "./choice.js";
import { command, run } from "./commands.js";
import { $, $$, announce, debounce, h, tell } from "./dom.js";
import { selectedSpans, nothingSelected } from "./evidence.js";
import { agentOf, numberOf, placeOf, positionOf, nameOf } from "./page.js";
import * as store from "./store.js";
import { field, flush } from "./typing.js";
import { uuid } from "./uuid.js";
import { current, go, onMove } from "./walk.js";

const form = $("[data-form]");
const get = (name) => $(`[data-${name}]`, form);
const change = (fields) => chosen() && store.change(chosen(), fields);

for (const input of $$("[data-field]", form)) {
  field(input, () => {
    const key = chosen();
    return key && { read: () => store.failure(key)?.[input.dataset.field], write: (text) => store.change(key, { [input.dataset.field]: text }) };
  });
}

function render() {
  const failure = chosenFailure();
  // A hidden field would keep the cursor until the next frame, and swallow the next key.
  if (!failure && form.contains(document.activeElement)) document.activeElement.blur();
  form.hidden = !failure;
  $("[data-ask]").hidden = Boolean(failure) || store.annotation.isFrozen;
  if (!failure) return;
  get("form-title").replaceChildren(`F${failure.number} at ${placeOf(failure)} `, h("bdi", { class: "muted" }, failure.participant));
  for (const input of $$("[data-field]", form)) input.show(failure[input.dataset.field]);
  showCategory(failure);
  showPlace(failure);
  showParticipant(failure);
  showEvidence(failure);
  showMore(failure);
  showCopy();
  showRecovery(failure);
}

function showCategory(failure) {
  for (const button of $$("[data-category]", form)) {
    button.setAttribute("aria-pressed", String(button.dataset.category === failure.category));
  }
  get("none-fits")?.setAttribute("aria-pressed", String(failure.none_fits));
}

const put = (input, value) => document.activeElement !== input && (input.value = value);

function showPlace(failure) {
  const hasSteps = failure.first_step !== null;
  put(get("anchor"), failure.anchor);
  get("first-box").hidden = !hasSteps;
  get("last-box").hidden = get("anchor").value !== "range" || !hasSteps;
  put(get("first"), numberOf(failure.first_step));
  put(get("last"), failure.anchor === "range" ? numberOf(failure.last_step) : "");
}

function showParticipant(failure) {
  const speaker = failure.first_step === null ? "" : agentOf(failure.first_step);
  const differs = failure.participant && speaker && failure.participant.toLowerCase() !== speaker.toLowerCase();
  get("participant-warning").hidden = !differs;
  get("participant-warning").textContent = differs ? `Step ${numberOf(failure.first_step)} is by ${speaker}. Right, if somebody else is at fault.` : "";
}

function showEvidence(failure) {
  const spans = failure.evidence.map((span, index) =>
    h("li", { class: "wb-span" },
      h("button", { class: "wb-span__text", type: "button", title: "Show it in the run", on: { click: () => go(span.step, { top: true }) } },
        h("span", { class: "muted num" }, `${numberOf(span.step)} → `), h("bdi", {}, span.text.slice(0, 240))),
      h("button", { class: "button button--small button--quiet", type: "button", "aria-label": `Remove evidence ${index + 1}`, on: { click: () => withoutSpan(index) } }, "×")));
  get("evidence").replaceChildren(...spans);
}

function withoutSpan(index) {
  change({ evidence: chosenFailure().evidence.filter((_, at) => at !== index) });
}

function showMore(failure) {
  get("omission").checked = failure.is_omission;
  const others = store.failures().filter(([key]) => key !== chosen());
  for (const select of $$("[data-pointer]", form)) {
    const options = others.map(([key, each]) => h("option", { value: key }, `F${each.number} · ${numberOf(each.first_step)} ${nameOf(each)}`.slice(0, 90)));
    select.replaceChildren(h("option", { value: "" }, "none"), ...options);
    select.value = failure[select.dataset.pointer] ?? "";
  }
}

function showCopy() {
  const [, last] = lastOther() ?? [];
  get("copy").hidden = !last;
  if (last) get("copy-from").textContent = `F${last.number}`;
}

function showRecovery(failure) {
  get("recovery").hidden = failure.effect !== "recovered";
  put(get("recovered-at"), numberOf(failure.recovered_at));
  put(get("recovered-by"), failure.recovered_by);
}

function numberField(input, name, also = () => ({})) {
  input.addEventListener("change", () => {
    const position = positionOf(input.value);
    input.setAttribute("aria-invalid", String(position === null && input.value !== ""));
    if (position === null && input.value !== "") return tell(`There is no step ${input.value}.`);
    return change({ [name]: position, ...also(position) });
  });
}

numberField(get("first"), "first_step", (first) => {
  const failure = chosenFailure();
  const isRange = failure.anchor === "range" && failure.last_step > first;
  const speaker = failure.participant === agentOf(failure.first_step) ? { participant: agentOf(first) } : {};
  return { ...(isRange ? {} : { anchor: "step", last_step: first }), ...speaker };
});
numberField(get("last"), "last_step", () => ({ anchor: "range" }));
numberField(get("recovered-at"), "recovered_at", () => ({ effect: "recovered" }));
get("recovered-by").addEventListener("change", () => change({ effect: "recovered", recovered_by: get("recovered-by").value.trim() }));
get("omission").addEventListener("change", () => change({ is_omission: get("omission").checked }));
get("anchor").addEventListener("change", () => moveAnchor(get("anchor").value));
for (const select of $$("[data-pointer]", form)) {
  select.addEventListener("change", () => change({ [select.dataset.pointer]: select.value || null }));
}
form.addEventListener("submit", (event) => event.preventDefault());

function moveAnchor(anchor) {
  if (anchor === "range") {
    get("last-box").hidden = false;
    get("last").focus();
    return;
  }
  const first = chosenFailure().first_step ?? current();
  change(anchor === "step" ? { anchor, first_step: first, last_step: first } : { anchor, first_step: null, last_step: null });
}

const lastOther = () => store.failures().filter(([key]) => key !== chosen()).sort(([, a], [, b]) => b.number - a.number)[0];

const FILLED = ["category", "none_fits", "step_reason", "category_reason", "is_omission", "cause", "repeats", "effect"];
const isBlank = (each) => !each.codes.length && !each.evidence.length && !FILLED.some((name) => each[name]);

command("mark", () => {
  if (store.annotation.isFrozen) return;
  flush();
  run("settleCode");
  const failure = uuid();
  const position = current();
  store.act("mark", { failure, fields: { anchor: "step", first_step: position, last_step: position, participant: agentOf(position) } });
  enter(1);
  run("drawer", true);
  choose(failure);
  run("code");
  announce(`Failure marked at step ${numberOf(position)}.`);
});
command("open", (button) => {
  const here = ([, each]) => each.first_step !== null && each.first_step <= current() && current() <= each.last_step;
  const key = button?.dataset?.failure ?? store.failures().find(here)?.[0];
  if (!key) return tell("No failure is marked at this step.");
  flush();
  run("settleCode");
  choose(key);
  run("drawer", true);
  if (phase() === 1) get("form-title").focus();
});
command("remove", () => {
  const key = chosen();
  if (!key) return;
  const { number } = store.failure(key);
  choose(null);
  store.act("remove", { failure: key });
  announce(`F${number} deleted. Undo with u.`);
  go(current());
});
command("category", (button) => {
  const { category } = button.dataset;
  change(category === chosenFailure()?.category ? { category: null } : { category, none_fits: false });
});
command("noneFits", () => change({ category: null, none_fits: !chosenFailure()?.none_fits }));
command("evidence", () => {
  const spans = selectedSpans();
  if (!spans.length) return nothingSelected();
  if (!chosen()) run("mark");
  const failure = chosenFailure();
  if (!failure) return;
  change({ evidence: [...failure.evidence, ...spans] });
  getSelection().removeAllRanges();
  announce(`${spans.length} piece${spans.length > 1 ? "s" : ""} of evidence on F${failure.number}.`);
});
/** By touch there is no key: the act stands at the foot while there are words to take and a mark to take them. */
const footEvidence = $("[data-foot-evidence]");
const offerEvidence = debounce(100, () => {
  footEvidence.classList.toggle("is-offered", Boolean(chosen() && !store.annotation.isFrozen && selectedSpans().length));
});
footEvidence.addEventListener("mousedown", (event) => event.preventDefault()); // which would unselect the words
document.addEventListener("selectionchange", offerEvidence);
onChoice(offerEvidence);
command("copyLast", () => {
  const [, last] = lastOther() ?? [];
  if (!last || !chosen()) return tell(chosen() ? "There is no other mark to copy from." : "Mark a step first: m.");
  flush();
  const own = chosenFailure();
  const codes = [...own.codes, ...last.codes.filter((code) => !own.codes.includes(code))];
  const words = own.step_reason ? {} : { step_reason: last.step_reason, category_reason: last.category_reason };
  change({ codes, category: last.category, none_fits: last.none_fits, is_omission: last.is_omission, ...words });
  return announce(`Copied from F${last.number}.`);
});
/** Once the questions of a category chosen just now stand above it: they push it down, under the buttons at the foot. */
function writeWhy() {
  const words = $("#wb-why");
  words.focus({ preventScroll: true });
  words.closest(".field").scrollIntoView({ block: "nearest" });
}
command("here", () => {
  const failure = chosenFailure();
  const to = current();
  const speaker = failure.participant === agentOf(failure.first_step) ? { participant: agentOf(to) } : {};
  change({ anchor: "step", first_step: to, last_step: to, ...speaker });
});
command("why", () => !form.hidden && queueMicrotask(writeWhy));
command("done", () => {
  flush();
  run("settleCode");
  const key = chosen();
  const failure = chosenFailure();
  choose(null);
  if (failure && isBlank(failure)) store.act("remove", { failure: key });
  run("drawer", false);
  go(current());
});
command("unrecovered", () => change({ effect: "" }));

function showHere(position) {
  $$("[data-current-number]").forEach((each) => (each.textContent = numberOf(position)));
  get("here").hidden = chosenFailure()?.first_step === position;
}

onMove(showHere);
onChoice(() => showHere(current()));
store.onChange(() => showHere(current()));
store.onChange(render);
onChoice(render);
