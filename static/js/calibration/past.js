// The time machine: stored decisions under other thresholds, from the places where each of them flips. No request.
import { again } from "./decide.js";
import { Sliders } from "./sliders.js";

const MOST = 200;
const root = document.getElementById("past");

function cell(text, tag = "td") {
  const made = document.createElement(tag);
  made.textContent = text;
  return made;
}

function line(past, now) {
  const row = document.createElement("tr");
  const head = cell("", "th");
  head.scope = "row";
  const link = document.createElement("a");
  link.href = past.address;
  link.textContent = past.title;
  head.append(link);
  row.append(head, cell(past.judge), cell(past.profile), cell(past.was), cell(now ?? "not measured"));
  return row;
}

function nothing(stored) {
  const row = document.createElement("tr");
  const said = cell(stored ? "All stay as they were. Move a threshold." : "Runs and calls that a judge decided come here.");
  said.colSpan = 5;
  row.append(said);
  return row;
}

function show(all, cuts) {
  const flips = [];
  let unknown = 0;
  for (const past of all) {
    const now = again(past, cuts);
    if (now === null) unknown += 1;
    if (now !== past.was) flips.push([past, now]);
  }
  const changed = flips.length - unknown;
  document.getElementById("flips-title").textContent = all.length
    ? `${changed} of ${all.length} past decisions would flip`
    : "No decision is stored yet";
  const more = flips.length > MOST ? `, the first ${MOST} are shown` : "";
  document.getElementById("flips-note").textContent = unknown ? `${unknown} not measured${more}` : more.slice(2);
  const rows = flips.slice(0, MOST).map((each) => line(...each));
  document.getElementById("flips").replaceChildren(...(rows.length ? rows : [nothing(all.length)]));
}

async function start() {
  const reply = await fetch(root.dataset.values);
  const { past } = await reply.json();
  const sliders = new Sliders(root, (name, cuts, moved) => {
    sliders.mark(name);
    if (moved) show(past, cuts);
  });
  show(past, sliders.cuts);
  root.dataset.ready = "";
}

if (root) start();
