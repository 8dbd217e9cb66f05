// Draws figures that the server made, in the colours of the theme in force; a line and a ring follow the sliders.
/* global Plotly */

const TOKEN = /^token:([a-z0-9-]+)(?::(\d+))?$/;
const drawn = new Map();
let operate = null;

/** How to find the operating point of a threshold: `{ found, alarms, precise }`, shares or null where unknown. */
export function operating(find) {
  operate = find;
}

function colour(text) {
  const [, name, percent] = TOKEN.exec(text);
  const value = getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
  if (!percent) return value;
  const number = Number.parseInt(value.slice(1), 16);
  return `rgba(${number >> 16}, ${(number >> 8) & 255}, ${number & 255}, ${percent / 100})`;
}

/** The figure with every named colour as the style sheet has it. */
function coloured(value) {
  if (typeof value === "string") return TOKEN.test(value) ? colour(value) : value;
  if (Array.isArray(value)) return typeof value.at(-1) === "number" ? value : value.map(coloured);
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, coloured(item)]));
}

function narrow(figure, place) {
  if (place.clientWidth >= 480) return figure;
  const x = figure.layout.xaxis;
  if (x.tickvals?.length === 6) Object.assign(x, { tickvals: [0, 0.4, 0.8], ticktext: ["0", ".4", ".8"] });
  return figure;
}

function marks(place, chart) {
  for (const old of place.parentElement.querySelectorAll(".mark")) old.remove();
  const crossed = chart.cross.length ? ["mark across", "mark up", "mark ring"] : chart.line ? ["mark across"] : [];
  const kinds = chart.follows ? ["mark dot"] : crossed;
  return kinds.map((css) => {
    const mark = document.createElement("i");
    mark.className = css;
    place.parentElement.append(mark);
    return mark;
  });
}

function percent(value) {
  return value === null ? "—" : `${(100 * value).toFixed(1)} %`;
}

/** The operating point of the slider on a curve of one question, and the same in words. */
function follow({ chart, lines, said }, frame, threshold) {
  const at = operate?.(chart.follows, threshold);
  if (!at) return;
  const [x, y] = chart.key.startsWith("roc-") ? [at.alarms, at.found] : [at.found, at.precise];
  lines[0].hidden = x === null || y === null;
  if (!lines[0].hidden) {
    lines[0].style.transform = `translate(${frame._size.l + frame.xaxis.d2p(x)}px, ${frame._size.t + frame.yaxis.d2p(y)}px)`;
  }
  const last = chart.key.startsWith("roc-") ? `${percent(at.alarms)} false alarms` : `${percent(at.precise)} of these so`;
  said.textContent = `At ${threshold.toFixed(2)}: ${percent(at.found)} found, ${last}`;
}

function put(entry, cuts) {
  const { place, chart, lines } = entry;
  const frame = place._fullLayout;
  if (!frame || !lines.length) return;
  if (chart.follows) {
    follow(entry, frame, cuts[chart.follows]);
    return;
  }
  const [x, y] = chart.cross.length ? chart.cross : [chart.line, null];
  const left = frame._size.l + frame.xaxis.d2p(cuts[x]);
  // Moved as layers of their own, so that what lies under them is not painted again.
  lines[0].style.height = `${frame._size.h}px`;
  lines[0].style.transform = `translate(${left}px, ${frame._size.t}px)`;
  if (y === null) return;
  const top = frame._size.t + frame.yaxis.d2p(cuts[y]);
  lines[1].style.width = `${frame._size.w}px`;
  lines[1].style.transform = `translate(${frame._size.l}px, ${top}px)`;
  lines[2].style.transform = `translate(${left}px, ${top}px)`;
}

function saying(chart) {
  return document.querySelector(`[data-follow="${chart.key}"]`);
}

/** Draw a chart where it can be seen; `cuts` says where its line stands. */
export async function draw(chart, cuts) {
  const place = document.getElementById(`plot-${chart.key}`);
  if (!place || !place.offsetParent || !window.Plotly) return;
  const figure = narrow(coloured(chart.figure), place);
  await Plotly.react(place, figure.data, figure.layout, { displayModeBar: false, responsive: true });
  const entry = { place, chart, lines: marks(place, chart), said: saying(chart), seen: true };
  drawn.set(chart.key, entry);
  place.removeAllListeners("plotly_afterplot");
  place.on("plotly_afterplot", () => put(entry, cuts));
  put(entry, cuts);
}

export function isDrawn(key) {
  return drawn.has(key);
}

/** Say anew which charts can be seen: asking the document at every move would make it lay out the page again. */
export function look() {
  for (const entry of drawn.values()) entry.seen = entry.place.offsetParent !== null;
}

/** Move the line of every chart that can be seen. */
export function move(cuts) {
  for (const entry of drawn.values()) if (entry.seen) put(entry, cuts);
}

/** Other heights of the bars of a chart, its other traces as they are. */
export function heights(key, values) {
  const entry = drawn.get(key);
  if (!entry?.seen) return;
  values.forEach((y, trace) => {
    entry.chart.figure.data[trace].y = y;
  });
  Plotly.restyle(entry.place, { y: values }, values.map((_, trace) => trace));
}
