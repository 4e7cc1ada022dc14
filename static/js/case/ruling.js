// Shows what the ruling would keep, and lets it be given by keyboard alone.
import { fields, form } from "./form.js";

const marks = [...document.querySelectorAll("[data-mark]")];
const rule = form.querySelector("[data-rule]");
let rejected = [];

function show() {
  const { choice = [], keep = [] } = fields();
  const chosen = choice[0]?.startsWith("mark:") ? choice[0].slice(5) : "";
  const kept = marks.filter((mark) => keep.includes(mark.dataset.mark) || mark.dataset.mark === chosen);
  for (const mark of marks) {
    mark.toggleAttribute("data-is-chosen", mark.dataset.mark === chosen);
    mark.toggleAttribute("data-is-kept", kept.includes(mark));
  }
  const names = [...new Set(kept.map((mark) => mark.closest(".aligned__row")))].map((row) =>
    kept
      .filter((mark) => row.contains(mark))
      .map((mark) => `${mark.dataset.letter}${mark.dataset.number}`)
      .join(areOne(row) ? " = " : " · "),
  );
  form.querySelector("[data-kept]").textContent =
    `${kept.length} of ${marks.length} kept${names.length ? ` · ${names.join(" · ")}` : ""}`;
}

// Equal marks at one step are one failure; different ones only if the box there says so.
function areOne(row) {
  return row.querySelector("[name=merge]")?.checked ?? true;
}

// “No failure” contradicts every mark: they are let go, and come back with another answer.
function agree(event) {
  if (event.target.name !== "choice") return;
  const boxes = [...form.elements].filter((box) => box.name === "keep");
  if (event.target.value === "no_failure") {
    rejected = boxes.filter((box) => box.checked);
    for (const box of rejected) box.checked = false;
  } else {
    for (const box of rejected) box.checked = true;
    rejected = [];
  }
  if (event.target.value === "other") document.querySelector("#other_step").focus();
}

function keys(event) {
  if (event.isComposing || event.keyCode === 229) return;
  if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
    event.preventDefault();
    rule.click();
  } else if (event.key === "Escape" && form.contains(document.activeElement)) {
    document.activeElement.blur();
  } else if (event.key === "Enter" && event.target.matches("#ruling input")) {
    event.preventDefault();
  }
}

// A key that leads into a field must not type itself there.
function enter(event) {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.matches("input:not([type=radio], [type=checkbox]), select, textarea")) return;
  const target = document.querySelector(`[data-focus-key="${CSS.escape(event.key)}"]`);
  if (!target) return;
  event.preventDefault();
  target.focus();
}

document.addEventListener("change", (event) => {
  if (event.target.form !== form) return;
  agree(event);
  show();
});
document.addEventListener("keydown", keys);
document.addEventListener("keydown", enter);
form.addEventListener("submit", () => setTimeout(() => (rule.disabled = true)));
window.addEventListener("pageshow", () => (rule.disabled = false));
document.querySelector("[data-errors]")?.focus();
if (location.hash === "#written") [...document.querySelectorAll("#written [name$=-step]")].findLast((step) => !step.value)?.focus();
show();
