// What the ruling's form says now, also in its fields that stand elsewhere on the page.
export const page = document.querySelector("[data-case]");
export const form = document.querySelector("[data-ruling]");

export function fields() {
  const found = {};
  for (const [name, value] of new FormData(form)) {
    if (name === "csrfmiddlewaretoken" || typeof value !== "string") continue;
    (found[name] ??= []).push(value);
  }
  return found;
}
