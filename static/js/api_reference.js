// The description of the API: its calls can be tried. Without this file there are lines for the shell to copy.
"use strict";

const filled = (form, where) => [...form.querySelectorAll(`[data-where="${where}"]`)].filter((field) => field.value);

async function send(form) {
  const headers = { Authorization: `Bearer ${document.getElementById("key").value.trim()}` };
  for (const field of filled(form, "header")) headers[field.name] = field.value;
  let path = form.dataset.path;
  for (const field of filled(form, "path")) path = path.replace(`{${field.name}}`, encodeURIComponent(field.value));
  const query = new URLSearchParams(filled(form, "query").map((field) => [field.name, field.value]));
  const [body] = filled(form, "body");
  if (body) headers["Content-Type"] = "application/json";
  const asked = { method: form.dataset.method, headers, body: body?.value, credentials: "omit" };
  const response = await fetch(query.size ? `${path}?${query}` : path, asked);
  const text = await response.text();
  try {
    return `${response.status} ${response.statusText}\n\n${JSON.stringify(JSON.parse(text), null, 2)}`;
  } catch {
    return `${response.status} ${response.statusText}\n\n${text}`;
  }
}

document.addEventListener("submit", async (event) => {
  const form = event.target;
  if (form.id === "api-key") event.preventDefault();
  if (!form.dataset.path) return;
  event.preventDefault();
  const [answer, button] = [form.querySelector(".answer"), form.querySelector("button")];
  answer.hidden = false;
  button.disabled = true;
  try {
    answer.textContent = await send(form);
  } catch (error) {
    answer.textContent = `The server does not answer: ${error.message}`;
  }
  button.disabled = false;
});

for (const part of document.querySelectorAll("#api-key, details.try")) part.hidden = false;
