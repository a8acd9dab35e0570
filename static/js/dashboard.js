// What htmx attributes cannot do without eval. Everything works without this file; it makes the keyboard pleasant.
"use strict";

const status = () => document.getElementById("status");

// The choice of a theme folds again, by Escape or by a click elsewhere.
for (const kind of ["click", "keydown"]) {
  document.addEventListener(kind, (event) => {
    const theme = document.querySelector("details.theme[open]");
    if (!theme || (kind === "click" ? theme.contains(event.target) : event.key !== "Escape")) return;
    theme.open = false;
    if (kind === "keydown") theme.querySelector("summary").focus();
  });
}

// Escape leaves a form by its own Cancel link.
document.addEventListener("keydown", (event) => {
  if (event.key !== "Escape" || event.isComposing) return;
  const form = event.target.closest("form") ?? document.querySelector("tr.editing form");
  form?.querySelector("[data-cancel]")?.click();
});

document.addEventListener("click", (event) => {
  const link = event.target.closest("a");
  if (!link) return;
  // A new tab is a new tab, also on a link that htmx would follow in place.
  if (link.closest("[hx-get], [hx-boost]") && (event.ctrlKey || event.metaKey || event.shiftKey)) event.stopImmediatePropagation();
  // The form for a new fact only folds.
  const folded = link.matches("[data-cancel]") && link.closest("details.add, details.in-place");
  if (folded) {
    event.preventDefault();
    folded.open = false;
    folded.querySelector("summary").focus();
  }
}, true);

// A message is closed in place; the page goes on where it is.
document.addEventListener("click", (event) => {
  const close = event.target.closest("[data-close]");
  if (!close) return;
  event.preventDefault();
  close.closest(".notice").remove();
  document.getElementById("content").focus({ preventScroll: true });
});

document.addEventListener("toggle", (event) => {
  if (event.target.matches("details.add[open], details.in-place[open]")) event.target.querySelector("input:not([type=hidden])").focus();
}, true);

for (const failure of ["htmx:sendError", "htmx:timeout"]) {
  document.addEventListener(failure, () => {
    const notice = Object.assign(document.createElement("div"), { className: "notice error wrap" });
    notice.append("The server does not answer. Try again when it is back.");
    status().replaceChildren(notice);
  });
}
