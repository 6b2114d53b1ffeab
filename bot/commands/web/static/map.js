// @ts-check
// The map: zoomed by hand, or to the hexes in question; its hexes chosen by tap or key; routes drawn over it.

import {LEAST_LABEL, LEAST_WHOLE, label, middle, neighbour as nextTo, shift, view} from "./geometry.js";
import {element, kept, request, seen, tell} from "./net.js";
import {isDrawing, pencil} from "./pencil.js";

const board = element("board");
const map = element("map");
const pane = element("pan");
const place = `zoom ${document.querySelector("h1 small")?.textContent}`;
// @ts-ignore: a script of its own
const pan = Panzoom(map, {maxScale: 10, minScale: 1, contain: "outside", panOnlyWhenZoomed: true, touchAction: "pan-y", cursor: "default", step: 1});
const gently = {step: 0.3}; // a pinch needs longer steps than a wheel or a button
const TOOLS = 56; // pixels of the map's foot on a narrow screen that its buttons stand on
const isNarrow = matchMedia("(max-width: 1099px)");
let isFresh = true; // nothing has been zoomed to yet
let isHeld = false; // while stops are tapped the map stays where it is
let aim = ""; // what the page has zoomed to: "move", or nothing where the reader has chosen the zoom
/** @type {number[] | null} */
let pressed = null;

/** @returns {SVGPolygonElement[]} */
export const hits = () => /** @type {SVGPolygonElement[]} */ ([...document.querySelectorAll(".hit")]);
const legalHits = () => hits().filter((hit) => hit.classList.contains("legal"));
const chosenHits = () => hits().filter((hit) => hit.classList.contains("chosen"));

// -- where the map is ---------------------------------------------------------------------------------

/** Pixels for a unit of the drawing, while the map is not zoomed. */
function unit() {
  const {width, height} = /** @type {any} */ (map).viewBox.baseVal;
  return Math.min(map.clientWidth / width, map.clientHeight / height);
}

/**
 * A hex in pixels from the middle of the map that is not zoomed.
 * @param {SVGPolygonElement} hit
 */
function boxOf(hit) {
  const box = hit.getBBox(), at = hit.transform.baseVal.consolidate()?.matrix ?? {e: 0, f: 0}, k = unit();
  const {x, y, width, height} = /** @type {any} */ (map).viewBox.baseVal;
  return {x: (box.x + at.e - x - width / 2) * k, y: (box.y + at.f - y - height / 2) * k, width: box.width * k, height: box.height * k};
}

/** @param {SVGPolygonElement[]} about */
function look(about) {
  const {scale, at} = view(about.map(boxOf), {width: pane.clientWidth, height: pane.clientHeight});
  pan.zoom(scale, {animate: false, contain: undefined});
  centre(at, scale);
}

/**
 * @param {{x: number, y: number}} at
 * @param {number} scale
 */
function centre(at, scale) {
  const {x, y} = shift(at, scale, {width: map.clientWidth, height: map.clientHeight}, isNarrow.matches ? TOOLS : 0);
  // Panzoom's own limits would measure the map as it was drawn last.
  pan.pan(x, y, {animate: false, force: true, contain: undefined});
}

/** Whether the whole map is too small to decide on: on a narrow screen, and where it has very many hexes. */
const isSmall = () => isNarrow.matches || (hits().length > 0 && boxOf(hits()[0]).width < LEAST_WHOLE);

/** Hexes in question are seen where the whole map is too small: those that are chosen, else those that can be. */
export function aimed() {
  if (!pane.clientHeight || isHeld || !isSmall()) return;
  const chosen = chosenHits(), legal = legalHits();
  if (chosen.length) bring(chosen);
  else if (legal.length && (isFresh || aim === "move" || pan.getScale() < 1.01)) { aim = "move"; isFresh = false; look(legal); }
  else if (!legal.length && aim === "move") { aim = ""; pan.reset({animate: false}); }
}

/**
 * The last of these hexes is moved into view, and made large enough to be read.
 * @param {SVGPolygonElement[]} about
 */
function bring(about) {
  const last = /** @type {SVGPolygonElement} */ (about.at(-1)), box = last.getBoundingClientRect(), there = pane.getBoundingClientRect();
  // What the hex is stands over the head of the map, and buttons over its foot.
  const top = Math.max(there.top, element("space").getBoundingClientRect().bottom), bottom = there.bottom - TOOLS;
  const isSeen = box.left >= there.left && box.right <= there.right && box.top >= top && box.bottom <= bottom;
  if (isSeen && box.width >= 44) return;
  if (pan.getScale() < 1.01) { aim = "move"; look([last]); return; }
  centre(middle(boxOf(last)), pan.getScale());
}

// -- labels -------------------------------------------------------------------------------------------

