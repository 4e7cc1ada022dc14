// Memos beside the judgement: for oneself, for the lead, or where the guideline does not say. Kept until the server has them.
import { chosen, chosenFailure } from "./choice.js";
import { command } from "./commands.js";
import { $, announce, h } from "./dom.js";
import { kept } from "./kept.js";
import { numberOf, page } from "./page.js";
import { dialog, open } from "./panels.js";
import { uuid } from "./uuid.js";
import { current } from "./walk.js";
import { get, post } from "./wire.js";

const box = dialog("memo");
const form = $("[data-memo-form]", box);
const text = $("[data-memo-text]", box);
const said = $("[data-memo-said]", box);
const draft = kept("memo");
let key = uuid();

function about() {
  const subjects = [["run", "the whole run"], ["step", `step ${numberOf(current())}`]];
  if (chosen()) subjects.push(["failure", `F${chosenFailure().number}`]);
  const options = subjects.map(([value, words]) => h("option", { value }, words));
  form.elements.about.replaceChildren(...options);
  form.elements.about.value = chosen() ? "failure" : "step";
}

function line(memo) {
  const place = memo.step === null ? "" : `step ${numberOf(memo.step)} · `;
  return h("li", { class: "wb-memo" },
    h("span", { class: "muted small" }, `${place}${memo.says}`),
    h("p", { class: "wb-words", dir: "auto" }, memo.text),
    memo.closed && h("p", { class: "small", dir: "auto" }, h("strong", {}, "The lead: "), memo.reply || "seen"));
}

async function list() {
  const { status, body } = await get(page.urls.memos);
  if (status === 200) $("[data-memos]", box).replaceChildren(...body.reverse().map(line));
}

async function send() {
  const words = text.value.trim();
  if (!words) return text.focus();
  const to = form.elements.about.value;
  const memo = { key, kind: form.elements.kind.value, text: words, step: to === "run" ? null : current(), failure: to === "failure" ? chosen() : "" };
  said.textContent = "saving…";
  const { status, body } = await post(page.urls.memos, memo);
  if (status !== 200) {
    said.textContent = body.message ?? "Not saved: the server cannot be reached. The text stays here; try again.";
    return undefined;
  }
  key = uuid();
  text.value = "";
  draft.forget();
  said.textContent = memo.kind === "memo" ? "Noted." : "Sent to the lead.";
  announce(said.textContent);
  return list();
}

text.addEventListener("input", () => draft.keep(text.value));
text.addEventListener("keydown", (event) => {
  if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
  event.preventDefault();
  send();
});
form.addEventListener("submit", (event) => {
  event.preventDefault();
  send();
});

command("memo", (button) => {
  about();
  form.querySelector("[value=reopen]").closest("label").hidden = !page.submitted;
  if (button?.dataset?.kind) form.elements.kind.value = button.dataset.kind;
  text.value ||= draft.read();
  said.textContent = "";
  open("memo");
  text.focus();
  list();
});
