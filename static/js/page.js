// What every page has: the theme button, times in the reader's zone, forms that send themselves, the run key.
import { words } from "./times.js";

const THEMES = ["system", "dark", "light"];
const SAYS = { system: "Theme: follows the system", dark: "Theme: dark", light: "Theme: light" };

function showTheme(button, theme) {
  if (theme === "system") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
  button.title = SAYS[theme];
  button.setAttribute("aria-label", SAYS[theme]);
}

function wireTheme(button) {
  let theme = localStorage.getItem("jev-theme") ?? "system";
  button.hidden = false;
  showTheme(button, theme);
  button.addEventListener("click", () => {
    theme = THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length];
    if (theme === "system") localStorage.removeItem("jev-theme");
    else localStorage.setItem("jev-theme", theme);
    showTheme(button, theme);
  });
}

function localTimes(root) {
  for (const element of root.querySelectorAll("time[datetime]")) {
    element.textContent = words(new Date(element.dateTime), new Date());
  }
}

function showShortcut(root) {
  const mac = /mac/i.test(navigator.platform);
  for (const key of root.querySelectorAll("[data-shortcut]")) {
    key.textContent = mac ? "⌘⏎" : "Ctrl+⏎";
    key.hidden = false;
  }
}

function dress(root) {
  localTimes(root);
  showShortcut(root);
}

const button = document.getElementById("theme");
if (button) wireTheme(button);
dress(document);
document.addEventListener("htmx:after:swap", () => dress(document));

// The order slip is busy until its last answer has come; an earlier one is dropped.
let asked = null;
document.addEventListener("htmx:before:request", (event) => {
  if (event.detail.ctx.target?.id !== "slip") return;
  asked = event.detail.ctx;
  asked.target.setAttribute("aria-busy", "true");
});
document.addEventListener("htmx:finally:request", (event) => {
  if (event.detail.ctx === asked) document.getElementById("slip")?.removeAttribute("aria-busy");
});

// What filters and searches carries the case along that is chosen now.
document.addEventListener("change", (event) => {
  if (!event.target.matches(".cards input[name='case']")) return;
  for (const link of document.querySelectorAll("#kinds a, #cards a")) {
    const url = new URL(link.href);
    url.searchParams.set("case", event.target.value);
    link.href = url;
  }
});

for (const form of document.querySelectorAll("form[data-autosubmit]")) {
  form.addEventListener("change", () => form.requestSubmit());
}

document.addEventListener("keydown", (event) => {
  const run = document.querySelector("[data-key='run']");
  if (run && event.key === "Enter" && (event.ctrlKey || event.metaKey)) run.click();
});
