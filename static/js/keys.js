// A key presses the thing that carries it: <button data-key="n">. Never while somebody is typing.
"use strict";
(() => {
  const TYPING = "input:not([type=checkbox], [type=radio], [type=submit], [type=button]), select, textarea";

  function isTyping(event) {
    const target = event.target;
    return event.isComposing || event.keyCode === 229 || target.isContentEditable || target.matches?.(TYPING);
  }

  document.addEventListener("keydown", (event) => {
    if (event.defaultPrevented || event.repeat || event.ctrlKey || event.metaKey || event.altKey) return;
    if (isTyping(event) || document.querySelector("dialog[open]")) return;
    const target = document.querySelector(`[data-key="${CSS.escape(event.key)}"]:not(:disabled)`);
    if (!target) return;
    event.preventDefault();
    target.click();
  });
})();
