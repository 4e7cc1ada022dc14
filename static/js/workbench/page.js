// What the server said about this run when the page was opened: columns over steps, names, addresses.
export const page = JSON.parse(document.getElementById("workbench-page").textContent);

const steps = page.steps;
export const count = steps.agent.length;

const SIGNS = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
/** A column of small numbers: one sign per step, or the numbers themselves where there are too many. */
const placed = (column) => (typeof column === "string" ? Uint8Array.from(column, (sign) => SIGNS.indexOf(sign)) : column);
const [agents, kinds, sizes] = [steps.agent, steps.kind, steps.size].map(placed);

/** The number a page shows for a position: the source's own. */
export function numberOf(position) {
  if (position === null || position === undefined) return "";
  return steps.number ? steps.number[position] : position + steps.first_number;
}

/** The position of a number somebody typed, or null. */
export function positionOf(text) {
  const number = Number.parseInt(text, 10);
  if (Number.isNaN(number)) return null;
  const position = steps.number ? steps.number.indexOf(number) : number - steps.first_number;
  return position >= 0 && position < count ? position : null;
}

export const agentOf = (position) => steps.agents[agents[position]] ?? "";
export const hueOf = (position) => 1 + (agents[position] % 8);
export const kindsOf = (position) => steps.kinds[kinds[position]] ?? "";
/** About how many characters a step has; sizes come as quarters of a power of two. */
export const sizeOf = (position) => 2 ** (sizes[position] / 4) - 1;
export const previewOf = (position) => (steps.preview ? steps.preview[position] : "");
export const hasError = (position) => errors.has(position);
const errors = new Set(steps.errors);

export const categoryOf = (key) => page.categories.find((each) => each.key === key);

/** Where a failure stands, in words. */
export function placeOf(failure) {
  if (failure.anchor === "range") return `steps ${numberOf(failure.first_step)}–${numberOf(failure.last_step)}`;
  if (failure.anchor === "step") return `step ${numberOf(failure.first_step)}`;
  return { task: "the task", policy: "the policy", tools: "the tools" }[failure.anchor];
}

export function nameOf(failure) {
  if (failure.codes.length) return failure.codes.join(" · ");
  const category = categoryOf(failure.category);
  if (category) return category.name;
  return failure.step_reason.slice(0, 80) || "no code yet";
}
