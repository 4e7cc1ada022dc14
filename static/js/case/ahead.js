// While a case is settled, the steps of the next one are fetched, so that they open there without asking again.
// They stay in this tab, those of this case and the next only, and are never those of annotations.
const SHELF = "assay:ahead";
const page = document.querySelector("[data-steps]");
const steps = new URL(page.dataset.steps, location.href).pathname;

const kept = JSON.parse(sessionStorage.getItem(SHELF) ?? "[]").filter((each) => [each.url, each.after].includes(steps));
const here = kept.find((each) => each.url === steps);

function keep() {
  try {
    sessionStorage.setItem(SHELF, JSON.stringify(kept));
  } catch {
    sessionStorage.removeItem(SHELF); // too long to keep: they are asked for when they are opened
  }
}

async function lookAhead() {
  const answer = await fetch(page.dataset.ahead);
  if (!answer.ok) return;
  kept.push({ ...(await answer.json()), after: steps });
  keep();
  page.dataset.lookedAhead = "";
}

document.addEventListener("htmx:beforeRequest", (event) => {
  const asked = new URL(event.detail.pathInfo.finalRequestPath, location.href);
  const [from, to] = ["from", "to"].map((name) => Number(asked.searchParams.get(name)));
  if (!here || asked.pathname !== steps || to > here.steps.length) return;
  event.preventDefault();
  event.detail.target.innerHTML = here.steps.slice(from, to).join("");
});

keep();
if (page.dataset.ahead && !kept.some((each) => each.after === steps)) lookAhead().catch(() => {});
