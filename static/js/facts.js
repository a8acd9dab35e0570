// The facts page: what is selected, and what is being edited, while the table changes; its keys; whether the map is
// folded. Everything works without it.
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
    chosen = new Set(picks().filter((pick) => pick.checked).map((pick) => pick.value));
    drafts.push(...[...(table()?.querySelectorAll("tr.editing") ?? [])].filter((row) => row !== busy));
  });
  document.addEventListener("htmx:afterSwap", () => {
    picks().forEach((pick) => (pick.checked ||= chosen.has(pick.value)));
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

  // Where the row that had the focus is gone, the button that brings it back has it.
  document.addEventListener("htmx:oobAfterSwap", () => setTimeout(() => {
    if (document.activeElement === document.body) document.querySelector("#status [autofocus]")?.focus();
  }));

  // A menu gets its buttons when it is opened, and the name of its fact with them.
  const fill = (menu) => {
    if (menu.children.length > 1) return;
    menu.append(document.getElementById("facts-menu").content.cloneNode(true));
    const row = menu.closest("tr");
    const key = menu.querySelector("summary").ariaLabel.replace("More for ", "");
    menu.querySelector(row.querySelector(".kept") ? ".keep" : ".unkeep")?.remove();
    for (const button of menu.querySelectorAll("button")) {
      button.value = key;
      button.ariaLabel = `${button.firstChild.textContent}${button.matches(".delete") ? " fact" : ":"} ${key}`;
    }
    window.htmx.process(menu);
  };
  document.addEventListener("toggle", (event) => {
    if (event.target.matches(".menu[open]")) fill(event.target);
  }, true);

  // A menu closes when something else is used.
  document.addEventListener("click", (event) => {
    for (const menu of document.querySelectorAll("details.menu[open]")) menu.open = menu.contains(event.target.closest("summary"));
  });

  // The map stays as it was left.
  document.addEventListener("toggle", (event) => {
    if (event.target.id !== "facts-map") return;
    const folded = event.target.open ? "open" : "folded";
    document.cookie = `facts_map=${folded}; path=/dashboard/facts; max-age=31536000; samesite=lax`;
  }, true);

  // Keys of one letter, never while one types, and not at all for those who switch them off.
  const rows = () => [...(table()?.querySelectorAll("tbody tr.fact") ?? [])];
  let at = -1;
  const current = () => {
    const here = document.activeElement?.closest?.("tr.fact");
    if (here) at = rows().indexOf(here);
    return here ?? null;
  };
  const go = (step) => {
    current();
    at = Math.max(0, Math.min(rows().length - 1, at + step));
    rows()[at]?.querySelector(".told a").focus();
  };
  const help = () => document.getElementById("facts-keys");
  const KEYS = {
    "/": () => document.getElementById("search").select(),
    j: () => go(1),
    k: () => go(-1),
    e: () => current()?.querySelector(".acts > a").click(),
    "#": () => {
      const menu = current()?.querySelector(".menu");
      if (menu) fill(menu);
      menu?.querySelector(".delete").click();
    },
    "?": () => {
      help().open = !help().open;
      help().querySelector("summary").focus();
    },
  };
  const SWITCH = "facts-keys-off";
  const off = () => localStorage.getItem(SWITCH) === "1";
  document.addEventListener("keydown", (event) => {
    const typing = event.target.closest?.("input:not([type=checkbox]), textarea, select, [contenteditable]");
    if (typing || event.isComposing || event.ctrlKey || event.metaKey || event.altKey || off()) return;
    if (!Object.hasOwn(KEYS, event.key)) return;
    event.preventDefault();
    KEYS[event.key]();
  });
  document.addEventListener("change", (event) => {
    if (event.target.id === "facts-keys-on") localStorage.setItem(SWITCH, event.target.checked ? "0" : "1");
  });
  help().hidden = false;
  document.getElementById("facts-keys-on").checked = !off();

  count();
})();
