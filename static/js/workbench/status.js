// How saving stands, in words, always in the same place.
import { command } from "./commands.js";
import { $, announce } from "./dom.js";
import { open } from "./panels.js";
import * as queue from "./queue.js";
import { onSending, sending, wake } from "./sender.js";
import * as store from "./store.js";

const pill = $("[data-saved]");

function words() {
  const waiting = `${queue.length()} waiting`;
  switch (sending.phase) {
    case "saving": return ["", "saving…"];
    case "offline": return ["pill--warn", `offline – ${waiting}`];
    case "log_in": return ["pill--warn", `logged out – ${waiting}: log in`];
    case "conflict": return ["pill--bad", `≠ changed elsewhere – ${waiting}`];
    case "refused": return ["pill--bad", `⚑ turned down – ${waiting}`];
    default: return ["pill--good", `✓ saved · revision ${store.annotation.revision}`];
  }
}

let said = "saved";
let shown = null;
function render() {
  clearTimeout(shown);
  // "Saving" only when it takes long enough to be read.
  if (sending.phase === "saving") shown = setTimeout(paint, 300);
  else paint();
}

function paint() {
  let [tone, text] = words();
  if (!queue.isKept) [tone, text] = ["pill--bad", `${text} – not kept in this browser: leave the page open`];
  pill.className = `pill wb-saved ${tone}`;
  pill.textContent = text;
  if (sending.phase !== said && sending.phase !== "saving") {
    if (!(said === "saved" && sending.phase === "saved")) announce(text);
    said = sending.phase;
  }
}

command("trouble", () => {
  if (sending.phase === "log_in") window.open(sending.login, "_blank", "noopener");
  else if (sending.phase === "conflict" || sending.phase === "refused") open(sending.phase);
  else wake();
});
onSending(render);
store.onChange(render);
