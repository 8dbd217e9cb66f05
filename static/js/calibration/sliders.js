// A slider and a typed value for each threshold; both say the same, and every change is told at once.

function number(text) {
  const plain = text.trim().replace(",", ".");
  const value = plain === "" ? Number.NaN : Number(plain);
  return Number.isFinite(value) && value >= 0 && value <= 1 ? value : null;
}

/** Wires the `.cut` blocks below `root`; `tell(name, cuts)` hears of every change. */
export class Sliders {
  constructor(root, tell) {
    this.cuts = {};
    this.tell = tell;
    this.parts = new Map();
    for (const block of root.querySelectorAll(".cut[data-axis]")) this.wire(block);
  }

  wire(block) {
    const name = block.dataset.axis;
    const slide = block.querySelector(".slide");
    const typed = block.querySelector(".typed");
    this.parts.set(name, { slide, typed, block });
    this.cuts[name] = number(typed.value) ?? Number(slide.value);
    slide.addEventListener("input", () => this.set(name, Number(slide.value), slide));
    typed.addEventListener("change", () => {
      const value = number(typed.value);
      typed.toggleAttribute("aria-invalid", value === null);
      if (value !== null) this.set(name, value, typed);
    });
    block.addEventListener("focusin", () => this.tell(name, this.cuts, false));
    block.addEventListener("pointerdown", () => this.tell(name, this.cuts, false));
  }

  set(name, value, from) {
    const { slide, typed } = this.parts.get(name);
    this.cuts[name] = value;
    if (from !== slide) slide.value = value;
    if (from !== typed) typed.value = value.toFixed(2);
    typed.removeAttribute("aria-invalid");
    this.tell(name, this.cuts, true);
  }

  all(values) {
    for (const [name, value] of Object.entries(values)) {
      if (this.parts.has(name)) this.set(name, value, null);
    }
  }

  mark(name) {
    for (const [each, { block }] of this.parts) block.classList.toggle("chosen", each === name);
  }
}
