"""What we say inside the sandbox: which steps a trigger means, and a check called on each of them."""

PRELUDE = "import json, re, math, collections\n"

# The published checker's reading: the role's name is also a pattern on the role, and a tool's name is looked for in the
# content, since the format has no field for it.
MATCHING = """
import re

def matched_substeps(step, role, content, tool, substep):
    found = []
    for place, sub in enumerate(step["substeps"]):
        if substep is not None and place != substep:
            continue
        if role is not None and role != sub["role"] and role != sub["role"].split("(")[0].strip():
            continue
        if role is not None and not re.search(role, sub["role"]):
            continue
        if content is not None and not re.search(content, sub["content"], re.DOTALL):
            continue
        if tool is not None and not re.search(tool, sub["content"], re.IGNORECASE):
            continue
        found.append(place)
    return found

def matched_steps():
    found = []
    for position in candidates:
        places = matched_substeps(trajectory["steps"][position], role, content, tool, substep)
        if places:
            found.append([position, places])
    return found

matched_steps()
"""

# Names a check is unlikely to take; what it does to them changes its own answers only.
CALLING = """
def assay_call_each(positions):
    told = []
    for position in positions:
        try:
            verdict = 1 if {function_name}(trajectory, position) else 0
            told.append([position, verdict, ""])
        except Exception as error:
            told.append([position, 2, (type(error).__name__ + ": " + str(error))[:200]])
    return told

assay_call_each(positions)
"""


def calling(function_name: str) -> str:
    if not function_name.isidentifier():
        raise ValueError(f"{function_name!r} is no name of a function")
    return CALLING.replace("{function_name}", function_name)
