// Suggestions at their steps, where the project's rule shows them: take one over as a mark, say why it is wrong, or ignore it.
import { choose } from "./choice.js";
import { command, run } from "./commands.js";
import { $, announce, h, tell } from "./dom.js";
import { agentOf, categoryOf, numberOf, page } from "./page.js";
import * as queue from "./queue.js";
import { loadedCards, onLoad, steady } from "./steps.js";
import * as store from "./store.js";
import { uuid } from "./uuid.js";
import { current, go } from "./walk.js";
import { get } from "./wire.js";

let found = [];
let isAsked = false;
let dismissing = null; // the name of the one whose reason is being written

const acceptedAs = (each) => store.failures().find(([, failure]) => failure.suggested_by === each.name);
const waiting = (each) => queue.entries().findLast(({ op, payload }) => op === "dismiss" && payload.suggestion === each.name);
const reasonFor = (each) => waiting(each)?.payload.reason ?? each.dismissed;
const named = (name) => found.find((each) => each.name === name);

function accept(each) {
  const [step] = each.steps;
  const failure = uuid();
  const fields = { anchor: "step", first_step: step, last_step: step, participant: each.participant || agentOf(step), step_reason: each.text };
  if (each.category) fields.category = each.category;
  store.act("accept", { suggestion: each.name, failure, fields });
  choose(failure);
  run("drawer", true);
  announce("Taken over as your mark. Change what is not right.");
}

function dismiss(each, reason) {
  if (!reason.trim()) return tell("Say why it is wrong.");
  dismissing = null;
  store.act("dismiss", { suggestion: each.name, reason: reason.trim() });
  each.dismissed = reason.trim();
  return announce("Dismissed.");
}

function standing(each) {
  const mark = acceptedAs(each);
  if (mark) return h("button", { class: "tag tag--good", type: "button", "data-do": "open", "data-failure": mark[0] }, `your F${mark[1].number}`);
  const reason = reasonFor(each);
  return reason ? h("span", { class: "muted small" }, "dismissed: ", h("bdi", {}, reason)) : null;
}

function acts(each) {
  if (store.annotation.isFrozen || acceptedAs(each)) return null;
  if (dismissing === each.name) return reasonForm(each);
  const { name } = each;
  return h("span", { class: "row" },
    each.steps.length > 0 && h("button", { class: "button button--small", type: "button", "data-do": "acceptSuggestion", "data-name": name }, "Take over as a mark"),
    !reasonFor(each) && h("button", { class: "button button--small button--quiet", type: "button", "data-do": "dismissSuggestion", "data-name": name }, "Dismiss…"));
}

function reasonForm(each) {
  const input = h("input", { class: "input", maxlength: "500", "aria-label": "Why is it wrong?", placeholder: "Why is it wrong?", autocomplete: "off", dir: "auto" });
  const submit = (event) => {
    event.preventDefault();
    dismiss(each, input.value);
  };
  return h("form", { class: "row", on: { submit } }, input,
    h("button", { class: "button button--small", type: "submit" }, "Dismiss"),
    h("button", { class: "button button--small button--quiet", type: "button", "data-do": "keepSuggestion" }, "Keep"));
}

function box(each) {
  const category = categoryOf(each.category)?.name ?? each.says;
  const others = each.steps.slice(1).map(numberOf);
  return h("li", { class: "wb-suggestion", "data-suggestion": each.name },
    h("p", { class: "wb-suggestion__head" },
      h("strong", {}, h("bdi", {}, each.title)), h("span", { class: "muted small" }, h("bdi", {}, each.source)),
      category && h("span", { class: "tag" }, h("bdi", {}, category)), standing(each)),
    each.text && h("p", { class: "wb-suggestion__text", dir: "auto" }, each.text),
    (each.participant || others.length > 0) && h("p", { class: "muted small" }, h("bdi", {}, [each.participant, others.length ? `further guesses: ${others.join(", ")}` : ""].filter(Boolean).join(" · "))),
    acts(each));
}

function placeOf(card) {
  const old = $("[data-suggestions]", card);
  if (old) return old;
  const list = h("ul", { class: "wb-suggestions", role: "list", "data-suggestions": true, "aria-label": "Suggestions at this step" });
  card.append(list);
  return list;
}

function render() {
  for (const card of loadedCards()) {
    const here = found.filter((each) => each.steps[0] === Number(card.dataset.step));
    if (!here.length && !$("[data-suggestions]", card)) continue;
    const place = placeOf(card);
    if (dismissing && place.contains(document.activeElement) && document.activeElement.matches("input")) continue; // being typed
    place.replaceChildren(...here.map(box));
  }
  renderList();
}

const list = h("section", { class: "wb-marked", "aria-labelledby": "wb-suggested-title", hidden: true });

function renderList() {
  const line = (each) => {
    const [step] = each.steps;
    const where = step === undefined ? "no step named" : `step ${numberOf(step)}`;
    const jump = h("button", { class: "wb-link", type: "button", on: { click: () => go(step) } }, where);
    return h("li", {}, step === undefined ? h("span", {}, where) : jump, " ", h("bdi", {}, each.title), " ", h("span", { class: "muted small" }, h("bdi", {}, each.source)), " ", standing(each));
  };
  list.replaceChildren(
    h("h2", { id: "wb-suggested-title" }, `Suggestions · ${found.length}`),
    found.length ? h("ol", { class: "wb-suggested", role: "list" }, found.map(line)) : h("p", { class: "muted" }, "None was found on this run."));
}

async function read() {
  const { status, body } = await get(page.urls.suggestions);
  if (status !== 200) return tell("Suggestions could not be read. Open the page again for them.");
  found = body.suggestions;
  list.hidden = false;
  return steady(render);
}

/** Before they are asked for: what asking means, and the button. */
const ask = h("section", { class: "wb-ask-suggestions", "data-ask-suggestions": true },
  h("h2", {}, "Suggestions"),
  h("p", { class: "small muted" }, "When every failure is marked, you can look at what constraints and models say. That is noted: from then on this annotation counts as assisted."),
  h("button", { class: "button", type: "button", "data-do": "askSuggestions" }, "Show suggestions"));

command("askSuggestions", () => {
  if (isAsked || store.annotation.isFrozen) return;
  isAsked = true;
  ask.hidden = true;
  store.act("reveal");
  go(current());
});
command("acceptSuggestion", (button) => accept(named(button.dataset.name)));
command("dismissSuggestion", (button) => {
  dismissing = button.dataset.name;
  render();
  $(`[data-suggestion="${dismissing}"] input`)?.focus();
});
command("keepSuggestion", () => {
  dismissing = null;
  render();
});

/** Read once the server has confirmed that they were asked for. */
function whenConfirmed() {
  if (!isAsked || found.length || !list.hidden || queue.entries().some(({ op }) => op === "reveal")) return;
  isAsked = false;
  read().then(sayWhere);
}

function sayWhere() {
  const words = found.length ? `${found.length} found: they stand at their steps, and in a list under “Every failure”.` : "None was found on this run.";
  ask.replaceChildren(h("h2", {}, "Suggestions"), h("p", { class: "small muted", role: "status" }, words));
  ask.hidden = list.hidden;
}

if (page.suggestions) {
  $('[data-phase-panel="1"]').append(list);
  if (page.suggestions === "closed") $('[data-phase-panel="2"]').prepend(ask);
  store.onChange(render);
  store.onChange(whenConfirmed);
  onLoad(render);
  if (page.suggestions === "open") read();
}
