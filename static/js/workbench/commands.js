// Everything that can be done here, by name: a button says data-do="mark", a key looks its name up.
const commands = new Map();

export function command(name, act) {
  commands.set(name, act);
}

export function run(name, ...args) {
  return commands.get(name)?.(...args);
}

document.addEventListener("click", (event) => {
  const button = event.target.closest?.("[data-do]");
  if (!button || button.disabled) return;
  event.preventDefault();
  run(button.dataset.do, button, event);
});
