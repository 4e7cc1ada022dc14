// Added and removed lines of a diff in their colours. The words stay as they are, so evidence still points into them.
import { $$, debounce } from "./dom.js";
import { paint } from "./evidence.js";
import { onLoad, scroller } from "./steps.js";

const IS_DIFF = /^(?:diff --git |@@ -\d)/m;
const MOST = 2000;

function linesIn(node, sign, triple) {
  const found = [];
  const text = node.data;
  for (let at = 0; at < text.length && found.length < MOST; ) {
    const end = text.indexOf("\n", at) < 0 ? text.length : text.indexOf("\n", at);
    if (text[at] === sign && !text.startsWith(triple, at)) {
      const range = document.createRange();
      range.setStart(node, at);
      range.setEnd(node, end);
      found.push(range);
    }
    at = end + 1;
  }
  return found;
}

const show = debounce(60, () => {
  const nodes = $$("[data-text]", scroller).map((words) => words.firstChild).filter((node) => node?.data && IS_DIFF.test(node.data));
  paint("added", nodes.flatMap((node) => linesIn(node, "+", "+++")));
  paint("removed", nodes.flatMap((node) => linesIn(node, "-", "---")));
});
onLoad(show);
