// Tabs, the side panel with the task, the drawer of narrow screens, and dialogs.
import { onChoice, phase } from "./choice.js";
import { command, run } from "./commands.js";
import { $, $$ } from "./dom.js";
import { rendered } from "./markdown.js";
import { page } from "./page.js";
import * as store from "./store.js";
import { current, go } from "./walk.js";

export const dialog = (name) => $(`[data-dialog="${name}"]`);

export function open(name) {
  const box = dialog(name);
  if (!box.open) box.showModal();
  return box;
}

function renderTabs() {
  for (const tab of $$('[role="tab"]')) {
    const isOn = Number(tab.dataset.phase) === phase();
    tab.setAttribute("aria-selected", String(isOn));
    tab.tabIndex = isOn ? 0 : -1;
  }
  for (const panel of $$("[data-phase-panel]")) panel.hidden = Number(panel.dataset.phasePanel) !== phase();
  $("[data-phase-word]").hidden = phase() !== 2;
}

$('[role="tablist"]').addEventListener("keydown", (event) => {
  if (!["ArrowLeft", "ArrowRight"].includes(event.key)) return;
  event.preventDefault();
  run("phase", phase() === 1 ? 2 : 1);
  $(`[role="tab"][data-phase="${phase()}"]`).focus();
});

const drawer = $("[data-panel]");
const toggle = $('[data-do="drawer"]');
command("drawer", (wanted) => {
  const wasOpen = drawer.classList.contains("is-open");
  const isOpen = typeof wanted === "boolean" ? wanted : !wasOpen;
  drawer.classList.toggle("is-open", isOpen);
  toggle.setAttribute("aria-expanded", String(isOpen));
  if (isOpen && !wasOpen) go(current(), { focus: false }); // the run has less room now
});

const layers = $("[data-layers]");
async function read() {
  const body = $("[data-layers-body]");
  if (body.dataset.read) return;
  const response = await fetch(page.urls.layers, { credentials: "same-origin" }).catch(() => null);
  if (!response?.ok) {
    body.textContent = "This could not be read. Close it and try again.";
    return;
  }
  body.innerHTML = await response.text(); // the server's markup; the run's words in it are escaped
  for (const words of $$("[data-as-markdown]", body)) words.replaceChildren(rendered(words.textContent));
  body.dataset.read = "1";
}
command("layers", () => {
  layers.hidden = !layers.hidden;
  for (const button of $$('[data-do="layers"][aria-expanded]')) button.setAttribute("aria-expanded", String(!layers.hidden));
  if (layers.hidden) return void go(current());
  read();
  $("[data-layers-body]").focus();
});
command("sheet", () => open("sheet"));
command("skip", () => open("skip"));
command("closeDialog", () => $("dialog[open]")?.close());

const FROZEN = {
  submitted: "Submitted: this annotation is frozen. The lead can open it again.",
  closed: "This project is closed; nothing can be changed until its lead opens it again.",
  "not held": "You do not hold this run any more; nothing can be changed here.",
};

function renderFrozen() {
  const note = $("[data-frozen]");
  note.hidden = !store.annotation.isFrozen;
  $("[data-frozen-ask]").hidden = !page.submitted;
  $("[data-frozen-words]").textContent = FROZEN[store.annotation.frozenBy] ?? "";
  document.body.classList.toggle("wb-is-frozen", store.annotation.isFrozen);
  for (const button of $$('[data-do="mark"], [data-submit], [data-do="skip"]')) button.disabled = store.annotation.isFrozen;
  for (const input of $$("[data-panel] textarea, [data-panel] input:not([type=radio])")) input.readOnly = store.annotation.isFrozen;
  // What knows no read-only would show a choice that is saved nowhere.
  for (const field of $$("[data-panel] :is(fieldset, select, [type=checkbox])")) field.disabled = store.annotation.isFrozen;
}

store.onChange(renderFrozen);
onChoice(renderTabs);
renderTabs();
