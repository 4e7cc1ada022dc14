// Phase 2: effects from the last failure backward, the critical one, the reason, the summary.
import { choose, chosen, chosenFailure, enter, onChoice, phase } from "./choice.js";
import { command, run } from "./commands.js";
import { $, $$, announce, h, tell } from "./dom.js";
import { clampedName, detailOf, effectTag } from "./marked.js";
import { agentOf, nameOf, numberOf, placeOf, positionOf } from "./page.js";
import * as store from "./store.js";
import { field, flush } from "./typing.js";
import { current, go } from "./walk.js";

const panel = $("[data-verdict]");
const EFFECTS = [["recovered", "x", "recovered"], ["harmless", "h", "harmless"], ["persists", "p", "persists"], ["unknown", "n", "not known"]];
const ELSE = [
  ["all_recovered_or_harmless", "All were recovered or harmless"],
  ["no_failure", "No failure found"],
  ["cannot_tell", "I cannot tell"],
];

const backward = () => store.failures().reverse();

for (const input of $$("[data-answer]", panel)) {
  const name = input.dataset.answer;
  field(input, () => ({ read: () => store.answers()[name], write: (text) => store.conclude({ [name]: text }) }));
}

function decision([key, failure]) {
  const isOpen = key === chosen();
  const isCritical = store.answers().critical === key;
  const head = h("button", { class: "wb-effect__head", type: "button", "aria-expanded": String(isOpen), on: { click: () => pick(key) } },
    h("span", { class: "wb-mark__place num" }, failure.first_step === null ? failure.anchor : String(numberOf(failure.first_step))),
    h("span", { class: "wb-mark__what" }, clampedName(failure), h("span", { class: "muted small" }, h("bdi", {}, detailOf(failure)))),
    isCritical ? h("span", { class: "tag tag--critical" }, "★ critical") : effectTag(failure));
  return h("li", { class: "wb-effect", "data-key-of": key }, head, isOpen && choices(key, failure, isCritical));
}

function choices(key, failure, isCritical) {
  const buttons = EFFECTS.map(([effect, sign, words]) =>
    h("button", { class: "button button--small", type: "button", "aria-pressed": String(failure.effect === effect), "data-effect": effect, disabled: store.annotation.isFrozen, on: { click: () => decide(effect, key) } }, h("kbd", {}, sign), words));
  const star = h("button", { class: "button button--small wb-star", type: "button", "aria-pressed": String(isCritical), disabled: store.annotation.isFrozen, on: { click: () => crown(key) } }, h("kbd", {}, "c"), "★ critical");
  return h("div", { class: "wb-effect__body" },
    h("p", { class: "small wb-effect__why", dir: "auto" }, failure.step_reason),
    h("div", { class: "row", role: "group", "aria-label": `Effect of F${failure.number}` }, buttons, star),
    failure.effect === "recovered" && recovery(key, failure));
}

function recovery(key, failure) {
  const at = h("input", { class: "input", inputmode: "numeric", "aria-label": "Recovered at step", placeholder: "at step", autocomplete: "off", "data-recovery-at": "", readonly: store.annotation.isFrozen, on: { change: () => setRecovery(key, at, by) } });
  const by = h("input", { class: "input", list: "wb-participants", "aria-label": "Recovered by", placeholder: "by whom", maxlength: 200, autocomplete: "off", readonly: store.annotation.isFrozen, on: { change: () => setRecovery(key, at, by) } });
  at.value = numberOf(failure.recovered_at);
  by.value = failure.recovered_by;
  const here = h("button", { class: "button button--small button--quiet", type: "button", on: { click: () => recoverHere(key) } }, `this step, ${numberOf(current())}`);
  return h("div", { class: "wb-recover" }, at, by, !store.annotation.isFrozen && current() > (failure.last_step ?? -1) && here);
}

function setRecovery(key, at, by) {
  const position = positionOf(at.value);
  const isUnknown = at.value !== "" && position === null;
  at.setAttribute("aria-invalid", String(isUnknown));
  if (isUnknown) return tell(`There is no step ${at.value}.`);
  by.value = by.value.trim() || (position === null ? "" : agentOf(position));
  const fields = { effect: "recovered", recovered_at: position, recovered_by: by.value };
  // The cursor is on its way to another field, which a list drawn anew at once would take from it.
  return setTimeout(() => store.change(key, fields));
}

function recoverHere(key) {
  store.change(key, { effect: "recovered", recovered_at: current(), recovered_by: agentOf(current()) });
}

function pick(key) {
  choose(key === chosen() ? null : key);
  toChosen();
}

/** To the step of the failure, and the cursor with it, unless that is at work in the panel. */
function toChosen() {
  const position = chosenFailure()?.first_step ?? null;
  const { activeElement } = document;
  const isInPanel = Boolean(activeElement.closest("[data-panel]")) && activeElement.checkVisibility();
  if (position !== null) go(position, { focus: !isInPanel });
}

