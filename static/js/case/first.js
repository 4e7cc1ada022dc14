// The first look by keyboard, and a heartbeat while the run is being read.
const page = document.querySelector("[data-first]");
const form = document.querySelector("#first");
const BEAT = 60_000;

function beat() {
  const token = document.cookie.match(/(?:^|; )csrftoken=([^;]*)/)?.[1] ?? "";
  fetch(page.dataset.first, {
    method: "POST",
    headers: { "Content-Type": "application/json", "X-CSRFToken": token },
    body: "{}",
  }).catch(() => {});
}

form.addEventListener("change", (event) => {
  if (event.target.name === "outcome" && event.target.value === "critical") form.elements.step.focus();
});
document.addEventListener("keydown", (event) => {
  if (event.isComposing) return;
  if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
    event.preventDefault();
    form.querySelector("[data-answer]").click();
  } else if (event.key === "Escape" && form.contains(document.activeElement)) {
    document.activeElement.blur();
  } else if (event.key === "Enter" && event.target.matches("#first input")) {
    event.preventDefault();
  }
});
if ("isMine" in page.dataset) setInterval(() => document.hidden || beat(), BEAT);
