// Markdown read for the eye, on request: headings, lists, tables, code, emphasis. Addresses stay words; nothing is fetched.
import { h } from "./dom.js";

// Bounded: what begins a mark again and again and never ends it would keep the page busy for minutes.
const INLINE = /(`+)([^`](?:.{0,2000}?[^`])?)\1|\*\*(.{1,2000}?)\*\*|__(.{1,2000}?)__|\*([^*\s](?:.{0,2000}?[^*\s])?)\*|!?\[([^\]]{0,500})\]\(([^)\s]{0,2000})(?:\s[^)]{0,500})?\)/gs;

function inline(text) {
  const parts = [];
  let at = 0;
  for (const found of text.matchAll(INLINE)) {
    parts.push(text.slice(at, found.index));
    const [whole, , code, bold, bold2, italic, label, address] = found;
    if (code !== undefined) parts.push(h("code", {}, code));
    else if (bold ?? bold2) parts.push(h("strong", {}, ...inline(bold ?? bold2)));
    else if (italic) parts.push(h("em", {}, ...inline(italic)));
    else parts.push(`${label} `, h("span", { class: "muted mono small" }, `(${whole.startsWith("!") ? "image at " : ""}${address})`));
    at = found.index + whole.length;
  }
  parts.push(text.slice(at));
  return parts;
}

const cells = (row) => row.trim().replace(/^\||\|$/g, "").split("|").map((cell) => cell.trim());
const isRule = (row) => /^\s*\|?\s*:?-{2,}/.test(row ?? "") && row.includes("|");

function table(rows) {
  const [head, , ...body] = rows;
  const line = (row, tag) => h("tr", {}, cells(row).map((cell) => h(tag, tag === "th" ? { scope: "col" } : {}, ...inline(cell))));
  return h("div", { class: "table-wrap" }, h("table", { class: "table" }, h("thead", {}, line(head, "th")), h("tbody", {}, body.map((row) => line(row, "td")))));
}

const ITEM = /^(\s*)(?:[-*+]|\d+[.)])\s+(.*)$/;

function list(rows) {
  const tag = /^\s*\d/.test(rows[0]) ? "ol" : "ul";
  const items = [];
  for (const row of rows) {
    const [, indent, words] = row.match(ITEM) ?? [];
    if (words === undefined) items.at(-1).words += ` ${row.trim()}`;
    else items.push({ isDeep: indent.length > 1, words });
  }
  return h(tag, {}, items.map(({ isDeep, words }) => h("li", { class: isDeep ? "wb-md-deep" : null }, ...inline(words))));
}

/** The rows from `at` on while `belongs` says so. */
function run(rows, at, belongs) {
  let end = at;
  while (end < rows.length && belongs(rows[end])) end += 1;
  return rows.slice(at, end);
}

function block(rows, at) {
  const row = rows[at];
  const fence = row.match(/^\s*(`{3,}|~{3,})/);
  if (fence) {
    const body = run(rows, at + 1, (each) => !each.trim().startsWith(fence[1]));
    return [body.length + 2, h("pre", { class: "wb-md-code" }, body.join("\n"))];
  }
  const heading = row.match(/^(#{1,6})\s+(.*)$/);
  if (heading) return [1, h("p", { class: `strong wb-md-h${Math.min(3, heading[1].length)}` }, ...inline(heading[2]))];
  if (row.includes("|") && isRule(rows[at + 1])) {
    const body = run(rows, at, (each) => each.includes("|"));
    return [body.length, table(body)];
  }
  if (ITEM.test(row)) {
    const body = run(rows, at, (each) => ITEM.test(each) || /^\s+\S/.test(each));
    return [body.length, list(body)];
  }
  if (/^\s*>/.test(row)) {
    const body = run(rows, at, (each) => /^\s*>/.test(each));
    return [body.length, h("blockquote", {}, ...inline(body.map((each) => each.replace(/^\s*> ?/, "")).join("\n")))];
  }
  if (!row.trim()) return [1, null];
  const body = run(rows, at, (each) => each.trim() && !/^\s*(#{1,6}\s|`{3,}|~{3,}|>)/.test(each) && !ITEM.test(each));
  return [Math.max(1, body.length), h("p", {}, ...inline(body.length ? body.join("\n") : row))];
}

/** Elements that show the text; made of text nodes only. */
export function rendered(text) {
  const rows = text.split(/\r\n|\r|\n/);
  const shown = [];
  for (let at = 0; at < rows.length; ) {
    const [used, element] = block(rows, at);
    if (element) shown.push(element);
    at += used;
  }
  return h("div", { class: "wb-md", dir: "auto" }, ...shown);
}
