// Connect: a page that nobody looks at does not ask for the first call. Everything works without this file.
"use strict";

document.addEventListener("htmx:beforeRequest", (event) => {
  if (document.hidden && event.target.id === "first-call") event.preventDefault();
});
