// The timeline: a page that nobody looks at does not ask for new rows. Everything works without this file.
"use strict";

document.addEventListener("htmx:beforeRequest", (event) => {
  if (document.hidden && event.target.id === "timeline-news") event.preventDefault();
});
