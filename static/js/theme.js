// The chosen theme, set before the page is painted; "system" follows the device.
"use strict";
(() => {
  const KEY = "assay-theme";
  const root = document.documentElement;

  function chosen() {
    try {
      return localStorage.getItem(KEY) || "system";
    } catch {
      return "system";
    }
  }

  function show(theme) {
    if (theme === "system") delete root.dataset.theme;
    else root.dataset.theme = theme;
    for (const button of document.querySelectorAll("[data-theme-choice]")) {
      button.setAttribute("aria-pressed", String(button.dataset.themeChoice === theme));
    }
  }

  show(chosen());
  document.addEventListener("DOMContentLoaded", () => show(chosen()));
  window.addEventListener("storage", (event) => event.key === KEY && show(chosen()));
  document.addEventListener("click", (event) => {
    const button = event.target.closest?.("[data-theme-choice]");
    if (!button) return;
    try {
      localStorage.setItem(KEY, button.dataset.themeChoice);
    } catch {
      // Without storage the choice lasts for this page.
    }
    show(button.dataset.themeChoice);
  });
})();