const sheet = new CSSStyleSheet();
document.adoptedStyleSheets.push(sheet);
let drawnAt = 0;

/** Labels that would be too small to be read are drawn larger or left out, where the map is zoomed. */
function labels() {
  const k = unit() * pan.getScale();
  if (Math.abs(k - drawnAt) < 0.001) return;
  drawnAt = k;
  const isZoomed = pan.getScale() > 1.01;
  const sizes = new Set([...map.querySelectorAll("text[font-size]")].map((text) => Number(text.getAttribute("font-size"))));
  sheet.replaceSync([...sizes].map((size) => {
    const drawn = label(size * k);
    if (size * k >= LEAST_LABEL) return "";
    if (!isZoomed) return size * k < LEAST_LABEL / 2 ? `#map .named text[font-size="${size}"], #map .coords text[font-size="${size}"] { display: none }` : "";
    return `#map text[font-size="${size}"] { ${drawn ? `font-size: ${drawn / k}px` : "display: none"} }`;
  }).join("\n"));
}

// -- zoomed by hand -----------------------------------------------------------------------------------

// Until it is zoomed, a finger on the map scrolls the page.
function settled() {
  const isZoomed = pan.getScale() > 1.01;
  for (const button of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("#mapped [data-zoom]"))) {
    if (button.dataset.zoom === "out") button.hidden = isNarrow.matches && !isZoomed;
    if (button.dataset.zoom === "reset") button.hidden = isNarrow.matches && !isZoomed;
    if (button.dataset.zoom === "move") button.hidden = isZoomed || !legalHits().length || !isSmall();
  }
  map.style.setProperty("--zoom", String(pan.getScale()));
  map.style.touchAction = isZoomed ? "none" : "pan-y";
  labels();
}
function chosenByHand() {
  aim = "";
  kept.set(place, {scale: pan.getScale(), ...pan.getPan()});
}
map.addEventListener("panzoomchange", settled);
map.addEventListener("panzoomend", chosenByHand);
// The wheel goes through the page; with Ctrl it zooms, as everywhere, and on a map that is zoomed.
pane.addEventListener("wheel", (event) => {
  if (!event.ctrlKey && !event.metaKey && pan.getScale() < 1.01) return;
  pan.zoomWithWheel(event, gently);
  chosenByHand();
}, {passive: false});
board.addEventListener("click", (event) => {
  const button = /** @type {HTMLElement} */ (event.target).closest("[data-zoom]");
  if (!(button instanceof HTMLElement)) return;
  const how = String(button.dataset.zoom);
  if (how === "move") { pan.reset({animate: false}); aimed(); return; }
  if (how === "in") pan.zoomIn(gently);
  else if (how === "out") pan.zoomOut(gently);
  else pan.reset();
  chosenByHand();
});
new ResizeObserver(() => { labels(); aimed(); }).observe(pane);

// -- choosing -----------------------------------------------------------------------------------------

map.addEventListener("pointerdown", (event) => { pressed = [event.clientX, event.clientY]; });
map.addEventListener("click", (event) => {
  const hit = /** @type {Element} */ (event.target).closest(".hit");
  const wasDragged = pressed && Math.hypot(event.clientX - pressed[0], event.clientY - pressed[1]) > 8;
  if (hit && !wasDragged) (isDrawing() ? pencil : choose)(/** @type {SVGPolygonElement} */ (hit));
});

/** @param {SVGPolygonElement} hit */
export function choose(hit) {
  for (const other of chosenHits()) other.classList.remove("chosen");
  hit.classList.add("chosen");
  element("space").textContent = hit.getAttribute("aria-label");
  aimed();
  tell("chosen", hit.dataset.hex);
}

/** @param {boolean} holds */
export const hold = (holds) => { isHeld = holds; };

/** Nothing is chosen any more. */
export function unchoose() {
  for (const hit of chosenHits()) hit.classList.remove("chosen");
  element("space").textContent = "";
}

/** @param {Set<string | undefined>} spaces */
export function mark(spaces) {
  for (const hit of hits()) hit.classList.toggle("legal", spaces.has(hit.dataset.hex));
  settled();
}

/** One hex of the map takes part in the order of tabs; arrows go on from there. */
export function rove() {
  const all = hits(), now = all.find((hit) => hit.tabIndex === 0);
  const legal = all.find((hit) => hit.classList.contains("legal"));
  if (now && (now === /** @type {unknown} */ (document.activeElement) || !legal || now.classList.contains("legal"))) return;
  now?.setAttribute("tabindex", "-1");
  (legal || all[0])?.setAttribute("tabindex", "0");
}

/**
 * @param {SVGPolygonElement} hit
 * @param {string} key
 */
