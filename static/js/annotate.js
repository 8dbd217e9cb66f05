// The whole blind form by keyboard: a letter chooses a verdict, Ctrl+Enter submits. Nothing fires while somebody types.
const form = document.getElementById("annotate-form");

function typing(target) {
  return target.matches("textarea, select, [contenteditable], input:not([type='radio'], [type='checkbox'])");
}

document.addEventListener("keydown", (event) => {
  if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
    event.preventDefault();
    form.requestSubmit(form.querySelector("button[name='next']"));
    return;
  }
  if (event.ctrlKey || event.metaKey || event.altKey || typing(event.target)) return;
  const choice = form.querySelector(`input[data-key="${CSS.escape(event.key.toLowerCase())}"]`);
  if (!choice) return;
  event.preventDefault();
  choice.click();
  choice.focus();
});
