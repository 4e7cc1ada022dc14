// What annotating adds to the cards: flags, highlights of evidence; and folds that open in place.
import { $, $$, debounce, h } from "./dom.js";
import { paint, rangesOf } from "./evidence.js";
import { rendered } from "./markdown.js";
import { categoryOf, page, placeOf } from "./page.js";
import { loadedCards, onLoad, scroller, steady } from "./steps.js";
import * as store from "./store.js";

function covers(failure, position) {
  return failure.first_step !== null && failure.first_step <= position && position <= failure.last_step;
}

function flagsOf(position) {
  const critical = store.answers().critical;
  return store.failures().filter(([, each]) => covers(each, position)).map(([key, each]) => flag(key, each, key === critical));
}

function flag(key, failure, isCritical) {
  const category = categoryOf(failure.category)?.name ?? failure.codes[0] ?? "";
  const words = `${isCritical ? "★" : "⚑"} F${failure.number}${category ? ` · ${category}` : ""}`;
  const tone = isCritical ? "tag--critical" : failure.effect === "recovered" ? "tag--good" : "tag--bad";
  const title = `Open F${failure.number}, ${placeOf(failure)}`;
  return h("button", { class: `tag wb-card-flag ${tone}`, type: "button", "data-do": "open", "data-failure": key, title }, words);
}

function decorate() {
  for (const card of loadedCards()) {
    const position = Number(card.dataset.step);
    const flags = flagsOf(position);
    $("[data-flags]", card).replaceChildren(...flags);
    card.classList.toggle("has-failure", flags.length > 0);
  }
  highlight();
}

const highlight = debounce(30, () => {
  const spans = store.failures().flatMap(([, failure]) => failure.evidence);
  paint("evidence", spans.flatMap(rangesOf));
});

async function unfold(button) {
  const section = button.closest("[data-block]");
  const words = section.querySelector("[data-text], [data-tidied]");
  const { step } = button.closest("[data-step]").dataset;
  const { block } = section.dataset;
  button.disabled = true;
  button.textContent = "reading…";
  const address = page.urls.block.replace("/0/0", `/${step}/${block}`);
  const response = await fetch(address, { credentials: "same-origin" }).catch(() => null);
  if (!response?.ok) {
    button.disabled = false;
    button.textContent = "could not be read – try again";
    return;
  }
  const text = await response.text();
  const laidOut = section.querySelector('[data-tidy][aria-pressed="true"], [data-markdown][aria-pressed="true"]');
  if (laidOut) layOut(laidOut, "tidy" in laidOut.dataset ? "tidy" : "markdown");
  steady(() => {
    words.textContent = text;
    button.remove();
  });
  highlight();
}

const LAYOUTS = {
  tidy: ["lay out JSON", (text) => [JSON.stringify(JSON.parse(text), null, 2)]],
  markdown: ["as Markdown", (text) => [rendered(text)]],
};

/** Laid out for reading; the words as they were come back, since evidence points into those. */
function layOut(button, kind) {
  const [label, shape] = LAYOUTS[kind];
  const words = button.closest("[data-block]").querySelector("[data-text], [data-tidied]");
  const isOn = words.dataset.tidied !== undefined;
  if (isOn) {
    words.replaceChildren(words.original);
    words.dataset.text = words.dataset.tidied;
    delete words.dataset.tidied;
  } else {
    const text = words.textContent;
    try {
      words.replaceChildren(...shape(text));
    } catch {
      button.textContent = "show all of it first";
      return;
    }
    words.original = text;
    words.dataset.tidied = words.dataset.text;
    delete words.dataset.text;
  }
  button.textContent = isOn ? label : "as it came";
  button.setAttribute("aria-pressed", String(!isOn));
  highlight();
}

scroller.addEventListener("click", (event) => {
  const fold = event.target.closest("[data-unfold]");
  if (fold) unfold(fold);
  for (const kind of Object.keys(LAYOUTS)) {
    const layout = event.target.closest(`[data-${kind}]`);
    if (layout) steady(() => layOut(layout, kind));
  }
});
store.onChange(decorate);
onLoad((place) => {
  if ($$("[data-step]", place).length) decorate();
});
