// How many runs are chosen, and all of them at once. The list renews itself; what is chosen stays chosen.
const form = document.getElementById("runs-form");

function boxes() {
  return [...form.querySelectorAll("input[name='run']")];
}

function count() {
  const all = form.querySelector("#runs-all");
  if (!all) return;
  const chosen = boxes().filter((box) => box.checked).length;
  form.querySelector("#runs-count").textContent = chosen ? `${chosen} chosen` : "None chosen";
  all.checked = chosen > 0 && chosen === boxes().length;
  all.indeterminate = chosen > 0 && chosen < boxes().length;
}

form?.addEventListener("change", (event) => {
  if (event.target.id === "runs-all") for (const box of boxes()) box.checked = event.target.checked;
  count();
});
document.addEventListener("htmx:after:swap", () => form && count());
if (form) count();
