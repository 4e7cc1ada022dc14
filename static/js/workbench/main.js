// Puts the workbench together. Each file is one behaviour; they meet in the store and in the list of commands.
import "./breaks.js";
import "./cards.js";
import "./codes.js";
import { command } from "./commands.js";
import "./critical.js";
import "./diffs.js";
import "./form.js";
import "./keys.js";
import "./marked.js";
import "./memos.js";
import "./minimap.js";
import { count, page } from "./page.js";
import "./panels.js";
import * as queue from "./queue.js";
import "./search.js";
import { onSending, wake } from "./sender.js";
import "./status.js";
import * as store from "./store.js";
import "./submit.js";
import "./suggestions.js";
import { broadcast, onBroadcast } from "./tabs.js";
import "./time.js";
import "./trouble.js";
import { isUnsaved } from "./typing.js";
import { go } from "./walk.js";
import { get } from "./wire.js";

command("undo", store.undo);
command("redo", store.redo);

function linked() {
  const [, step, block] = location.hash.match(/^#step-(\d+)(?:-block-(\d+))?$/) ?? [];
  return { position: Number(step ?? 0) < count ? Number(step ?? 0) : 0, block };
}

/** To the step the address names, and to its block where it names one. */
async function follow() {
  const { position, block } = linked();
  await go(position, { top: true });
  if (block) document.getElementById(`step-${position}-block-${block}`)?.scrollIntoView({ block: "start" });
}

/** After the back button or a long sleep the page may be older than what was saved. */
async function catchUp() {
  if (queue.length()) return wake();
  const { status, body } = await get(page.urls.state);
  // An answer that was on its way while something was saved here is older than what this page shows.
  const isOlder = body?.revision < store.annotation.revision;
  if (status === 200 && body.user === page.user && !isOlder && !queue.length() && !isUnsaved()) store.replace(body);
}

// Another tab of hers has saved: this one follows before anything is typed here that would rest on the old state.
onSending(({ phase }) => phase === "saved" && broadcast({ saved: page.item, by: page.user, revision: store.annotation.revision }));
onBroadcast(({ saved, by, revision }) => {
  if (saved === page.item && by === page.user && revision > store.annotation.revision) catchUp();
});
window.addEventListener("pageshow", (event) => event.persisted && catchUp());
document.addEventListener("visibilitychange", () => !document.hidden && catchUp());
window.addEventListener("hashchange", follow);

store.refresh();
follow();
await queue.open();
store.refresh();
wake();
