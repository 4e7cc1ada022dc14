// Finding a code among all cards: what does not hold the words is hidden, what is folded opens. Categories stay, as places to go.
"use strict";
(() => {
  const form = document.querySelector("[data-board]");
  const field = form?.querySelector("[data-find]");
  if (!field) return;
  const chooseFound = form.querySelector("[data-choose-found]");
  const INSIDE = ":scope > ul > [data-card], :scope > details > ul > [data-card]";
  const top = () => form.querySelectorAll(".cb-column > ul > [data-card]");

  function holds(card, words) {
    const name = card.querySelector(".cb-card__name").textContent.toLowerCase();
    return words.every((word) => name.includes(word));
  }

  function sift(card, words, above) {
    const holding = holds(card, words);
    const own = above || holding;
    const inside = [...card.querySelectorAll(INSIDE)].map((each) => sift(each, words, own));
    const found = own || inside.some(Boolean);
    card.toggleAttribute("data-found", words.length > 0 && holding);
    card.hidden = !found && card.dataset.kind !== "category";
    const folded = card.querySelector(":scope > details");
    if (folded && words.length) folded.open = found;
    return found;
  }

  function find() {
    const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
    for (const card of top()) sift(card, words, false);
    if (chooseFound) chooseFound.hidden = !words.length;
  }

  field.addEventListener("input", find);
  field.addEventListener("keydown", (event) => event.key === "Enter" && event.preventDefault());
  chooseFound?.addEventListener("click", () => {
    const isFound = (box) => box.closest("[data-card]").matches("[data-drop] [data-found]");
    form.dispatchEvent(new CustomEvent("choose", { detail: (box) => box.checked || isFound(box) }));
  });
})();
