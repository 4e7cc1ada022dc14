// Words that are typed and not saved yet, kept in this browser per person and run: a closed tab loses none of them.
import { page } from "./page.js";

export const kept = (name) => remembered(`assay-draft:${page.user}:${page.item}:${name}`);

export function remembered(place) {
  return {
    read() {
      try {
        return localStorage.getItem(place) ?? "";
      } catch {
        return "";
      }
    },
    keep(words) {
      try {
        if (words) localStorage.setItem(place, words);
        else localStorage.removeItem(place);
      } catch {
        // Without storage they live as long as the page.
      }
    },
    forget() {
      this.keep("");
    },
  };
}
