// j and k walk the rows and the folded stretches between them; Enter opens what is folded.
const TYPING = "input:not([type=radio], [type=checkbox]), select, textarea";

function stops() {
  return [...document.querySelectorAll("[data-walk]")];
}

function walk(step) {
  const all = stops();
  const here = all.findIndex((stop) => stop === document.activeElement || stop.contains(document.activeElement));
  const next = all[Math.min(Math.max(here + step, 0), all.length - 1)];
  next?.focus({ preventScroll: true });
  next?.scrollIntoView({ block: "nearest" });
}

// In the row where one stands: x keeps or lets go of its marks, = merges them, e rewrites the first.
function press(what, all = false) {
  const row = document.activeElement?.closest(".aligned__row");
  const found = [...(row?.querySelectorAll(what) ?? [])];
  for (const each of all ? found : found.slice(0, 1)) each.click();
}

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing || event.target.matches(TYPING)) return;
  if (event.key === "j") walk(1);
  else if (event.key === "k") walk(-1);
  else if (event.key === "x") press('[name="keep"]', true);
  else if (event.key === "=") press('[name="merge"]');
  else if (event.key === "e") press('[name="take"][value^="rewrite:"]');
  else if (event.key === "Enter" && event.target.matches(".aligned__row[data-walk]")) {
    event.target.querySelector("summary")?.click();
  }
});
