// Moments come from the server in UTC; here they are shown in the reader's own time zone.
"use strict";
(() => {
  const day = { year: "numeric", month: "short", day: "numeric", hour: "2-digit", minute: "2-digit" };
  const clock = { hour: "2-digit", minute: "2-digit" };

  function localise(root) {
    for (const time of root.querySelectorAll("time[data-local]")) {
      const moment = new Date(time.dateTime);
      if (Number.isNaN(moment.getTime())) continue;
      time.title = time.dateTime;
      time.textContent = moment.toLocaleString(undefined, time.dataset.local === "clock" ? clock : day);
      time.removeAttribute("data-local");
    }
  }

  document.addEventListener("DOMContentLoaded", () => localise(document));
  document.addEventListener("htmx:load", (event) => localise(event.target));
})();
