// What an operation does to the state, before the server has said so. Pure; the server's patch is what counts.
const FAILURE = {
  number: 0, anchor: "step", first_step: null, last_step: null, participant: "", codes: [], category: null,
  none_fits: false, step_reason: "", category_reason: "", evidence: [], is_omission: false, cause: null,
  repeats: null, effect: "", recovered_at: null, recovered_by: "", suggested_by: "",
};

export function applied(state, patch) {
  const failures = { ...state.failures };
  for (const [key, fields] of Object.entries(patch.failures ?? {})) {
    if (fields === null) delete failures[key];
    else failures[key] = { ...(failures[key] ?? FAILURE), ...fields };
  }
  return { failures, answers: { ...state.answers, ...(patch.answers ?? {}) } };
}

const GUESS = {
  mark(state, { failure, fields }) {
    const number = 1 + Math.max(0, ...Object.values(state.failures).map((each) => each.number));
    return { failures: { [failure]: settled({ ...FAILURE, ...fields, number }) } };
  },
  accept(state, { suggestion, failure, fields }) {
    return GUESS.mark(state, { failure, fields: { ...fields, suggested_by: suggestion } });
  },
  change(state, { failures, fields }) {
    const known = failures.filter((key) => state.failures[key]);
    return { failures: Object.fromEntries(known.map((key) => [key, settled({ ...state.failures[key], ...fields })])) };
  },
  remove(state, { failure }) {
    const failures = { [failure]: null };
    for (const [key, other] of Object.entries(state.failures)) {
      const pointers = ["cause", "repeats"].filter((name) => other[name] === failure);
      if (pointers.length) failures[key] = Object.fromEntries(pointers.map((name) => [name, null]));
    }
    return { failures, answers: state.answers.critical === failure ? { critical: null, outcome: "" } : {} };
  },
  conclude(state, { fields }) {
    const answers = { ...fields };
    if (fields.critical) answers.outcome = "critical";
    else if (fields.outcome && fields.outcome !== "critical") answers.critical = null;
    return { answers };
  },
};

function settled(failure) {
  const codes = failure.codes.map((code) => code.phrase ?? code);
  const whole = { ...failure, codes };
  if (whole.anchor === "step") whole.last_step = whole.first_step;
  if (whole.anchor === "range" && whole.last_step === whole.first_step) whole.anchor = "step";
  if (["task", "policy", "tools"].includes(whole.anchor)) whole.first_step = whole.last_step = null;
  if (whole.category) whole.none_fits = false;
  if (whole.effect !== "recovered") Object.assign(whole, { recovered_at: null, recovered_by: "" });
  return whole;
}

export function guessed(state, { op, payload }) {
  return GUESS[op] ? applied(state, GUESS[op](state, payload)) : state;
}
