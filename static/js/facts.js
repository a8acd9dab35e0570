// The facts page: what is selected, and what is being edited, while the table changes. Everything works without it.
"use strict";

(() => {
  const table = () => document.getElementById("facts-table");
  const picks = () => [...(table()?.querySelectorAll(".pick input") ?? [])];

  // The bar says how many are selected; selecting all of a page needs script.
  const count = () => {
    const bar = document.getElementById("facts-chosen");
    if (!bar) return;
    const chosen = picks().filter((pick) => pick.checked).length;
    bar.querySelector(".count").textContent = `${chosen} selected`;
    bar.querySelector(".delete").textContent = chosen > 1 ? `Delete ${chosen} facts` : "Delete selected";
    bar.querySelector(".all").hidden = chosen === picks().length;
  };

  // Shift and a click select the rows between.
  let last = null;
  document.addEventListener("click", (event) => {
    if (event.target.closest("#facts-chosen .all")) picks().forEach((pick) => (pick.checked = true));
    if (event.target.matches(".pick input")) {
      const [all, here] = [picks(), event.target];
      const [from, to] = [all.indexOf(last), all.indexOf(here)].sort((a, b) => a - b);
      if (event.shiftKey && from >= 0) all.slice(from, to).forEach((pick) => (pick.checked = here.checked));
      last = here;
    }
    count();
  });
  document.addEventListener("reset", () => setTimeout(count));

  // A search or another change brings the whole table anew: what was selected stays so, and a form open in a row keeps
  // its place, or stands first where its row is not among those found.
  let chosen = new Set();
  let drafts = [];
  document.addEventListener("htmx:beforeSwap", (event) => {
    const busy = event.detail.elt.closest?.("tr");
    chosen = new Set(picks().filter((pick) => pick.checked).map((pick) => pick.id));
    drafts.push(...[...(table()?.querySelectorAll("tr.editing") ?? [])].filter((row) => row !== busy));
  });
  document.addEventListener("htmx:afterSwap", () => {
    picks().forEach((pick) => (pick.checked ||= chosen.has(pick.id)));
    drafts = drafts.filter((draft) => !draft.isConnected && !restore(draft));
    count();
  });
  const restore = (draft) => {
    const body = table()?.querySelector("tbody");
    const row = document.getElementById(draft.id);
    draft.querySelector("[autofocus]")?.removeAttribute("autofocus"); // what was just done has the focus now
    if (row) row.replaceWith(draft);
    else body?.prepend(draft);
    if (body) window.htmx.process(draft);
    return Boolean(body);
  };

  count();
})();
