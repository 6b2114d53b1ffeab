// The board page, live: follows the game, goes through its past, pans and zooms. Everything is drawn by the server.

const board = document.getElementById("board");
const status = document.getElementById("status");
const words = document.getElementById("words").dataset;
const top_ = () => document.getElementById("top").dataset;
const kept = { // nothing, where the browser keeps nothing
  get: (name) => { try { return JSON.parse(localStorage.getItem(name)); } catch { return null; } },
  set: (name, value) => { try { localStorage.setItem(name, JSON.stringify(value)); } catch { /* it is asked anew next time */ } },
};

// -- the clock ----------------------------------------------------------------------------------------

let ahead = 0; // milliseconds by which this machine's clock is ahead of the server's
const units = [["d", 86400], ["h", 3600], ["min", 60], ["s", 1]];

// A span in at most two units, as the server writes it; seconds in the last ten minutes.
function span(seconds) {
  let left = Math.floor(Math.abs(seconds));
  if (left >= 600) left = Math.ceil(left / 60) * 60;
  const first = Math.max(0, units.findIndex(([, size]) => left >= size)), parts = [];
  for (const [name, size] of left ? units.slice(first, first + 2) : units.slice(3)) {
    const number = Math.floor(left / size);
    left %= size;
    if (number || !parts.length) parts.push(`${number} ${name}`);
  }
  return (seconds < 0 ? "−" : "") + parts.join(" ");
}

// Budgets count by themselves, from the moment at which each is used up.
function count() {
  for (const shown of document.querySelectorAll("#times [data-out]")) {
    const {out, rest, fine} = shown.dataset, left = Number(out) - Number(rest) - (Date.now() - ahead) / 1000;
    const due = left < 0 ? Number(fine) * Math.ceil(-left / 60) : 0;
    shown.textContent = span(left) + (due ? ` (−${due})` : "");
  }
}
setInterval(count, 1000);
count();

// -- showing ------------------------------------------------------------------------------------------

let wanted = null; // the record that is shown; null follows the game
let isDragged = false;
let loading = null, again = false;
let newest = ""; // the stamp that the stream told last
let present = ""; // that of the present as it was shown last
let isLost = false;
let ended = ""; // why this link opens nothing any more

const rules = {
  childrenOnly: true,
  onBeforeElUpdated(from, to) {
    if (from.isEqualNode(to)) return false;
    if (from.id === "map") { // keeps its zoom, which stands in its style
      morphdom(from, to, rules);
      return false;
    }
    if (from.id === "slider" && isDragged) return false;
    if (from.tagName === "DETAILS") to.open = from.open;
    if (from.tagName === "INPUT" && from.type === "checkbox") to.checked = from.checked;
    if (from.id === "act") from.dataset.plays = to.dataset.plays;
    if (from.hasAttribute("data-own") || ["preview", "tried", "ways"].includes(from.id)) return false;
    if (from.classList.contains("hit")) {
      to.setAttribute("tabindex", from.getAttribute("tabindex"));
      for (const name of ["legal", "chosen", "reached"]) if (from.classList.contains(name)) to.classList.add(name);
    }
    return true;
  },
};

// What stands above everything: that nothing new can come, or that something new waits.
function report() {
  const text = ended || (isLost ? words.lost : wanted !== null && newest && newest !== present ? `${words.new} ▶` : "");
  status.textContent = text;
  status.hidden = !text;
}

// Fetches what is wanted, one at a time; what is asked for meanwhile comes after.
async function show() {
  if (loading) { again = true; return loading; }
  loading = (async () => {
    do {
      again = false;
      const answer = await fetch(`board?${shownHow(wanted === null ? {} : {at: wanted})}`, {headers: {"X-Signalbox": "1"}});
      const text = await answer.text();
      ahead = Date.now() - (Date.parse(answer.headers.get("Date")) || Date.now());
      if (!answer.ok) { refused(answer.status, text); return; }
      morphdom(board, `<div>${text}</div>`, rules);
      shown();
    } while (again);
  })();
  try { await loading; } catch { later(); } finally { loading = null; }
}

