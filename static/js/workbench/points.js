// Between the page's text and the offsets that are stored: code points in the text of a block as the source spells it.

const lengthOf = (text) => {
  let points = 0;
  for (const _ of text) points += 1;
  return points;
};

/** UTF-16 index to code points. */
export const pointsAt = (text, index) => lengthOf(text.slice(0, index));

/** Code points to UTF-16 index. */
export function indexAt(text, points) {
  let index = 0;
  for (let left = points; left > 0 && index < text.length; left -= 1) index += text.codePointAt(index) > 0xffff ? 2 : 1;
  return index;
}

const ESCAPE = /\\(?:u[0-9a-fA-F]{4}|.)/y;

/** For a JSON string shown decoded: where each of its UTF-16 units starts in the raw spelling, and its end. */
export function spelling(raw) {
  const starts = [];
  let index = 1; // after the quote
  while (index < raw.length - 1) {
    starts.push(index);
    ESCAPE.lastIndex = index;
    index += raw[index] === "\\" ? (ESCAPE.exec(raw)?.[0].length ?? 1) : 1;
  }
  starts.push(index);
  return starts;
}

/** The UTF-16 length of a node's text before (container, offset). */
export function indexIn(element, container, offset) {
  const range = document.createRange();
  range.setStart(element, 0);
  range.setEnd(container, offset);
  return range.toString().length;
}
