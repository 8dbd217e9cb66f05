// What becomes of measured cases at other thresholds: the rules of a call, and tables of the engine for all else.

export const UNMEASURED = -1;
const [DENY, ASK, ALLOW] = [0, 1, 2];

/** The number of the cell in which a threshold lies: (point before, point]. */
export function cell(points, threshold) {
  let low = 0;
  let high = points.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (points[middle] < threshold) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** How many cells an axis has: one more than points, unless the last point is the end. */
export function size(points) {
  return points.length && points[points.length - 1] >= 1 ? points.length : points.length + 1;
}

/** A call: denied, else asked about, else allowed (seed 000, Tool-call assessment). */
function calls([violates, missing, matches], cuts) {
  const decided = new Int32Array(violates.length);
  const { restriction, missing_information: information, task_match: match } = cuts;
  for (let row = 0; row < decided.length; row += 1) {
    if (violates[row] >= restriction) decided[row] = DENY;
    else if (missing[row] >= information || matches[row] < match) decided[row] = ASK;
    else decided[row] = ALLOW;
  }
  return decided;
}

function looked(cells, axes, cuts) {
  const decided = new Int32Array(cells.length);
  cells.forEach((one, row) => {
    if (one === null) {
      decided[row] = UNMEASURED;
      return;
    }
    let place = 0;
    one.points.forEach((points, axis) => {
      place = place * size(points) + cell(points, cuts[axes[axis]]);
    });
    decided[row] = one.cells[place];
  });
  return decided;
}

/** The decision of every case as a place in `data.words`. */
export function decide(data, cuts) {
  return data.cells ? looked(data.cells, data.axes, cuts) : calls(data.values, cuts);
}

/** How many cases of each label got each decision: `table[label][decision]`. */
export function confusion(data, decided) {
  const table = data.words.map(() => new Array(data.words.length).fill(0));
  for (let row = 0; row < decided.length; row += 1) {
    if (decided[row] >= 0) table[data.labels[row]][decided[row]] += 1;
  }
  return table;
}

/** Wilson's 95 % interval of a share. */
export function wilson(hits, cases) {
  if (!cases) return [0, 1];
  const z = 1.959963984540054;
  const rate = hits / cases;
  const scale = 1 + (z * z) / cases;
  const middle = (rate + (z * z) / (2 * cases)) / scale;
  const half = (z * Math.sqrt((rate * (1 - rate)) / cases + (z * z) / (4 * cases * cases))) / scale;
  return [middle - half, middle + half];
}

/** Per threshold a function of its value: which share of each side reaches it, and how many of these belong there. */
export function curves(marks) {
  const found = {};
  for (const [name, { values, reach }] of Object.entries(marks)) {
    const sides = [true, false].map((up) => Float64Array.from(values.filter((_, place) => reach[place] === up)).sort());
    const [so, other] = sides;
    found[name] = (threshold) => {
      const [hits, alarms] = sides.map((side) => side.length - cell(side, threshold));
      return {
        found: so.length ? hits / so.length : null,
        alarms: other.length ? alarms / other.length : null,
        precise: hits + alarms ? hits / (hits + alarms) : null,
      };
    };
  }
  return found;
}

/** How far a case is from the threshold of one axis, by the nearest of its values; null where it has none. */
export function away(data, row, axis, threshold) {
  const place = data.axes.indexOf(axis);
  const values = data.cells ? data.cells[row]?.points[place] ?? [] : [data.values[place][row]];
  let nearest = null;
  for (const value of values) {
    if (nearest === null || Math.abs(value - threshold) < Math.abs(nearest)) nearest = value - threshold;
  }
  return nearest;
}

/** A past decision at thresholds: its word, or null where nobody was asked what it would need. */
export function again(past, cuts) {
  const moved = past.tables.filter((table) =>
    table.axes.some((axis) => cell(axis.points, cuts[axis.name]) !== cell(axis.points, past.base[axis.name])),
  );
  if (moved.length > 1) return null;
  const table = moved[0] ?? past.tables[0];
  let place = 0;
  for (const axis of table.axes) place = place * size(axis.points) + cell(axis.points, cuts[axis.name]);
  const number = table.cells[place];
  return number === null || number === undefined ? null : past.words[number];
}
