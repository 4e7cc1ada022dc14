// Submitting leaves the page only after the server has said yes.
import { command } from "./commands.js";
import { $, h } from "./dom.js";
import { nameOf, placeOf } from "./page.js";
import { dialog, open } from "./panels.js";
import { leaving } from "./sender.js";
import * as store from "./store.js";
import { warnings } from "./critical.js";
import { flush } from "./typing.js";

const OUTCOMES = {
  all_recovered_or_harmless: "all failures were recovered or harmless", no_failure: "no failure was found", cannot_tell: "you cannot tell",
};

function summary() {
  const { outcome, critical } = store.answers();
  const n = store.failures().length;
  const marks = `${n} failure${n === 1 ? "" : "s"} marked; `;
  const failure = store.failure(critical);
  if (failure) return [marks, "critical is ", h("strong", {}, `★ F${failure.number} at ${placeOf(failure)}`), ": ", h("bdi", {}, nameOf(failure)), "."];
  return [marks, OUTCOMES[outcome] ? `${OUTCOMES[outcome]}.` : "the critical one is not chosen yet."];
}

command("submit", () => {
  if (store.annotation.isFrozen) return;
  flush();
  render();
  open("submit");
});

function render() {
  $("[data-submit-words]").replaceChildren(...summary());
  warnings($("[data-submit-warnings]"));
}

// What was typed last may still be on its way when this opens, and its answer takes warnings away.
store.onChange(() => dialog("submit").open && render());
command("confirmSubmit", (button) => {
  leaving.next = button.dataset.then === "next" ? $("[data-next-form]") : null;
  dialog("submit").close();
  store.act("submit");
});
