"""CSV for spreadsheets. No cell can begin a formula: such ones get a quote in front, which reading takes off."""

import csv
import io
import re
from typing import Any

from taxonomy.codebook.board import CATEGORY
from taxonomy.formats.drafts import BadCodebook, Format, NodeDraft, checked, text_of

COLUMNS = ("id", "kind", "parent", "name", "definition", "colour")
TEXTS, LINES = ("group", "when_to_use", "when_not", "hotkey"), ("checklist", "aliases")
FORMULA = re.compile(r"'*(?:\s*[=+\-@＝＋－＠]|[\t\r\n])")  # spreadsheets look past what is blank


class CommaSeparated(Format):
    name = "csv"
    title = "CSV"
    media_type = "text/csv; charset=utf-8"

    @staticmethod
    def write(taxonomy: str, nodes: list[NodeDraft]) -> bytes:
        out = io.StringIO()
        writer = csv.writer(out)
        writer.writerow([*COLUMNS, *TEXTS, *LINES])
        for node in nodes:
            plain = [node.id, node.kind, node.parent or "", node.name, node.definition, node.colour or ""]
            texts = [node.words.get(name, "") for name in TEXTS]
            lines = ["\n".join(node.words.get(name, [])) for name in LINES]
            writer.writerow([safe(str(cell)) for cell in (*plain, *texts, *lines)])
        return out.getvalue().encode()

    @staticmethod
    def read(content: bytes) -> list[NodeDraft]:
        csv.field_size_limit(1_000_000)
        rows = csv.DictReader(io.StringIO(text_of(content), newline=""))
        if "name" not in (rows.fieldnames or ()):
            raise BadCodebook("line 1: expected a column “name”")
        try:
            return [row_of(row, rows.line_num) for row in rows]
        except csv.Error as error:
            raise BadCodebook(f"line {rows.line_num}: {error}") from error


def row_of(row: dict[str, Any], line: int) -> NodeDraft:
    cells = {name: plain(value or "") for name, value in row.items() if isinstance(name, str)}
    words: dict[str, Any] = {name: cells[name] for name in TEXTS if cells.get(name)}
    words |= {name: [each for each in cells[name].splitlines() if each.strip()] for name in LINES if cells.get(name)}
    colour = cells.get("colour", "")
    number = int(colour) if colour in set("12345678") else 0
    kind = cells.get("kind") or "code"
    node = NodeDraft(
        id=cells.get("id") or f"line-{line}",
        kind=kind,
        name=cells["name"],
        definition=cells.get("definition", ""),
        parent=cells.get("parent") or None,
        colour=number,
        words=words if kind == CATEGORY else {},
    )
    return checked(node, f"line {line}")


def safe(cell: str) -> str:
    return f"'{cell}" if FORMULA.match(cell) else cell


def plain(cell: str) -> str:
    return cell[1:] if cell.startswith("'") and FORMULA.match(cell) else cell
