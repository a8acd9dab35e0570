// The episodes page: how many are selected, and selecting all of a page. Everything works without it.
"use strict";

(() => {
  const picks = () => [...document.querySelectorAll("#episodes-list .pick input")];

  const count = () => {
    const bar = document.getElementById("episodes-chosen");
    if (!bar) return;
    const chosen = picks().filter((pick) => pick.checked).length;
    bar.querySelector(".count").textContent = `${chosen} selected`;
    bar.querySelector(".delete").textContent = chosen > 1 ? `Delete ${chosen} episodes` : "Delete selected";
    bar.querySelector(".all").hidden = chosen === picks().length;
  };

  // Shift and a click select the rows between.
  let last = null;
  document.addEventListener("click", (event) => {
    if (event.target.closest("#episodes-chosen .all")) picks().forEach((pick) => (pick.checked = true));
    if (event.target.matches("#episodes-list .pick input")) {
      const [all, here] = [picks(), event.target];
      const [from, to] = [all.indexOf(last), all.indexOf(here)].sort((a, b) => a - b);
      if (event.shiftKey && from >= 0) all.slice(from, to).forEach((pick) => (pick.checked = here.checked));
      last = here;
    }
    count();
  });
  document.addEventListener("reset", () => setTimeout(count));

  // A search or a deletion brings the list anew: what was selected stays so.
  let chosen = new Set();
  document.addEventListener("htmx:beforeSwap", () => {
    chosen = new Set(picks().filter((pick) => pick.checked).map((pick) => pick.id));
  });
  document.addEventListener("htmx:afterSwap", () => {
    picks().forEach((pick) => (pick.checked ||= chosen.has(pick.id)));
    count();
  });

  count();
})();
