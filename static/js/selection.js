// A list whose rows can be selected: how many are, selecting all of a page, and the rows between by Shift and a click.
// Its bar says where the rows are and what they are called. Everything works without it.
"use strict";

(() => {
  const bar = () => document.querySelector("form.chosen[data-rows]");
  const picks = () => [...document.querySelectorAll(`${bar()?.dataset.rows} .pick input`)];

  const count = () => {
    if (!bar()) return;
    const chosen = picks().filter((pick) => pick.checked).length;
    bar().querySelector(".count").textContent = `${chosen} selected`;
    bar().querySelector(".delete").textContent = chosen > 1 ? `Delete ${chosen} ${bar().dataset.what}` : "Delete selected";
    bar().querySelector(".all").hidden = chosen === picks().length;
  };

  let last = null;
  document.addEventListener("click", (event) => {
    if (event.target.closest(".chosen .all")) picks().forEach((pick) => (pick.checked = true));
    if (event.target.matches(".pick input")) {
      const [all, here] = [picks(), event.target];
      const [from, to] = [all.indexOf(last), all.indexOf(here)].sort((a, b) => a - b);
      if (event.shiftKey && from >= 0) all.slice(from, to).forEach((pick) => (pick.checked = here.checked));
      last = here;
    }
    count();
  });
  document.addEventListener("reset", () => setTimeout(count));

  // A search or a change brings the list anew: what was selected stays so.
  let chosen = new Set();
  document.addEventListener("htmx:beforeSwap", () => {
    chosen = new Set(picks().filter((pick) => pick.checked).map((pick) => pick.value));
  });
  document.addEventListener("htmx:afterSwap", () => {
    picks().forEach((pick) => (pick.checked ||= chosen.has(pick.value)));
    count();
  });

  count();
})();
