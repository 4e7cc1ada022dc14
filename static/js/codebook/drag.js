// Dragging: onto a card of its kind merges, onto a group or category moves, beside them takes out.
"use strict";
(() => {
  const form = document.querySelector("[data-board]");
  if (!form) return;
  const boxOf = (card) => card.querySelector("input[name=nodes]");
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
    const id = target.dataset.card ?? "";
    const comesAlong = boxOf(dragged).checked; // what is chosen goes together
    const goes = (box) => box.value !== id && (comesAlong ? box.checked : box === boxOf(dragged));
    form.dispatchEvent(new CustomEvent("choose", { detail: goes }));
    const select = form.elements.target;
    if (![...select.options].some((option) => option.value === id)) select.add(new Option(id, id));
    select.value = id;
    form.elements.name.value = "";
    press(target.dataset.kind === dragged.dataset.kind ? "merge" : "move");
  });

  function press(op) {
    const reason = form.elements.reason;
    if (reason.required && !reason.value.trim()) return reason.focus();
    return form.requestSubmit(form.querySelector(`button[name=op][value=${op}]`));
  }
})();
