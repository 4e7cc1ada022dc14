// Words of the run as evidence: from a selection to spans, and from spans to highlights in the page.
import { $$, tell } from "./dom.js";
import { indexAt, indexIn, pointsAt, spelling } from "./points.js";
import { scroller } from "./steps.js";

/** The spans that the selection covers: one per block of text it touches. */
export function selectedSpans() {
  const selection = getSelection();
  if (!selection.rangeCount || selection.isCollapsed) return [];
  const range = selection.getRangeAt(0);
  if (!scroller.contains(range.commonAncestorContainer)) return [];
  return $$("[data-text]", scroller)
    .filter((element) => range.intersectsNode(element))
    .map((element) => spanIn(element, range))
    .filter((span) => span && span.end > span.start);
}

function spanIn(element, range) {
  const inside = (container) => element.contains(container);
  const shown = element.textContent;
  let from = inside(range.startContainer) ? indexIn(element, range.startContainer, range.startOffset) : 0;
  let to = inside(range.endContainer) ? indexIn(element, range.endContainer, range.endOffset) : shown.length;
  [from, to] = trimmed(shown, from, to);
  if (to <= from) return null;
  const { raw } = element.dataset;
  if (raw) {
    const starts = spelling(raw);
    [from, to] = [starts[from], starts[to]];
  }
  const text = raw ?? shown;
  const offset = Number(element.dataset.text);
  return {
    step: Number(element.closest("[data-step]").dataset.step),
    block: Number(element.closest("[data-block]").dataset.block),
    start: offset + pointsAt(text, from),
    end: offset + pointsAt(text, to),
    text: text.slice(from, to),
  };
}

function trimmed(text, from, to) {
  while (from < to && /\s/.test(text[from])) from += 1;
  while (to > from && /\s/.test(text[to - 1])) to -= 1;
  if (isLow(text, from)) from -= 1;
  if (isLow(text, to)) to += 1;
  return [from, to];
}

/** In the middle of a character that takes two units. */
const isLow = (text, index) => index > 0 && index < text.length && /[\uDC00-\uDFFF]/.test(text[index]);

function rangeOf(element, span) {
  const { raw } = element.dataset;
  const text = raw ?? element.textContent;
  const offset = Number(element.dataset.text);
  let [from, to] = [span.start - offset, span.end - offset].map((points) => indexAt(text, Math.max(0, points)));
  if (raw) {
    const starts = spelling(raw);
    const shown = (index) => Math.max(0, starts.findIndex((start) => start >= index));
    [from, to] = [shown(from), to >= starts.at(-1) ? starts.length - 1 : shown(to)];
  }
  const range = document.createRange();
  const [startNode, start] = place(element, from);
  const [endNode, end] = place(element, to);
  range.setStart(startNode, start);
  range.setEnd(endNode, end);
  return range;
}

function place(element, index) {
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  let left = index;
  let node = walker.nextNode();
  while (node && left > node.length) {
    left -= node.length;
    node = walker.nextNode();
  }
  return node ? [node, left] : [element, 0];
}

/** The ranges in the page that a span covers, as far as its block is shown. */
export function rangesOf(span) {
  const block = document.querySelector(`#step-${span.step} [data-block="${span.block}"]`);
  if (!block) return [];
  return $$("[data-text]", block)
    .filter((element) => {
      const start = Number(element.dataset.text);
      const length = pointsAt(element.dataset.raw ?? element.textContent, Infinity);
      return span.start < start + length && span.end > start;
    })
    .map((element) => rangeOf(element, span));
}

export function paint(name, ranges) {
  if (!("highlights" in CSS)) return;
  if (ranges.length) CSS.highlights.set(name, new Highlight(...ranges));
  else CSS.highlights.delete(name);
}

export function nothingSelected() {
  tell("Select words in a step first, then press e.");
}
