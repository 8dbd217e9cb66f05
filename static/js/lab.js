// The policy lab: moving a threshold decides again from tables that the engine made. No request, no second rule book.

const source = document.getElementById("lab-data");

function share(value) {
  if (value === null || value === undefined) return "—";
  return value < 1 ? value.toFixed(2).replace(/^0/, "") : value.toFixed(2).replace(/\.00$/, "");
}

function signed(value) {
  return `${value < 0 ? "−" : "+"}${share(Math.abs(value))}`;
}

function make(tag, css, text) {
  const element = document.createElement(tag);
  if (css) element.className = css;
  if (text !== undefined) element.textContent = text;
  return element;
}

/** The number of the cell in which a threshold lies: (point before, point]. */
function cell(points, threshold) {
  let number = 0;
  while (number < points.length && points[number] < threshold) number += 1;
  return number;
}

/** The upper end of each cell, which belongs to it. */
function ends(points) {
  return points.length && points[points.length - 1] >= 1 ? points : [...points, 1];
}

class Lab {
  constructor(data) {
    this.data = data;
    this.cuts = { ...data.base };
    this.model = document.querySelector("#lab-decision .word .icon").cloneNode(true);
  }

  table(name) {
    return this.data.tables.find((table) => table.axes.some((axis) => axis.name === name)) ?? this.data.tables[0];
  }

  axis(name) {
    return this.table(name).axes.find((axis) => axis.name === name);
  }

  /** What the engine decides under these thresholds; null where nobody was asked what it would need. */
  decide(cuts, moved) {
    const table = this.table(moved);
    let place = 0;
    for (const axis of table.axes) place = place * ends(axis.points).length + cell(axis.points, cuts[axis.name]);
    const number = table.cells[place];
    return number === null ? null : table.decisions[number];
  }

  /** Where only one threshold at a time is known, the others go back to the profile. */
  move(name, value) {
    if (this.data.tables.length > 1) this.cuts = { ...this.data.base };
    this.cuts[name] = value;
    this.moved = name;
    this.show();
  }

  reset() {
    this.cuts = { ...this.data.base };
    this.show();
  }

  get changed() {
    return Object.keys(this.cuts).filter((name) => this.cuts[name] !== this.data.base[name]);
  }

  look(decision) {
    return decision === null ? this.data.unmeasured : this.data.looks[decision.look];
  }

  /** The rules that decide, and how each looks. */
  fired(decision) {
    if (decision === null) return new Map();
    if (!decision.decisions) return new Map([[decision.rule, this.look(decision)]]);
    return new Map(decision.decisions.map((each) => [each.rule, this.data.looks[each.action]]));
  }

  show() {
    const decision = this.decide(this.cuts, this.moved);
    const fired = this.fired(decision);
    this.showDecision(decision, fired);
    this.showRules(fired);
    for (const box of document.querySelectorAll("[data-cut]")) this.showCut(box);
    for (const meter of document.querySelectorAll("[data-tick]")) this.showMeter(meter);
    const again = document.getElementById("lab-again");
    again.hidden = this.changed.length === 0;
  }

