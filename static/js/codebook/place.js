// After an act the board is where it was: scrolled, sifted, and with the same place in focus.
"use strict";
(() => {
  const form = document.querySelector("[data-board]");
  if (!form) return;
  const KEY = `board ${form.action}`;
  const boxes = () => [...form.querySelectorAll("input[name=nodes]")].filter((box) => box.checkVisibility());
  const lists = () => [document.scrollingElement, ...form.querySelectorAll(".cb-column > ul")];
  const find = form.querySelector("[data-find]");
  let at = -1;

  form.addEventListener("focusin", (event) => {
    if (event.target.name === "nodes") at = boxes().indexOf(event.target);
  });
  form.addEventListener("submit", () => {
    const place = { at, find: find.value, tops: lists().map((list) => list.scrollTop) };
    sessionStorage.setItem(KEY, JSON.stringify(place));
  });

  const kept = sessionStorage.getItem(KEY);
  sessionStorage.removeItem(KEY);
  if (!kept) return;
  const place = JSON.parse(kept);
  find.value = place.find;
  find.dispatchEvent(new Event("input"));
  const all = boxes();
  if (place.at >= 0) all[Math.min(place.at, all.length - 1)]?.focus({ preventScroll: true });
  lists().forEach((list, n) => {
    list.scrollTop = place.tops[n] ?? 0;
  });
})();