export function decide(effect, key = chosen()) {
  const failure = key && store.failure(key);
  if (!failure) tell("Open a failure first: o, or a click.");
  if (!failure || store.annotation.isFrozen) return;
  const isLater = failure.last_step !== null && current() > failure.last_step;
  if (effect === "recovered" && isLater) recoverHere(key);
  else store.change(key, { effect });
  announce(`F${failure.number}: ${effect}`);
  if (phase() === 2 && (effect !== "recovered" || isLater)) nextOpen();
  else if (phase() === 2) $("[data-recovery-at]")?.focus();
}

/** On to the next failure, backward, that has no effect yet. */
function nextOpen() {
  const next = backward().find(([, each]) => !each.effect);
  if (!next) {
    announce("Every failure has its effect. Choose the critical one.");
    return;
  }
  choose(next[0]);
  toChosen();
}

function crown(key) {
  const failure = store.failure(key);
  if (!failure || store.annotation.isFrozen) return;
  flush();
  const isSame = store.answers().critical === key;
  store.conclude(isSame ? { critical: null, outcome: "" } : { critical: key, outcome: "critical" });
  if (!isSame && !failure.effect) store.change(key, { effect: "persists" });
  if (!isSame) writeWhy();
}

const writeWhy = () => $("#wb-root").focus();

function outcome(value, words, checked, act) {
  // Chosen once more it does not change, and still the reason comes next.
  const again = () => store.answers().critical === value && writeWhy();
  const radio = h("input", { type: "radio", name: "outcome", value, on: { change: act, click: again } });
  radio.checked = checked;
  return h("label", { class: "choice" }, radio, h("span", { class: "wb-clamped" }, ...words));
}

function outcomes() {
  const { outcome: chosenOutcome, critical } = store.answers();
  const marks = store.failures().map(([key, each]) =>
    outcome(key, ["★ ", h("strong", { class: "num" }, `F${each.number}`), ` at ${placeOf(each)} `, h("bdi", { class: "muted", title: nameOf(each) }, nameOf(each))], critical === key, () => crown(key)));
  const others = ELSE.map(([value, words]) =>
    outcome(value, [words], chosenOutcome === value, () => store.conclude({ outcome: value, critical: null })));
  return [...marks, ...others];
}

/** Radios are kept when nothing changed in them, so that the focus stays. */
function renderOutcomes() {
  const box = $("[data-outcomes]");
  const focused = document.activeElement?.name === "outcome" ? document.activeElement.value : null;
  box.replaceChildren(box.firstElementChild, ...outcomes());
  if (focused) $(`input[value="${CSS.escape(focused)}"]`, box)?.focus();
}

function renderEarliest() {
  const { critical } = store.answers();
  const first = store.failures().find(([, each]) => each.effect === "persists");
  const differs = critical && first && first[0] !== critical;
  const note = $("[data-earliest]");
  note.hidden = !differs;
  if (differs) note.textContent = `F${first[1].number} at ${placeOf(first[1])} persists too and comes earlier. Keep your choice if correcting that one would not have changed the outcome.`;
}

function render() {
  const list = $("[data-effects]");
  const keep = list.contains(document.activeElement) ? document.activeElement.closest("li")?.dataset.keyOf : null;
  const inRecovery = document.activeElement?.matches?.(".wb-recover input");
  if (!inRecovery) {
    list.replaceChildren(...backward().map(decision));
    if (keep) $(`[data-key-of="${CSS.escape(keep)}"] button`, list)?.focus();
  }
  if (!store.failures().length) list.replaceChildren(h("li", { class: "muted" }, "No failure is marked."));
  renderOutcomes();
  renderEarliest();
  for (const input of $$("[data-answer]", panel)) input.show(store.answers()[input.dataset.answer]);
  const share = store.answers().confidence;
  for (const button of $$("[data-confidence] button")) button.setAttribute("aria-pressed", String(Number(button.dataset.value) === share));
  const isCritical = store.answers().outcome === "critical";
  $("[data-root-label]").textContent = isCritical ? "Why this one is critical" : "Why";
}

export function warnings(box, found = store.annotation.warnings) {
  box.replaceChildren(...found.map((each) =>
    h("li", { class: each.blocks ? "is-failure" : "" }, h("span", { "aria-hidden": "true" }, each.blocks ? "⚑ " : "· "), each.text)));
}

function renderWarnings() {
  $("[data-warnings-box]").hidden = !store.annotation.warnings.length;
  warnings($("[data-warnings]"));
}

panel.addEventListener("submit", (event) => event.preventDefault());
command("recovered", () => decide("recovered"));
command("harmless", () => phase() === 2 && decide("harmless"));
command("persists", () => phase() === 2 && decide("persists"));
command("unknown", () => phase() === 2 && decide("unknown"));
command("critical", () => chosen() && crown(chosen()));
command("confidence", (button) => store.conclude({ confidence: Number(button.dataset.value) }));
command("nextDecision", nextOpen);
command("phase", (button) => {
  flush();
  const to = Number(button.dataset?.phase ?? button);
  enter(to);
  run("drawer", true);
  if (to === 2) nextOpen();
});

store.onChange(render);
store.onChange(renderWarnings);
onChoice(render);