  icon(name) {
    const icon = this.model.cloneNode(true);
    const use = icon.querySelector("use");
    use.setAttribute("href", use.getAttribute("href").replace(/#.*$/, `#${name}`));
    return icon;
  }

  showDecision(decision, fired) {
    const box = document.getElementById("lab-decision");
    const look = this.look(decision);
    box.dataset.tone = look.tone;
    box.querySelector(".word .icon").replaceWith(this.icon(look.icon));
    const rule = this.data.rules.find((each) => fired.get(each.id)?.word === look.word);
    const part = (name) => box.querySelector(`[data-${name}]`);
    part("word").textContent = look.word;
    part("headline").textContent = this.headline(decision, rule);
    part("says").textContent = this.says(decision, rule);
    part("rule-id").textContent = rule?.id ?? [...fired.keys()][0] ?? "";
    part("mode").textContent = decision?.mode ?? "—";
    part("target").hidden = !decision?.target;
    part("target-name").textContent = decision?.target ?? "";
    part("chosen").replaceChildren(...this.chips(decision));
  }

  headline(decision, rule) {
    if (decision === null) return "It takes a new request to know";
    if (!rule) return "No rule fires.";
    if (rule.measured === null || !rule.cut) return rule.says;
    return `${rule.what} ${share(rule.measured)}, threshold ${share(this.cuts[rule.cut])}`;
  }

  says(decision, rule) {
    if (decision === null) return "Under these thresholds the engine asks something that the judge was not asked.";
    return rule && rule.says !== this.headline(decision, rule) ? rule.says : "";
  }

  chips(decision) {
    const chip = (each, alternative) => {
      const item = make("li", alternative ? "chip" : "chip set");
      item.append(make("code", "", each.id), ` ${share(each.probability)}`);
      if (alternative) item.append(" ", make("span", "faint", "alternative"));
      return item;
    };
    const more = decision?.expand ?? [];
    return [...(decision?.selected ?? []).map((each) => chip(each, false)), ...more.map((each) => chip(each, true))];
  }

  showRules(fired) {
    for (const row of document.querySelectorAll("[data-rule]")) {
      const rule = this.data.rules.find((each) => each.id === row.dataset.rule);
      const look = fired.get(row.dataset.rule);
      row.classList.toggle("hit", Boolean(look));
      const result = look ? make("span", `state ${look.tone}`) : make("span", "faint", "no");
      if (look) result.append(this.icon(look.icon), look.word);
      row.querySelector("[data-result]").replaceChildren(result);
      if (!rule?.cut) continue;
      for (const text of row.querySelectorAll("[data-threshold]")) text.textContent = share(this.cuts[rule.cut]);
      if (rule.measured !== null) {
        row.querySelector("[data-margin]").textContent = signed(rule.measured - this.cuts[rule.cut]);
      }
    }
  }

  showMeter(meter) {
    const name = meter.dataset.tick;
    if (!(name in this.cuts)) return;
    meter.style.setProperty("--t", this.cuts[name]);
    if (meter.dataset.value === undefined) return;
    const below = Boolean(meter.closest("[data-cut]")?.dataset.below);
    const reached = Number(meter.dataset.value) >= this.cuts[name];
    meter.classList.toggle("fires", below ? !reached : reached);
  }

  showCut(box) {
    const name = box.dataset.cut;
    if (!(name in this.cuts)) return;
    const [slider, field] = [box.querySelector("[type='range']"), box.querySelector("[type='number']")];
    slider.value = this.cuts[name];
    slider.setAttribute("aria-valuetext", `${box.querySelector("label").textContent} ${share(this.cuts[name])}`);
    if (document.activeElement !== field) field.value = String(this.cuts[name]);
    box.querySelector(".flips").replaceChildren(...this.stretches(name));
  }

  /** The way of one threshold from 0 to 1, the others as they stand: what is decided, up to where. */
  stretches(name) {
    const base = this.data.tables.length > 1 ? this.data.base : this.cuts;
    const found = [];
    for (const end of ends(this.axis(name).points)) {
      const decision = this.decide({ ...base, [name]: end }, name);
      const last = found[found.length - 1];
      if (last && last.decision === decision) last.end = end;
      else found.push({ decision, end });
    }
    return found.map((each) => this.stretch(name, each));
  }

  stretch(name, { decision, end }) {
    const item = make("li");
    item.append(make("span", `tone-${this.look(decision).tone}`, decision?.word ?? this.data.unmeasured.word));
    if (end >= 1) return item;
    const jump = make("button", "", `up to ${share(end)}`);
    jump.type = "button";
    jump.title = `${end}: set the threshold exactly there`;
    jump.addEventListener("click", () => this.move(name, end));
    item.append(jump);
    return item;
  }
}

function wireCut(lab, box) {
  const name = box.dataset.cut;
  const [slider, field] = [box.querySelector("[type='range']"), box.querySelector("[type='number']")];
  if (!slider) return;
  slider.addEventListener("input", () => lab.move(name, Number(slider.value)));
  slider.addEventListener("keydown", (event) => {
    const steps = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1, PageUp: 10, PageDown: -10 };
    const step = steps[event.key];
    if (!step) return;
    event.preventDefault();
    lab.move(name, Math.min(Math.max(Math.round(lab.cuts[name] * 100 + step) / 100, 0), 1));
  });
  field.addEventListener("input", () => {
    const value = Number(field.value);
    const valid = field.value.trim() !== "" && value >= 0 && value <= 1;
    if (valid) field.removeAttribute("aria-invalid");
    else field.setAttribute("aria-invalid", "true");
    if (valid) lab.move(name, value);
  });
  field.addEventListener("blur", () => {
    field.removeAttribute("aria-invalid");
    lab.showCut(box);
  });
}

/** Thresholds that were moved are kept behind the # of the address: nobody is asked for them. */
function wireAddress(lab) {
  const link = document.getElementById("take-link");
  const address = link?.textContent ?? "";
  const show = lab.show.bind(lab);
  lab.show = () => {
    show();
    const moved = new URLSearchParams(lab.changed.map((name) => [name, String(lab.cuts[name])])).toString();
    history.replaceState(null, "", moved ? `#${moved}` : location.pathname + location.search);
    if (link) link.textContent = moved ? `${address}#${moved}` : address;
  };
  for (const [name, text] of new URLSearchParams(location.hash.slice(1))) {
    const value = Number(text);
    if (name in lab.cuts && text !== "" && value >= 0 && value <= 1) lab.move(name, value);
  }
}

function wireCopies() {
  for (const button of document.querySelectorAll("[data-copy]")) {
    const words = button.querySelector("span");
    const text = document.getElementById(button.dataset.copy);
    button.addEventListener("click", async () => {
      try {
        await navigator.clipboard.writeText(text.textContent);
        words.textContent = "Copied";
      } catch {
        getSelection().selectAllChildren(text);
        words.textContent = "Selected";
      }
      setTimeout(() => { words.textContent = "Copy"; }, 3000);
    });
  }
}

function wireJudge() {
  const judge = document.getElementById("judge");
  judge?.addEventListener("change", () => {
    for (const about of document.querySelectorAll("[data-about]")) about.hidden = about.dataset.about !== judge.value;
    const leaves = judge.selectedOptions[0].dataset.leaves;
    for (const line of document.querySelectorAll("p [data-leaves]")) line.hidden = line.dataset.leaves !== leaves;
  });
}

/** A busy button keeps its place and says what it does; a second click would be a second request. */
function wireAsking() {
  const button = document.querySelector("form[method='post'] [data-key='run']");
  const words = button?.querySelector("[data-words]");
  if (!words) return;
  button.form.addEventListener("submit", () => {
    words.textContent = "Asking the judge";
    setTimeout(() => { button.disabled = true; });
  });
  addEventListener("pageshow", () => {
    words.textContent = "Ask the judge";
    button.disabled = false;
  });
}

/** Where the result stands below the request, whoever opens it wants to see it. */
function showResult() {
  const result = document.getElementById("lab-result");
  if (document.getElementById("lab-decision") && matchMedia("(max-width: 899px)").matches) result.scrollIntoView();
}

if (source) {
  const lab = new Lab(JSON.parse(source.textContent));
  for (const box of document.querySelectorAll("[data-cut]")) wireCut(lab, box);
  document.getElementById("lab-reset").addEventListener("click", () => lab.reset());
  wireAddress(lab);
  lab.show();
  document.getElementById("lab-decision").dataset.live = "";
}
wireCopies();
wireJudge();
wireAsking();
showResult();
