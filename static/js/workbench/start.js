// The steps come with the page. The modules that answer keys and clicks leave the wire and the processor to them: only
// the first one is asked for at once, so that the page counts as loaded when it answers, the others after a first frame.
"use strict";
(() => {
  const { content } = document.getElementById("workbench-modules");
  document.head.append(...content.querySelectorAll("script"));
  requestAnimationFrame(() => setTimeout(() => document.head.append(content)));
})();
