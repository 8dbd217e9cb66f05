// Draws the chart of the usage page from its data and the tokens of the page; again when the theme changes.
/* global Plotly */

const place = document.getElementById("usage-chart");
const source = document.getElementById("usage-data");

function token(name) {
  return getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
}

// Bars differ by lightness, outline and pattern: every colour vision reads them.
function look(style) {
  const ink = token("ink");
  const panel = token("panel");
  const line = (color) => ({ color, width: 1.5 });
  if (style === "quiet") return { color: token("quiet"), line: line(token("quiet")) };
  if (style === "outlined") return { color: panel, line: line(ink) };
  if (style === "dotted") {
    return { color: panel, line: line(ink), pattern: { shape: ".", fgcolor: ink, bgcolor: panel, size: 6, solidity: 0.4 } };
  }
  return { color: ink, line: line(ink) };
}

function traces(data) {
  const value = data.money ? "$%{y:.6~f}" : "%{y:,}";
  return data.series.map((series) => ({
    type: "bar",
    name: series.name,
    x: data.days,
    y: series.values,
    marker: look(series.style),
    hovertemplate: `%{x|%-d %b %Y}<br>${value}<extra>%{fullData.name}</extra>`,
  }));
}

function layout(data) {
  const text = { family: "Instrument Sans, system-ui, sans-serif", size: 14, color: token("ink-3") };
  const narrow = place.clientWidth < 640;
  return {
    barmode: "stack",
    bargap: 0.28,
    font: text,
    paper_bgcolor: "rgba(0,0,0,0)",
    plot_bgcolor: "rgba(0,0,0,0)",
    margin: { l: 8, r: 8, t: 8, b: 8 },
    showlegend: true,
    legend: { orientation: "h", x: 0, y: -0.16, yanchor: "top", traceorder: "normal", itemclick: false, itemdoubleclick: false },
    hoverlabel: { bgcolor: token("panel"), bordercolor: token("line"), font: { ...text, color: token("ink") } },
    xaxis: { type: "date", tickformat: "%-d %b", nticks: Math.min(data.days.length, narrow ? 4 : 8), showgrid: false, zeroline: false, automargin: true, fixedrange: true },
    yaxis: { gridcolor: token("grid"), zeroline: true, zerolinecolor: token("edge"), zerolinewidth: 1.5, rangemode: "tozero", tickformat: data.money ? "$,.6~f" : "~s", nticks: 5, automargin: true, fixedrange: true },
  };
}

function draw(data) {
  Plotly.react(place, traces(data), layout(data), { displayModeBar: false, responsive: true, staticPlot: false });
}

function start() {
  const data = JSON.parse(source.textContent);
  draw(data);
  new MutationObserver(() => draw(data)).observe(document.documentElement, { attributeFilter: ["data-theme"] });
  matchMedia("(prefers-color-scheme: light)").addEventListener("change", () => draw(data));
}

if (place && source && window.Plotly) document.fonts.ready.then(start);
