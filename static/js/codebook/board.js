// The board by hand and by keyboard. It only fills in the form that is there without it, and presses its buttons.
"use strict";
(() => {
  const form = document.querySelector("[data-board]");
  if (!form) return;
  const boxes = () => [...form.querySelectorAll("input[name=nodes]")];
  const field = (name) => form.querySelector(`[data-${name}]`);
  const chosenCount = field("chosen");

  const count = () => {
    const chosen = boxes().filter((box) => box.checked).length;
    chosenCount.textContent = chosen;
    chosenCount.closest(".cb-bar").classList.toggle("is-idle", chosen === 0);
  };
  form.addEventListener("change", count);
  count();

  // j and k walk over the cards in sight, x chooses.
  form.ownerDocument.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
    if (event.target.matches("input:not([type=checkbox]), select, textarea")) {
      if (event.key === "Escape") event.target.blur();
      return;
    }
    const all = boxes().filter((box) => box.offsetParent !== null);
    const at = all.indexOf(document.activeElement);
    if (event.key === "j" || event.key === "k") {
      const next = all[at < 0 ? 0 : Math.min(all.length - 1, Math.max(0, at + (event.key === "j" ? 1 : -1)))];
      next?.focus();
      next?.scrollIntoView({ block: "nearest" });
      event.preventDefault();
    } else if (event.key === "x" && at >= 0) {
      all[at].click();
      event.preventDefault();
    }
  });

  // A key whose act needs a name leads to the name first.
  form.addEventListener("click", (event) => {
    const button = event.target.closest("[data-needs]");
    if (!button) return;
    const needs = button.dataset.needs.split(" ");
    if (needs.some((name) => field(name).value.trim())) return;
    event.preventDefault();
    field("name").focus();
  });
  field("name")?.addEventListener("keydown", (event) => {
    if (event.key === "Enter") event.preventDefault(); // which act is meant is said by a button
  });

  field("filter")?.addEventListener("keydown", (event) => event.key === "Enter" && event.preventDefault());
  field("filter")?.addEventListener("input", (event) => {
    const words = event.target.value.toLowerCase().split(/\s+/).filter(Boolean);
    for (const card of form.querySelectorAll("[data-cards] > [data-card]")) {
      const text = card.textContent.toLowerCase();
      card.hidden = !words.every((word) => text.includes(word));
    }
  });

  // Dragging: a code onto a code merges, onto a group or category moves, beside them takes out.
  let dragged = null;
  const targetOf = (event) => event.target.closest("[data-card], [data-drop]");
  const mark = (element) => {
    for (const old of form.querySelectorAll(".is-target")) old.classList.remove("is-target");
    element?.classList.add("is-target");
  };
  form.addEventListener("dragstart", (event) => {
    dragged = event.target.closest("[data-card]");
    event.dataTransfer.setData("text/plain", dragged.dataset.card);
    event.dataTransfer.effectAllowed = "move";
  });
  form.addEventListener("dragover", (event) => {
    const target = targetOf(event);
    if (!dragged || !target || dragged.contains(target)) return mark(null);
    event.preventDefault();
    return mark(target);
  });
  form.addEventListener("dragend", () => {
    dragged = null;
    mark(null);
  });
  form.addEventListener("drop", (event) => {
    const target = targetOf(event);
    if (!dragged || !target) return;
    event.preventDefault();
    const kind = target.dataset.kind ?? "";
    const merges = kind === dragged.dataset.kind;
    for (const box of boxes()) box.checked = box.value === dragged.dataset.card;
    const select = field("target");
    const id = target.dataset.card ?? "";
    if (![...select.options].some((option) => option.value === id)) select.add(new Option(id, id));
    select.value = id;
    field("name").value = "";
    press(merges ? "merge" : "move");
  });

  function press(op) {
    const button = form.querySelector(`button[name=op][value=${op}]`);
    if (field("reason").required && !field("reason").value.trim()) {
      field("reason").focus();
      return;
    }
    form.requestSubmit(button);
  }
})();
