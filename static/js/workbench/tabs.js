// Which tab this is. Each keeps its own waiting changes; those of a tab that is gone are taken over.
import { uuid } from "./uuid.js";

const KEY = "assay-tab";
const channel = "BroadcastChannel" in window ? new BroadcastChannel("assay-tabs") : null;
let mine = uuid();

function remembered() {
  try {
    return sessionStorage.getItem(KEY);
  } catch {
    return null;
  }
}

function remember(id) {
  try {
    sessionStorage.setItem(KEY, id);
  } catch {
    // Without storage the name lasts for this page.
  }
}

/** Which of these tabs answer. A frozen one does not, and reads its changes again when it wakes. */
function living(ids) {
  if (!channel || !ids.length) return Promise.resolve(new Set());
  return new Promise((resolve) => {
    const alive = new Set();
    const hear = ({ data }) => data.here && alive.add(data.here);
    channel.addEventListener("message", hear);
    channel.postMessage({ who: ids });
    setTimeout(() => {
      channel.removeEventListener("message", hear);
      resolve(alive);
    }, 150);
  });
}

channel?.addEventListener("message", ({ data }) => {
  if (data.who?.includes(mine)) channel.postMessage({ here: mine });
});

/** To the other tabs of this browser. */
export const broadcast = (words) => channel?.postMessage(words);
export const onBroadcast = (listener) => channel?.addEventListener("message", ({ data }) => listener(data));

export const tab = () => mine;

/** Takes up the name this tab had before a reload, unless a copy of the tab goes by it. */
export async function settle(others) {
  const before = remembered();
  const alive = await living([...new Set([...others, before].filter(Boolean))]);
  if (before && !alive.has(before)) mine = before;
  remember(mine);
  return others.filter((id) => id !== mine && !alive.has(id));
}