// A link that is withdrawn stays so; a server that is busy or away comes back.
function refused(code, sentence) {
  if (code !== 403 && code !== 404) { later(); return; }
  ended = sentence || words.gone;
  stream.close();
  report();
}

function titled() {
  const isAsked = document.getElementById("act").dataset.asked === "yes";
  const icon = document.getElementById("icon");
  const title = document.querySelector("h1").textContent.trim();
  const question = document.getElementById("question").textContent.trim();
  document.title = isAsked ? `▶ ${words.turn} · ${title}` : `${question.split(":")[0]} · ${title}`;
  icon.href = isAsked ? icon.dataset.turn : icon.dataset.plain;
}

let standing = ""; // the position to which what is drawn beside the page's own parts belongs

function shown() {
  if (!top_().past || !present) present = top_().stamp;
  const query = wanted === null ? "" : `?at=${wanted}`;
  if (location.search !== query) history.replaceState(null, "", location.pathname + query);
  if (!isDragged) document.getElementById("slider").value = top_().at;
  titled();
  report();
  const here = `${top_().stamp} ${top_().at}`;
  if (here !== standing) { standing = here; hide(); runsOf.clear(); tiles(); }
  const round = document.querySelector("#rounds [aria-current]") || document.querySelector("#rounds li:last-child");
  if (round) round.closest("ul").scrollLeft = round.offsetLeft - round.closest("ul").clientWidth / 2;
  rove();
  document.dispatchEvent(new Event("shown"));
}
document.addEventListener("asked", () => { titled(); rove(); });

// -- following ----------------------------------------------------------------------------------------

const FIRST = 1, LONGEST = 20; // seconds until it is tried again, each time longer than before
let stream = null, waits = FIRST, waiting = null;

const isShown = () => (wanted === null ? newest === top_().stamp && !top_().past : top_().at === String(wanted));

function follow() {
  stream?.close();
  clearTimeout(waiting);
  stream = new EventSource("stream");
  stream.onmessage = (event) => {
    newest = event.data;
    isLost = false;
    waits = FIRST;
    report();
    if (!isShown()) show();
  };
  // The board says whether the link is still good.
  stream.onerror = () => { later(); show(); };
}

function later() {
  stream.close();
  clearTimeout(waiting);
  isLost = true;
  report();
  waiting = setTimeout(() => { if (!document.hidden && !ended) follow(); }, waits * (500 + 1000 * Math.random()));
  waits = Math.min(1.3 * waits, LONGEST);
}

// A browser keeps few streams open to one host: hidden tabs do without.
document.addEventListener("visibilitychange", () => {
  if (document.hidden) stream.close(); else if (!ended) follow();
});
// What was done beside the map shows at once, should the stream be late.
document.addEventListener("moved", () => { if (!ended) show(); });

// -- the past -----------------------------------------------------------------------------------------

function go(record) {
  const last = Math.max(top_().version, newest.split(".")[0]);
  wanted = record === null || record >= last ? null : Math.max(0, record);
  document.getElementById("number").textContent = `${wanted ?? last} / ${last}`;
  report();
  return show();
}

const recordOf = (link) => { const at = new URL(link.href).searchParams.get("at"); return at === null ? null : Number(at); };

board.addEventListener("click", (event) => {
  const link = event.target.closest("a[href^='?']");
  if (!link || event.ctrlKey || event.metaKey) return;
  event.preventDefault();
  go(recordOf(link));
});
board.addEventListener("submit", (event) => { if (event.target.method === "get") event.preventDefault(); });
board.addEventListener("input", (event) => {
  if (event.target.id === "slider") { isDragged = true; go(Number(event.target.value)); }
});
board.addEventListener("change", (event) => {
  if (event.target.id === "slider") { isDragged = false; go(Number(event.target.value)); }
  if (event.target.dataset.toggle) kept.set(`toggle ${event.target.dataset.toggle}`, event.target.checked);
  if (event.target.dataset.drawn !== undefined) show();
});
status.addEventListener("click", () => { if (wanted !== null) go(null); });

// -- toggles and keys -----------------------------------------------------------------------------------

