// Small elements from code. Text only ever becomes text.
export const $ = (selector, root = document) => root.querySelector(selector);
export const $$ = (selector, root = document) => [...root.querySelectorAll(selector)];

export function h(tag, props = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(props)) {
    if (value === null || value === undefined || value === false) continue;
    if (name === "on") for (const [event, listener] of Object.entries(value)) element.addEventListener(event, listener);
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

const SVG = "http://www.w3.org/2000/svg";
export function svg(tag, props = {}, text = "") {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(props)) element.setAttribute(name, value);
  if (text) element.textContent = text;
  return element;
}

const TYPING = "input:not([type=checkbox], [type=radio], [type=range]), select, textarea";
export const isTyping = (element) => Boolean(element?.matches?.(TYPING) || element?.isContentEditable);

/** Said to those who listen instead of looking; the same words twice are said twice. */
export function announce(text) {
  const region = $("[data-live]");
  region.textContent = region.textContent === text ? `${text}\u00a0` : text;
}

/** Shown for a while, in a place that is read aloud too: why nothing came of what was pressed. */
export function tell(text) {
  const toast = h("p", { class: "message message--warning" }, text);
  document.getElementById("toasts").replaceChildren(toast);
  setTimeout(() => toast.remove(), 8000);
}

export function debounce(wait, act) {
  let timer = null;
  const later = (...args) => {
    clearTimeout(timer);
    timer = setTimeout(() => act(...args), wait);
  };
  later.cancel = () => clearTimeout(timer);
  return later;
}
