// A page that is live: asks for what is newer than its last event, runs its clock, follows its lists.
import { clock, running } from "./times.js";

const socket = document.getElementById("socket");
const news = { seq: Number(socket.dataset.seq), at: Date.now(), state: "connecting" };
let skew = 0;

// ---- the cursor: the number of the last event that arrived, so that a reconnect gets the rest, once.

function resumable(connection) {
  if (connection.resumable) return;
  const base = connection.url;
  connection.resumable = true;
  // Read anew at every attempt: a hidden page reconnects without announcing it first.
  Object.defineProperty(connection, "url", { get: () => `${base}?after=${news.seq}` });
}

function listen(event) {
  const ws = event.detail.connection.socket;
  ws.addEventListener("message", (message) => {
    news.seq = Math.max(news.seq, JSON.parse(message.data).seq);
    news.at = Date.now();
  });
  connectionIs("live");
}

socket.addEventListener("htmx:ws:before:connection", (event) => resumable(event.detail.connection));
socket.addEventListener("htmx:ws:after:connection", listen);
socket.addEventListener("htmx:ws:close", (event) => {
  const code = event.detail.code;
  // Our own codes are final: the run has ended, or this socket will never be served. All others are tried again.
  connectionIs(code === 4000 ? "done" : code >= 4000 ? "refused" : document.hidden ? "connecting" : "lost");
});

// ---- the connection in words, in the console and, when it is lost, under the header.

const LOOKS = {
  live: ["ok", "live", "Live"],
  connecting: ["off", "live", "Connecting"],
  lost: ["ask", "lost", "Connection lost"],
  refused: ["bad", "lost", "Refused: reload the page"],
};

function connectionIs(state) {
  news.state = state;
  showConnection();
  offline(state === "lost");
}

function showConnection() {
  const line = document.getElementById("connection");
  const look = LOOKS[news.state];
  if (!line || !look) return;
  const [tone, icon, word] = look;
  const state = line.querySelector(".state");
  const use = state.querySelector("use");
  const href = use.getAttribute("href").replace(/#.*/, `#${icon}`);
  if (state.dataset.is !== news.state) {
    state.dataset.is = news.state;
    state.className = `state ${tone}`;
    use.setAttribute("href", href);
    state.lastChild.replaceWith(word);
  }
  const note = line.querySelector(".faint") ?? line.appendChild(document.createElement("span"));
  note.className = "faint";
  const ago = (Date.now() - news.at) / 1000;
  note.textContent = news.state === "live" ? ` event ${news.seq}, ${running(ago)} ago` : ` at event ${news.seq}`;
}

function offline(lost) {
  let line = document.getElementById("offline");
  if (!lost) {
    line?.remove();
    return;
  }
  if (line) return;
  line = document.createElement("p");
  line.id = "offline";
  line.className = "offline";
  line.setAttribute("role", "alert");
  const icon = document.querySelector("#connection svg")?.cloneNode(true);
  const at = new Date().toLocaleTimeString("en-GB");
  line.append(icon ?? "", `Connection lost at event ${news.seq}, trying again. The figures are those of ${at}.`);
  document.querySelector(".top").after(line);
}

// ---- the clock: the server's times, carried on by the browser between two frames.

function readSkew() {
  // The strip is part of every live frame, so its time is that of the last one.
  const strip = document.getElementById("strip");
  if (strip) skew = Date.now() - Number(strip.dataset.now);
}

function tick() {
  const big = document.querySelector("[data-clock]");
  // Without news the figures stand as of the last ones; a clock that ran on would claim that the run does.
  if (!big || news.state === "lost") return;
  const now = Date.now() - skew;
  const elapsed = Math.max(now - Number(big.dataset.clock), 0) / 1000;
  big.textContent = clock(elapsed);
  for (const element of document.querySelectorAll("[data-since]")) {
    element.textContent = running(Math.max(now - Number(element.dataset.since), 0) / 1000);
  }
  for (const element of document.querySelectorAll("[data-until]")) {
    element.textContent = running(Math.max(Number(element.dataset.until) - now, 0) / 1000);
  }
  moveNow(elapsed);
  showConnection();
}

function moveNow(elapsed) {
  const strip = document.getElementById("strip");
  if (!strip) return;
  const share = Math.min(elapsed / Number(strip.dataset.scale), 1);
  strip.style.setProperty("--now", `${(100 * share).toFixed(2)}%`);
  const label = strip.querySelector("[data-now-label]");
  if (label) label.textContent = elapsed < 60 ? elapsed.toFixed(1) : clock(elapsed).replace(/\.\d$/, "");
}

// ---- lists follow their end only while they are at it; the box says so and a button leads back.

function boxOf(list) {
  return document.querySelector(`[data-follow="${list.id}"]`);
}

function follow(list) {
  const view = list.parentElement;
  if (boxOf(list)?.checked) view.scrollTop = view.scrollHeight;
  newest(list);
}

function newest(list) {
  const view = list.parentElement;
  const away = view.scrollHeight - view.scrollTop - view.clientHeight > 24;
  let button = view.querySelector(".newest");
  if (!away || boxOf(list)?.checked) {
    button?.remove();
    return;
  }
  if (button) return;
  button = document.createElement("button");
  button.type = "button";
  button.className = "btn small newest";
  button.textContent = "newest";
  button.addEventListener("click", () => {
    boxOf(list).checked = true;
    follow(list);
  });
  view.append(button);
}

function wireList(list) {
  const view = list.parentElement;
  const box = boxOf(list);
  box.closest(".follow").hidden = false;
  box.addEventListener("change", () => follow(list));
  view.addEventListener("scroll", () => {
    const away = view.scrollHeight - view.scrollTop - view.clientHeight;
    box.checked = away < 24;
    newest(list);
  });
}

// ---- what was open stays open when the live page turns into the settled one.

let opened = [];
socket.addEventListener("htmx:before:swap", () => {
  opened = [...document.querySelectorAll("#run-body .step[id] > details[open]")].map((each) => each.parentElement.id);
});
socket.addEventListener("htmx:after:swap", () => {
  for (const id of opened) document.getElementById(id)?.querySelector("details")?.setAttribute("open", "");
  readSkew();
  tick();
  for (const list of document.querySelectorAll(".transcript > .steps")) follow(list);
});

for (const list of document.querySelectorAll(".transcript > .steps")) wireList(list);
readSkew();
tick();
setInterval(tick, 100);

// ---- a card that has the focus takes a and d; keys that are typed into a field are never an answer.

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
  const card = event.target.closest?.("[data-approval]");
  if (!card || event.target.closest("input, textarea, select, [contenteditable]")) return;
  const name = { a: "approve", d: "deny" }[event.key];
  const button = name && card.querySelector(`button[name=${name}]`);
  if (!button) return;
  event.preventDefault();
  button.click();
});
