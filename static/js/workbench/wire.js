// One request to the server as a plain answer: {status, body, wait}. Status 0: no answer at all.
const TIMEOUT = 20_000;

export const csrf = () => document.cookie.match(/(?:^|;\s*)csrftoken=([^;]+)/)?.[1] ?? "";

export async function post(url, body) {
  const abort = new AbortController();
  const timer = setTimeout(() => abort.abort(), TIMEOUT);
  try {
    const response = await fetch(url, {
      method: "POST",
      credentials: "same-origin",
      headers: { "Content-Type": "application/json", "X-CSRFToken": csrf(), Accept: "application/json" },
      body: JSON.stringify(body),
      signal: abort.signal,
    });
    return await answerOf(response);
  } catch {
    return { status: 0, body: {}, wait: null };
  } finally {
    clearTimeout(timer);
  }
}

export async function get(url, options = {}) {
  try {
    const response = await fetch(url, { credentials: "same-origin", headers: { Accept: "application/json" }, ...options });
    return await answerOf(response);
  } catch {
    return { status: 0, body: {}, wait: null };
  }
}

async function answerOf(response) {
  const wait = Number(response.headers.get("Retry-After")) || null;
  const isJson = response.headers.get("Content-Type")?.includes("json");
  // A page where JSON was expected comes from something in between: nothing is known to be saved.
  if (!isJson) return { status: response.ok ? 0 : response.status, body: {}, wait };
  return { status: response.status, body: await response.json(), wait };
}