// What the server draws otherwise for whoever wishes it, beside what is asked for.
function shownHow(query) {
  return new URLSearchParams({...query, ...Object.fromEntries([...document.querySelectorAll("[data-drawn]:checked")].map((box) => [box.name, box.value]))});
}
for (const box of document.querySelectorAll("[data-toggle]")) box.checked = kept.get(`toggle ${box.dataset.toggle}`) ?? box.checked;

const switches = {s: "start", d: "players"};
const views = {m: "mapped", p: "players", c: "companies", k: "prices", t: "trains", l: "logged", a: "act"};

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest("input:not([type=checkbox]), textarea, select")) return;
  const hit = event.target.closest(".hit");
  if (event.key.startsWith("Arrow") && hit) { event.preventDefault(); neighbour(hit, event.key)?.focus(); return; }
  if ((event.key === "Enter" || event.key === " ") && hit) { event.preventDefault(); choose(hit); return; }
  const at = Number(top_().at);
  if (event.key === "ArrowLeft") go(at - 1);
  else if (event.key === "ArrowRight") go(at + 1);
  else if (event.key === "Home") go(0);
  else if (event.key === "End") go(null);
  else if (switches[event.key]) document.querySelector(`[data-drawn][name="${switches[event.key]}"]`).click();
  else if (views[event.key]) document.getElementById(views[event.key])?.scrollIntoView();
  else return;
  event.preventDefault();
});

// One space of the map takes part in the order of tabs; arrows go on from there.
function rove() {
  const hits = [...document.querySelectorAll(".hit")], now = hits.find((hit) => hit.tabIndex === 0);
  const legal = hits.find((hit) => hit.classList.contains("legal"));
  if (now && (now === document.activeElement || !legal || now.classList.contains("legal"))) return;
  now?.setAttribute("tabindex", "-1");
  (legal || hits[0])?.setAttribute("tabindex", "0");
}

function neighbour(hit, key) {
  const middle = (one) => { const box = one.getBoundingClientRect(); return [box.x + box.width / 2, box.y + box.height / 2]; };
  const [x, y] = middle(hit);
  const [dx, dy] = {ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1]}[key];
  let best = null, least = Infinity;
  for (const other of document.querySelectorAll(".hit")) {
    const [ox, oy] = middle(other), along = (ox - x) * dx + (oy - y) * dy, aside = Math.abs((ox - x) * dy) + Math.abs((oy - y) * dx);
    if (along > 1 && along + 2 * aside < least) { best = other; least = along + 2 * aside; }
  }
  if (best) { hit.setAttribute("tabindex", "-1"); best.setAttribute("tabindex", "0"); }
  return best;
}

// -- routes of companies, tiles ---------------------------------------------------------------------------

const at = () => `at=${top_().at}`;

const runsOf = new Map(); // what was asked about the present position
let pinned = ""; // whose routes stay drawn: chosen by a tap
let under = "", lit = ""; // the company on whose row the pointer is; the one that was pointed at or had the focus last
let drawing = null; // the answer that is drawn, or will be as soon as it is there

function runs(path) {
  if (!runsOf.has(path)) {
    const found = fetch(`${path.split("/").map(encodeURIComponent).join("/")}?${at()}`, {headers: {"X-Signalbox": "1"}})
      .then(async (answer) => ({isGood: answer.ok, text: await answer.text()}))
      .catch(() => ({isGood: false, text: words.lost}))
      .then((answer) => { if (!answer.isGood && runsOf.get(path) === found) runsOf.delete(path); return answer; });
    runsOf.set(path, found);
  }
  return runsOf.get(path);
}

// Lines of the routes and the spaces in reach, on the map.
function draw(text) {
  const found = new DOMParser().parseFromString(`<body>${text}`, "text/html");
  const lines = found.querySelector("[data-lines]"), reach = new Set(found.querySelector("[data-reach]")?.dataset.reach.split(" "));
  document.getElementById("ways").replaceChildren(...(lines ? [...lines.childNodes].map((node) => document.adoptNode(node)) : []));
  for (const hit of document.querySelectorAll(".hit")) hit.classList.toggle("reached", reach.has(hit.dataset.hex));
}

