// The numbers beside the sliders follow while they move. Without this file they follow with the next page.
"use strict";

document.addEventListener("input", (event) => {
  const slider = event.target;
  if (!slider.matches(".slider input[type=range]")) return;
  const block = slider.closest(".slider");
  block.querySelector(".level").textContent = slider.value;
  block.classList.toggle("changed", Number(slider.value) !== Number(slider.dataset.now));
  const changed = document.querySelectorAll(".slider.changed").length;
  document.getElementById("changed-settings").textContent = changed ? `${changed} changed` : "";
});
