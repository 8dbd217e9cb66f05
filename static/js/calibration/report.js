// The calibration page: every case decided anew while a threshold moves, from values that came once. No request.
import { away, confusion, curves, decide, wilson } from "./decide.js";
import { draw, heights, isDrawn, look, move, operating } from "./charts.js";
import { Sliders } from "./sliders.js";

const PAGE = 20;
const BINS = 25;
const SETTLED_MS = 120;

function percent(value) {
  return `${(100 * value).toFixed(1)} %`;
}

function share(value) {
  return value < 1 ? value.toFixed(2).slice(1) : "1";
}

/** A threshold as it is saved: two decimals at least, and all that were typed. */
function exact(value) {
  const text = String(value);
  return text.startsWith("0.") && text.length > 4 ? text.slice(1) : share(value);
}

function signed(value) {
  if (value === null) return "—";
  return `${value < 0 ? "−" : "+"}${share(Math.abs(value))}`;
}

class Page {
  constructor(root, charts, data) {
    this.root = root;
    this.charts = charts;
    this.data = data;
    this.axis = data.axes[0];
    const points = curves(data.marks);
    operating((name, threshold) => points[name]?.(threshold));
    this.filter = null;
    this.from = 0;
    this.sliders = new Sliders(root, (name, cuts, moved) => this.told(name, moved));
    this.before = decide(data, data.current);
    this.prices = this.readPrices();
    this.cellsOf = [...root.querySelectorAll("#confusion button")].map((button) => ({
      button,
      label: data.words.indexOf(button.dataset.label),
      decision: data.words.indexOf(button.dataset.decision),
    }));
    this.sums = [...root.querySelectorAll("#confusion [data-sum]")];
    this.figures = Object.fromEntries([...root.querySelectorAll("[data-figure]")].map((each) => [each.dataset.figure, each]));
    this.wire();
    this.sliders.mark(this.axis);
    this.show("threshold");
    this.decide();
    this.settle();
  }

  wire() {
    const { root } = this;
    for (const tab of root.querySelectorAll("[role='tab']")) tab.addEventListener("click", () => this.show(tab.id.slice(4)));
    root.querySelector("[role='tablist']").addEventListener("keydown", (event) => this.walk(event));
    for (const button of root.querySelectorAll("[data-to]")) {
      button.addEventListener("click", () => this.sliders.all(this.data[button.dataset.to]));
    }
    for (const button of root.querySelectorAll("[data-take]")) {
      button.addEventListener("click", () => this.sliders.all({ restriction: Number(button.dataset.take) }));
    }
    for (const cell of this.cellsOf) cell.button.addEventListener("click", () => this.choose(cell));
    document.getElementById("cases-all").addEventListener("click", () => this.choose(null));
    document.getElementById("case-before").addEventListener("click", () => this.turn(-PAGE));
    document.getElementById("case-after").addEventListener("click", () => this.turn(PAGE));
    document.getElementById("costs")?.addEventListener("input", () => {
      this.prices = this.readPrices();
      this.figure();
    });
    new MutationObserver(() => this.redraw(true)).observe(document.documentElement, { attributeFilter: ["data-theme"] });
    matchMedia("(prefers-color-scheme: light)").addEventListener("change", () => this.redraw(true));
  }

