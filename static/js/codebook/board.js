// Choosing on the board by mouse and by keyboard. It only fills in the form that is there without it, and presses its buttons.
"use strict";
(() => {
  const form = document.querySelector("[data-board]");
  const bar = form?.querySelector(".cb-bar");
  if (!bar) return;
  const boxes = () => [...form.querySelectorAll("input[name=nodes]")];
  const inSight = () => boxes().filter((box) => box.checkVisibility());
  const field = (name) => form.querySelector(`[data-${name}]`);
  const nameOf = (box) => box.parentElement.querySelector("a").textContent;

  function count() {
    const chosen = boxes().filter((box) => box.checked);
    field("chosen").textContent = chosen.length;
    field("chosen-names").textContent = chosen.map(nameOf).join(" · ");
    field("choose-none").hidden = !chosen.length;
    bar.classList.toggle("is-idle", !chosen.length);
  }

  function choose(wanted) {
    for (const box of boxes()) box.checked = wanted(box);
    count();
  }

  form.addEventListener("change", count);
  form.addEventListener("choose", (event) => choose(event.detail));
  field("choose-none").addEventListener("click", () => choose(() => false));
  count();

  // j and k walk over the cards in sight, x chooses, Escape chooses none.
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
    if (event.target.matches("input:not([type=checkbox]), select, textarea")) {
      if (event.key === "Escape") event.target.blur();
      return;
    }
    const all = inSight();
    const at = all.indexOf(document.activeElement);
    if (event.key === "j" || event.key === "k") {
      const next = all[at < 0 ? 0 : Math.min(all.length - 1, Math.max(0, at + (event.key === "j" ? 1 : -1)))];
      next?.focus({ preventScroll: true });
      next?.closest("[data-card]").scrollIntoView({ block: "nearest" });
      event.preventDefault();
    } else if (event.key === "x" && at >= 0) {
      all[at].click();
      event.preventDefault();
    } else if (event.key === "Escape") {
      choose(() => false);
    }
  });

  // A key whose act needs a name leads to the name first; Enter there does that act.
  let asksForName = null;
  const name = field("name");
  form.addEventListener("click", (event) => {
    const button = event.target.closest("[data-needs]");
    if (!button) return;
    const needs = button.dataset.needs.split(" ");
    if (needs.some((each) => field(each).value.trim())) return;
    event.preventDefault();
    asksForName = button;
    name.placeholder = `then Enter: ${button.lastChild.textContent.trim().toLowerCase()}`;
    name.focus();
  });
  name.addEventListener("blur", () => {
    name.placeholder = "";
  });
  name.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || event.isComposing) return;
    event.preventDefault(); // without a button pressed before, nothing says which act is meant
    if (asksForName && name.value.trim()) form.requestSubmit(asksForName);
  });
  form.elements.reason.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && !event.isComposing) event.preventDefault();
  });
})();
