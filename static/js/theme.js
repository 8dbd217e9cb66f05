// Runs before the first paint, so that a chosen theme does not flash. The button is wired in page.js.
(() => {
  const chosen = localStorage.getItem("jev-theme");
  if (chosen === "dark" || chosen === "light") document.documentElement.dataset.theme = chosen;
  document.documentElement.classList.add("scripted");
})();