  walk(event) {
    const tabs = [...this.root.querySelectorAll("[role='tab']")];
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step) return;
    const next = tabs[(tabs.indexOf(document.activeElement) + step + tabs.length) % tabs.length];
    next.focus();
    next.click();
  }

  readPrices() {
    const prices = new Map();
    for (const field of document.querySelectorAll("#costs .price")) {
      const [, decision, label] = field.name.split("-");
      const value = Number(field.value);
      field.toggleAttribute("aria-invalid", !(value >= 0));
      if (value >= 0) prices.set(`${decision} ${label}`, value);
    }
    return prices;
  }

  /** A slider was moved, or another one is looked at. */
  told(name, moved) {
    if (name !== this.axis) {
      this.axis = name;
      this.sliders.mark(name);
      this.showAxis(false);
    }
    if (moved) {
      this.decide();
      move(this.sliders.cuts);
    }
    clearTimeout(this.later);
    this.later = setTimeout(() => this.settle(), SETTLED_MS);
  }

  decide() {
    this.decided = decide(this.data, this.sliders.cuts);
    this.table = confusion(this.data, this.decided);
    this.figure();
  }

  figure() {
    const { data, table, figures } = this;
    const cases = data.ids.length;
    const agreed = table.reduce((sum, row, label) => sum + row[label], 0);
    const [low, high] = wilson(agreed, cases);
    let flips = 0;
    for (let row = 0; row < cases; row += 1) flips += this.decided[row] !== this.before[row];
    figures.agreed.textContent = agreed.toLocaleString("en");
    figures.agreement.textContent = `${agreed} of ${cases}`;
    figures.interval.textContent = `${percent(agreed / cases)}, ${percent(low)} to ${percent(high)}`;
    figures.flips.textContent = flips;
    for (const { button, label, decision } of this.cellsOf) {
      const many = label < 0 || decision < 0 ? 0 : table[label][decision];
      button.querySelector("span").textContent = many;
      button.classList.toggle("none", many === 0);
      button.classList.toggle("unsafe", many > 0 && button.querySelector(".icon") !== null);
    }
    this.sums.forEach((place, column) => {
      const decision = this.cellsOf[column].decision;
      place.textContent = decision < 0 ? 0 : table.reduce((sum, row) => sum + row[decision], 0);
    });
    if (figures.cost) this.costs();
    if (data.menu && figures.recall) this.menu();
    for (const [name, value] of Object.entries(this.sliders.cuts)) {
      const field = document.querySelector(`#save input[name="cut-${name}"]`);
      if (field) field.value = String(value);
      const shown = document.querySelector(`#save [data-shown="${name}"]`);
      if (shown) shown.textContent = exact(value);
    }
  }

  /** What confidence shows: sums of all cases, made at every hundredth. */
  menu() {
    const { recall, size } = this.data.menu;
    const place = Math.round(this.sliders.cuts.confidence * (recall.length - 1));
    this.figures.recall.textContent = percent(recall[place]);
    this.figures.size.textContent = size[place].toFixed(2);
  }

  costs() {
    const { words } = this.data;
    let cost = 0;
    this.table.forEach((row, label) =>
      row.forEach((many, decision) => {
        cost += many * (this.prices.get(`${words[decision]} ${words[label]}`) ?? 0);
      }),
    );
    const [deny, allow] = [words.indexOf("deny"), words.indexOf("allow")];
    const unsafe = this.table[deny].reduce((sum, many) => sum + many, 0);
    this.figures.cost.textContent = cost.toLocaleString("en");
    this.figures.unsafe.textContent = `${this.table[deny][allow]} of ${unsafe}`;
  }

  /** What may come a moment later: the list of cases and the colours of the bars. */
  settle() {
    this.redraw(false);
    this.list();
    this.bars();
    const past = document.getElementById("to-past");
    if (past) {
      const query = Object.entries(this.sliders.cuts).map(([name, value]) => `cut-${name}=${value}`);
      past.href = `${past.pathname}?${query.join("&")}`;
    }
  }

  bars() {
    const key = `scores-${this.axis}`;
    if (!isDrawn(key)) return;
    const { values, reach } = this.data.marks[this.axis];
    const threshold = this.sliders.cuts[this.axis];
    const counts = [0, 1, 2, 3].map(() => new Array(BINS).fill(0));
    values.forEach((value, place) => {
      const up = reach[place];
      const trace = (up ? 0 : 2) + (value >= threshold === up ? 0 : 1);
      counts[trace][Math.min(Math.floor(value * BINS), BINS - 1)] += up ? 1 : -1;
    });
    heights(key, counts);
  }

  choose(cell) {
    this.filter = this.filter === cell ? null : cell;
    this.from = 0;
    for (const each of this.cellsOf) each.button.setAttribute("aria-pressed", each === this.filter);
    this.list();
    if (this.filter) document.getElementById("cases").scrollIntoView({ block: "nearest" });
  }

  turn(step) {
    this.from = Math.max(this.from + step, 0);
    this.list();
  }

  /** One page of cases, the nearest to the threshold first; only these are in the document. */
  list() {
    const { data, decided, filter } = this;
    const threshold = this.sliders.cuts[this.axis];
    const rows = [];
    for (let row = 0; row < data.ids.length; row += 1) {
      if (filter && (data.labels[row] !== filter.label || decided[row] !== filter.decision)) continue;
      rows.push([row, away(data, row, this.axis, threshold)]);
    }
    rows.sort((one, other) => Math.abs(one[1] ?? 2) - Math.abs(other[1] ?? 2));
    if (this.from >= rows.length) this.from = 0;
    const shown = rows.slice(this.from, this.from + PAGE);
    document.getElementById("case-rows").replaceChildren(...shown.map(([row, far]) => this.line(row, far)));
    const all = document.getElementById("cases-all");
    all.hidden = !filter;
    document.getElementById("cases-filter").textContent = filter
      ? `labelled ${filter.button.dataset.label}, decided ${filter.button.dataset.decision}`
      : `to ${this.axis.replaceAll("_", " ")} ${share(threshold)}; labels here pay most`;
    document.getElementById("case-count").textContent = rows.length
      ? `${this.from + 1} to ${this.from + shown.length} of ${rows.length}`
      : "no case";
    document.getElementById("case-before").disabled = this.from === 0;
    document.getElementById("case-after").disabled = this.from + PAGE >= rows.length;
  }

  line(row, far) {
    const { data, decided } = this;
    const line = document.createElement("tr");
    const head = document.createElement("th");
    head.scope = "row";
    const link = document.createElement("a");
    link.href = `${this.root.dataset.set}?find=${encodeURIComponent(data.ids[row])}`;
    link.textContent = data.ids[row];
    head.append(link);
    const word = decided[row] < 0 ? "not measured" : data.words[decided[row]];
    const told = [data.titles[row], data.words[data.labels[row]], word, signed(far)];
    const cells = told.map((text, place) => {
      const cell = document.createElement("td");
      cell.textContent = text;
      cell.dataset.head = ["", "label", "decided", "away"][place];
      return cell;
    });
    cells[2].classList.toggle("off", decided[row] !== data.labels[row]);
    cells[3].className = "num";
    line.append(head, ...cells);
    return line;
  }

  show(key) {
    this.tab = key;
    for (const tab of this.root.querySelectorAll("[role='tab']")) {
      const chosen = tab.id === `tab-${key}`;
      tab.setAttribute("aria-selected", chosen);
      tab.tabIndex = chosen ? 0 : -1;
    }
    for (const part of this.root.querySelectorAll(".part")) part.hidden = part.id !== `part-${key}`;
    this.showAxis(true);
  }

  showAxis(now) {
    for (const part of this.root.querySelectorAll("[data-of]")) part.hidden = part.dataset.of !== this.axis;
    look();
    move(this.sliders.cuts);
    if (now) this.redraw(false);
  }

  /** One chart after the other, so that no single piece of work is long; those that are there stay, unless `all`. */
  async redraw(all) {
    const turn = (this.turnOf = (this.turnOf ?? 0) + 1);
    for (const chart of this.charts) {
      if (turn !== this.turnOf) return;
      if (!all && isDrawn(chart.key)) continue;
      await draw(chart, this.sliders.cuts);
      await new Promise((done) => setTimeout(done));
    }
    if (turn === this.turnOf) this.bars();
  }
}

async function start(root) {
  const charts = JSON.parse(document.getElementById("charts-data").textContent);
  const reply = await fetch(root.dataset.values);
  if (!reply.ok) throw new Error(`the values did not come: ${reply.status}`);
  await document.fonts.ready;
  const page = new Page(root, charts, await reply.json());
  root.dataset.ready = "";
  return page;
}

function begin() {
  const root = document.getElementById("found");
  if (root?.dataset.values && !root.dataset.begun) {
    root.dataset.begun = "";
    start(root);
  }
}

begin();
document.addEventListener("htmx:after:swap", begin);
