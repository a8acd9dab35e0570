// A button beside what can be copied. Without this file, or without a clipboard, the text is selected as any other.
"use strict";

function addButtons() {
  for (const text of document.querySelectorAll("pre[data-copy]")) {
    if (text.parentElement.querySelector("button")) continue;
    const button = Object.assign(document.createElement("button"), { type: "button", className: "quiet copy" });
    button.textContent = "Copy";
    const name = text.getAttribute("aria-label") ?? document.getElementById(text.getAttribute("aria-labelledby")).textContent;
    button.setAttribute("aria-label", `Copy: ${name}`);
    button.addEventListener("click", async () => {
      try {
        await navigator.clipboard.writeText(text.textContent);
        button.textContent = "Copied";
      } catch {
        window.getSelection().selectAllChildren(text);
        button.textContent = "Selected";
      }
      setTimeout(() => { button.textContent = "Copy"; }, 2000);
    });
    text.before(button);
  }
}

if (navigator.clipboard) {
  addButtons();
  document.addEventListener("htmx:afterSettle", addButtons);
}
