// The facts page: what is being edited while the table changes; its keys; whether the map is folded. Everything works
// without it.
"use strict";

(() => {
  const table = () => document.getElementById("facts-table");

  // A search or another change brings the whole table anew: a form open in a row keeps its place, or stands first where
  // its row is not among those found.
  let drafts = [];
  document.addEventListener("htmx:beforeSwap", (event) => {
    const busy = event.detail.elt.closest?.("tr");
    drafts.push(...[...(table()?.querySelectorAll("tr.editing") ?? [])].filter((row) => row !== busy));
  });
  document.addEventListener("htmx:afterSwap", () => {
    drafts = drafts.filter((draft) => !draft.isConnected && !restore(draft));
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
    if (!event.target.matches(".menu[open]")) return;
    fill(event.target);
    event.target.lastElementChild.scrollIntoView({ block: "nearest" }); // the last row's menu would be below the screen
  }, true);

  // A menu closes when something else is used.
  document.addEventListener("click", (event) => {
    for (const menu of document.querySelectorAll("details.menu[open]")) menu.open = menu.contains(event.target.closest("summary"));
  });

  // The map stays as it was left. On a telephone it is folded, until the browser is closed, unless it was asked for: the
  // facts come first.
  const remember = (map, how = "") => {
    document.cookie = `facts_map=${map.open ? "open" : "folded"}; path=/dashboard/; samesite=lax${how}`;
  };
  const map = document.getElementById("facts-map");
  let isOurs = Boolean(map?.open) && !document.cookie.includes("facts_map=") && window.matchMedia("(max-width: 40rem)").matches;
  if (isOurs) {
    map.open = false;
    remember(map);
  }
  document.addEventListener("toggle", (event) => {
    if (event.target.id !== "facts-map") return;
    if (!isOurs) remember(event.target, "; max-age=31536000");
    isOurs = false;
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
  const list = () => help().querySelector("dialog");
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
    "?": () => (list().open ? list().close() : list().showModal()),
  };
  const SWITCH = "facts-keys-off";
  const off = () => localStorage.getItem(SWITCH) === "1";
  document.addEventListener("keydown", (event) => {
    const typing = event.target.closest?.("input:not([type=checkbox]), textarea, select, [contenteditable]");
    if (typing || event.isComposing || event.ctrlKey || event.metaKey || event.altKey || off()) return;
    if (!Object.hasOwn(KEYS, event.key) || (list().open && event.key !== "?")) return;
    event.preventDefault();
    KEYS[event.key]();
  });
  for (const button of help().querySelectorAll("button")) button.addEventListener("click", KEYS["?"]);
  document.addEventListener("change", (event) => {
    if (event.target.id === "facts-keys-on") localStorage.setItem(SWITCH, event.target.checked ? "0" : "1");
  });
  help().hidden = false;
  document.getElementById("facts-keys-on").checked = !off();
})();
