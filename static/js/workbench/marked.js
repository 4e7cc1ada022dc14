// The list of failures marked so far, in the order of the run.
import { chosen, onChoice } from "./choice.js";
import { $, h } from "./dom.js";
import { categoryOf, nameOf, numberOf, placeOf } from "./page.js";
import * as store from "./store.js";
import { go } from "./walk.js";
import { run } from "./commands.js";

const EFFECTS = {
  recovered: ["recovered", "tag--good"], harmless: ["harmless", ""], persists: ["persists", "tag--bad"], unknown: ["not known", ""],
};

export function effectTag(failure) {
  const [words, tone] = EFFECTS[failure.effect] ?? ["open", ""];
  return h("span", { class: failure.effect ? `tag ${tone}` : "muted small" }, words);
}

export function detailOf(failure) {
  const details = [failure.none_fits ? "none fits" : categoryOf(failure.category)?.name];
  if (failure.recovered_at !== null) details.push(`recovered at ${numberOf(failure.recovered_at)}`);
  if (failure.is_omission) details.push("omission");
  if (failure.participant) details.push(failure.participant);
  return details.filter(Boolean).join(" · ");
}

/** Long names end after two lines; all of one is in its title. */
export const clampedName = (failure) => h("bdi", { class: "wb-clamped", title: nameOf(failure) }, nameOf(failure));

function line([key, failure]) {
  const isCritical = store.answers().critical === key;
  const place = failure.first_step === null ? failure.anchor : numberOf(failure.first_step);
  const open = () => {
    run("open", { dataset: { failure: key } });
    if (failure.first_step !== null) go(failure.first_step, { focus: false });
  };
  return h("li", { class: "wb-mark" },
    h("button", { class: "wb-mark__open", type: "button", "aria-current": key === chosen() ? "true" : null, "aria-label": `F${failure.number} at ${placeOf(failure)}: ${nameOf(failure)}`, on: { click: open } },
      h("span", { class: "wb-mark__place num" }, String(place), failure.anchor === "range" ? `–${numberOf(failure.last_step)}` : ""),
      h("span", { class: "wb-mark__what" }, clampedName(failure), h("span", { class: "muted small" }, h("bdi", {}, detailOf(failure)))),
      h("span", { class: "wb-mark__effect" }, isCritical ? h("span", { class: "tag tag--critical" }, "★ critical") : effectTag(failure))));
}

function render() {
  const failures = store.failures();
  $("[data-marks]").replaceChildren(...failures.map(line));
  $("[data-no-marks]").hidden = failures.length > 0;
  $("[data-count]").textContent = failures.length || "";
  $("[data-undo]").disabled = !store.canUndo();
  $("[data-redo]").disabled = !store.canRedo();
}

store.onChange(render);
onChoice(render);
