// Keeps the ruling while it is written: on the server after each pause, in this browser while the server is away.
import { fields, form, page } from "./form.js";

const url = page.dataset.draft;
const saved = document.querySelector("[data-saved]");
const held = document.querySelector("[data-held]");
const shelf = `assay:case:${page.dataset.case}`;
const PAUSE = 700;
const BEAT = 60_000;
let timer, inFlight, isMine = "isMine" in page.dataset, isLeaving = false;

function token() {
  return document.cookie.match(/(?:^|; )csrftoken=([^;]*)/)?.[1] ?? "";
}

function say(text, isGood = true) {
  saved.hidden = false;
  saved.textContent = text;
  saved.classList.toggle("pill--good", isGood);
  saved.classList.toggle("pill--bad", !isGood);
}

async function send(body) {
  const answer = await fetch(url, {
    method: "POST",
    headers: { "Content-Type": "application/json", "X-CSRFToken": token() },
    body: JSON.stringify(body),
  });
  const told = await answer.json().catch(() => ({}));
  if (!answer.ok) throw Object.assign(new Error(told.message || "the server did not take it"), { status: answer.status });
  isMine = true;
  const until = new Date(told.held_until).toLocaleTimeString(undefined, { hour: "2-digit", minute: "2-digit" });
  if (held) held.textContent = `held for you until ${until}`;
}

async function save() {
  if (inFlight || isLeaving) return plan();
  const body = fields();
  localStorage.setItem(shelf, JSON.stringify(body));
  inFlight = send(body);
  try {
    await inFlight;
    if (localStorage.getItem(shelf) === JSON.stringify(body)) localStorage.removeItem(shelf);
    say("✓ saved");
  } catch (error) {
    say(error.status ? `not saved: ${error.message}` : "offline: kept in this browser", false);
    if (!error.status || error.status >= 500) plan(5000);
  } finally {
    inFlight = undefined;
  }
}

function plan(pause = PAUSE) {
  if (isLeaving) return;
  clearTimeout(timer);
  timer = setTimeout(save, pause);
}

function changed(event) {
  if (event.target.form !== form) return;
  say("saving …");
  plan();
}

// What an earlier visit could not send goes first; the page is then shown with it.
async function bring() {
  const left = localStorage.getItem(shelf);
  if (!left) return;
  await send(JSON.parse(left));
  localStorage.removeItem(shelf);
  location.reload();
}

document.addEventListener("input", changed);
document.addEventListener("change", changed);
form.addEventListener("submit", () => {
  isLeaving = true;
  clearTimeout(timer);
  localStorage.removeItem(shelf);
});
window.addEventListener("pageshow", () => (isLeaving = false));
setInterval(() => isMine && !document.hidden && send({}).catch((error) => say(error.message, false)), BEAT);
bring().catch((error) => say(error.message, false));
