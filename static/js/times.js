// A moment in words, in the reader's zone: "now", "12 min ago", "today 14:32", "yesterday 9:05", "28 Nov".
const GAP = "\u202f";
const DAY_MS = 86_400_000;

export function words(moment, now) {
  const minutes = Math.floor((now - moment) / 60_000);
  if (minutes < 1) return "now";
  if (minutes < 60) return `${minutes}${GAP}min ago`;
  const clock = moment.toLocaleTimeString("en-GB", { hour: "2-digit", minute: "2-digit" });
  const days = Math.round((midnight(now) - midnight(moment)) / DAY_MS);
  if (days === 0) return `today ${clock}`;
  if (days === 1) return `yesterday ${clock}`;
  const year = moment.getFullYear() === now.getFullYear() ? undefined : "numeric";
  return moment.toLocaleDateString("en-GB", { day: "numeric", month: "short", year });
}

function midnight(moment) {
  return new Date(moment.getFullYear(), moment.getMonth(), moment.getDate());
}

// A running time: 0:21.4 on the big clock, 3.6 s elsewhere.
export function clock(seconds) {
  const tenths = Math.floor(seconds * 10);
  const rest = String(Math.floor((tenths % 600) / 10)).padStart(2, "0");
  return `${Math.floor(tenths / 600)}:${rest}.${tenths % 10}`;
}

export function running(seconds) {
  if (seconds < 60) return `${seconds.toFixed(1)}${GAP}s`;
  return `${Math.floor(seconds / 60)}${GAP}m ${Math.floor(seconds % 60)}${GAP}s`;
}