// The routes of the company that is lit, else of the one that is pinned.
async function light(company) {
  lit = company;
  const path = lit && lit !== pinned.split("/")[1] ? `last/${lit}` : pinned;
  const found = path ? runs(path) : null;
  if (found === drawing) return;
  drawing = found;
  const answer = await found;
  if (found === drawing) draw(answer?.isGood ? answer.text : "");
}

function hide() {
  pinned = under = "";
  light("");
  document.getElementById("routes").replaceChildren();
}

board.addEventListener("click", async (event) => {
  const button = event.target.closest("[data-runs], [data-no-routes]");
  if (!button) return;
  const path = button.dataset.runs;
  if (!path) { hide(); return; }
  pinned = path;
  light(lit);
  const {isGood, text} = await runs(path);
  if (pinned !== path) return;
  const said = document.getElementById("routes");
  if (isGood) said.innerHTML = text; else said.textContent = text;
  said.scrollIntoView({block: "nearest"});
});

// Pointer and focus: whichever moved last. A page that scrolls beneath a pointer that rests has not been pointed at.
const rowOf = (one) => one?.closest("[data-company]")?.dataset.company || "";

document.addEventListener("pointermove", (event) => {
  const row = event.pointerType === "touch" ? "" : rowOf(event.target);
  if (row === under) return;
  under = row;
  light(row || rowOf(document.activeElement));
});
document.addEventListener("focusin", (event) => light(rowOf(event.target) || under));

// The manifest is drawn for whoever opens it, and anew when the position is another one.
async function tiles() {
  if (!document.getElementById("manifest").open) return;
  const then = at();
  try {
    const answer = await fetch(`tiles?${then}`, {headers: {"X-Signalbox": "1"}}), text = await answer.text();
    if (answer.ok && then === at()) document.getElementById("drawn").innerHTML = text;
  } catch { later(); }
}
board.addEventListener("toggle", (event) => { if (event.target.id === "manifest") tiles(); }, true);

// -- the map ------------------------------------------------------------------------------------------

const map = document.getElementById("map");
const place = `zoom ${document.querySelector("h1 small").textContent}`;
const pan = Panzoom(map, {maxScale: 10, minScale: 1, contain: "outside", panOnlyWhenZoomed: true, touchAction: "pan-y", cursor: "default", step: 1});
const gently = {step: 0.3}; // a pinch needs longer steps than a wheel or a button
let pressed = null;

// Until it is zoomed, a finger on the map scrolls the page.
function settled() {
  map.style.touchAction = pan.getScale() > 1.01 ? "none" : "pan-y";
  kept.set(place, {scale: pan.getScale(), ...pan.getPan()});
}
map.addEventListener("panzoomend", settled);
map.addEventListener("panzoomzoom", settled);
document.getElementById("pan").addEventListener("wheel", (event) => pan.zoomWithWheel(event, gently), {passive: false});
board.addEventListener("click", (event) => {
  const button = event.target.closest("[data-zoom]");
  if (button) ({in: pan.zoomIn, out: pan.zoomOut, reset: () => pan.reset()})[button.dataset.zoom](gently);
});
map.addEventListener("pointerdown", (event) => { pressed = [event.clientX, event.clientY]; });
map.addEventListener("click", (event) => {
  const hit = event.target.closest(".hit");
  const wasDragged = pressed && Math.hypot(event.clientX - pressed[0], event.clientY - pressed[1]) > 8;
  if (hit && !wasDragged) choose(hit);
});

function choose(hit) {
  for (const other of document.querySelectorAll(".hit.chosen")) other.classList.remove("chosen");
  hit.classList.add("chosen");
  document.getElementById("space").textContent = hit.getAttribute("aria-label");
  document.dispatchEvent(new CustomEvent("chosen", {detail: hit.dataset.hex}));
}

const before = kept.get(place);
if (before && before.scale > 1) { pan.zoom(before.scale); setTimeout(() => pan.pan(before.x, before.y)); }
const asked = new URL(location.href).searchParams.get("at");
if (asked !== null && top_().past) wanted = Number(asked);
shown();
if ([...document.querySelectorAll("[data-drawn]")].some((box) => box.checked !== box.defaultChecked)) show();
follow();
