// A reminder to rest, for who wants one. It counts time with this page in sight; nobody else is told.
import { $, announce, h } from "./dom.js";
import { remembered } from "./kept.js";

const EVERY = 45 * 60_000;
const box = $("[data-breaks]");
const setting = remembered("assay-breaks");
let since = Date.now();

box.checked = setting.read() === "1";
box.addEventListener("change", () => {
  since = Date.now();
  setting.keep(box.checked ? "1" : "");
});
document.addEventListener("visibilitychange", () => document.hidden || (since = Date.now()));

setInterval(() => {
  if (!box.checked || document.hidden || Date.now() - since < EVERY) return;
  since = Date.now();
  const words = "45 minutes at a stretch: a good moment for a break. Everything is saved as you go.";
  const toast = h("p", { class: "message" }, words);
  document.getElementById("toasts").replaceChildren(toast);
  setTimeout(() => toast.remove(), 30_000);
  announce(words);
}, 30_000);
