// While choosing a category: the questions of the one in focus, else of the one chosen.
const box = document.querySelector("[data-categories]");

if (box) {
  let asked = null;
  const show = () => {
    const chosen = box.querySelector("[data-category][aria-pressed=true]")?.dataset.category;
    const key = asked ?? chosen;
    for (const list of document.querySelectorAll("[data-checklist]")) {
      list.hidden = list.dataset.checklist !== key;
    }
  };
  const ask = (event) => {
    asked = event.target.closest("[data-category]")?.dataset.category ?? null;
    show();
  };
  const forget = () => {
    asked = null;
    show();
  };
  box.addEventListener("focusin", ask);
  box.addEventListener("focusout", forget);
  new MutationObserver(show).observe(box, { subtree: true, attributeFilter: ["aria-pressed"] });
  show();
}