export function neighbour(hit, key) {
  const at = (/** @type {Element} */ one) => middle(one.getBoundingClientRect()), all = hits();
  const best = all[nextTo(at(hit), all.map(at), key)];
  if (best) { hit.setAttribute("tabindex", "-1"); best.setAttribute("tabindex", "0"); }
  return best;
}

// -- routes of companies, tiles -----------------------------------------------------------------------

const at = () => `at=${seen().at}`;

/** @type {Map<string, Promise<import("./net.js").Answer>>} */
const runsOf = new Map(); // what was asked about the position that is shown
let pinned = ""; // whose routes stay drawn: chosen by a tap
let under = "", lit = ""; // the company on whose row the pointer is; the one that was pointed at or had the focus last
/** @type {unknown} */
let drawing = null; // the answer that is drawn, or will be as soon as it is there

/** @param {string} path */
function runs(path) {
  const known = runsOf.get(path);
  if (known) return known;
  const found = request(`${path.split("/").map(encodeURIComponent).join("/")}?${at()}`)
    .then((answer) => { if (!answer.isGood && runsOf.get(path) === found) runsOf.delete(path); return answer; });
  runsOf.set(path, found);
  return found;
}

/**
 * Lines of the routes and the hexes in reach, on the map.
 * @param {string} text
 */
function draw(text) {
  const found = new DOMParser().parseFromString(`<body>${text}`, "text/html");
  const lines = found.querySelector("[data-lines]"), reach = /** @type {HTMLElement | null} */ (found.querySelector("[data-reach]"));
  const reached = new Set(reach?.dataset.reach?.split(" "));
  element("ways").replaceChildren(...(lines ? [...lines.childNodes].map((node) => document.adoptNode(node)) : []));
  for (const hit of hits()) hit.classList.toggle("reached", reached.has(String(hit.dataset.hex)));
}

/**
 * The routes of the company that is lit, else of the one that is pinned.
 * @param {string} company
 */
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
  element("routes").replaceChildren();
}

board.addEventListener("click", async (event) => {
  const button = /** @type {HTMLElement | null} */ (/** @type {Element} */ (event.target).closest("[data-runs], [data-no-routes]"));
  if (!button) return;
  const path = button.dataset.runs;
  if (!path) { hide(); return; }
  pinned = path;
  light(lit);
  const {isGood, text} = await runs(path);
  if (pinned !== path) return;
  const said = element("routes");
  if (isGood) said.innerHTML = text; else said.textContent = text;
  said.scrollIntoView({block: "nearest"});
});

// Pointer and focus: whichever moved last. A page that scrolls beneath a pointer that rests has not been pointed at.
/** @param {Element | null} one */
const rowOf = (one) => /** @type {HTMLElement | null | undefined} */ (one?.closest("[data-company]"))?.dataset.company || "";

document.addEventListener("pointermove", (event) => {
  const row = event.pointerType === "touch" ? "" : rowOf(/** @type {Element} */ (event.target));
  if (row === under) return;
  under = row;
  light(row || rowOf(document.activeElement));
});
document.addEventListener("focusin", (event) => light(rowOf(/** @type {Element} */ (event.target)) || under));

// The manifest is drawn for whoever opens it, and anew when the position is another one.
async function tiles() {
  if (!(/** @type {HTMLDetailsElement} */ (element("manifest"))).open) return;
  const then = at(), {isGood, text} = await request(`tiles?${then}`);
  if (then === at()) if (isGood) element("drawn").innerHTML = text; else element("drawn").textContent = text;
}
board.addEventListener("toggle", (event) => { if (/** @type {Element} */ (event.target).id === "manifest") tiles(); }, true);

// Charts and the ledger are made for whoever opens them, anew when the game has gone on.
async function charts() {
  for (const place of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-chart]"))) {
    if (place.dataset.version === seen().version || !place.closest("details")?.open) continue;
    const then = seen().version, {isGood, text} = await request(String(place.dataset.chart));
    if (isGood) { place.innerHTML = text; place.dataset.version = then; } else place.textContent = text;
  }
}
board.addEventListener("toggle", (event) => { if (/** @type {Element} */ (event.target).querySelector("[data-chart]")) charts(); }, true);

// -- with the board -----------------------------------------------------------------------------------

let standing = ""; // the position to which what is drawn beside the page's own parts belongs

document.addEventListener("shown", () => {
  const here = `${seen().stamp} ${seen().at}`;
  if (here !== standing) { standing = here; hide(); runsOf.clear(); tiles(); charts(); }
  drawnAt = 0;
  labels();
  rove();
});
document.addEventListener("asked", () => { rove(); aimed(); });

const before = kept.get(place);
if (before && before.scale > 1) pan.zoom(before.scale);
// Panzoom puts the map to its beginning a moment after it was made.
setTimeout(() => { if (before && before.scale > 1) pan.pan(before.x, before.y); aimed(); });
settled();
