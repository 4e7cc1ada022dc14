// Held until when, and active time: the server counts, this only says that somebody is here.
import { $ } from "./dom.js";
import { phase } from "./choice.js";
import { page } from "./page.js";
import * as store from "./store.js";
import { current } from "./walk.js";
import { post } from "./wire.js";

const BEAT = 30;
const IDLE = 60;
let lastSign = Date.now();
let active = 0;
let spent = new Map(); // "phase step" to seconds, since the last beat
let total = page.active_seconds;
let until = page.held_until;

for (const sign of ["keydown", "pointerdown", "pointermove", "wheel", "scroll", "touchstart"]) {
  document.addEventListener(sign, () => (lastSign = Date.now()), { passive: true, capture: true });
}

function show() {
  const pill = $("[data-held]");
  pill.hidden = !until || store.annotation.isFrozen;
  if (until) {
    const left = Math.round((new Date(until) - Date.now()) / 60_000);
    const at = new Date(until).toLocaleTimeString(undefined, { hour: "2-digit", minute: "2-digit" });
    pill.textContent = left > 0 ? `held for you until ${at}` : "no longer held – go on to hold it again";
    pill.classList.toggle("pill--warn", left <= 5);
  }
  $("[data-active]").textContent = `active ${Math.floor((total + active) / 60)} min`;
}

async function beat() {
  if (store.annotation.isFrozen) return;
  const seconds = Math.round(active);
  const parts = [...spent].map(([at, passed]) => [...at.split(" ").map(Number), passed]).slice(-500);
  spent = new Map();
  const { status, body } = await post(page.urls.heartbeat, { active_seconds: seconds, spent: parts });
  if (status !== 200) {
    for (const [phaseThen, step, passed] of parts) count(`${phaseThen} ${step}`, passed);
    return;
  }
  active -= seconds;
  total = body.active_seconds;
  until = body.held_until;
  show();
}

const count = (at, seconds) => spent.set(at, (spent.get(at) ?? 0) + seconds);

let before = Date.now();
setInterval(() => {
  const now = Date.now();
  const passed = Math.min((now - before) / 1000, 2 * 5);
  before = now;
  if (!document.hidden && now - lastSign < IDLE * 1000) {
    active += passed;
    count(`${phase()} ${current()}`, passed);
  }
  show();
}, 5000);
setInterval(() => !document.hidden && Date.now() - lastSign < IDLE * 1000 && beat(), BEAT * 1000);

show();
beat();
store.onChange(show);
