// A reminder to rest, for who wants one. It counts time with this page in sight; nobody else is told.
import { $, announce, h } from "./dom.js";

const EVERY = 45 * 60_000;
const PLACE = "assay-breaks";
const box = $("[data-breaks]");
let since = Date.now();

function wanted() {
  try {
    return localStorage.getItem(PLACE) === "1";
  } catch {
    return false;
  }
}

box.checked = wanted();
box.addEventListener("change", () => {
  since = Date.now();
  try {
    localStorage.setItem(PLACE, box.checked ? "1" : "0");
  } catch {
    // Then it holds for this page.
  }
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
