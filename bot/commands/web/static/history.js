// @ts-check
// The board, live: follows the game, and goes through its past. Everything is drawn by the server.

import {element, kept, request, seen, tell, words} from "./net.js";

const board = element("board");
const status = element("status");

// -- the clock ----------------------------------------------------------------------------------------

let ahead = 0; // milliseconds by which this machine's clock is ahead of the server's
/** @type {[string, number][]} */
const units = [["d", 86400], ["h", 3600], ["min", 60], ["s", 1]];

/**
 * A span in at most two units, as the server writes it; seconds in the last ten minutes.
 * @param {number} seconds
 */
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
  for (const shown of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("#times [data-out]"))) {
    const {out, rest, fine} = shown.dataset, left = Number(out) - Number(rest) - (Date.now() - ahead) / 1000;
    const due = left < 0 ? Number(fine) * Math.ceil(-left / 60) : 0;
    shown.textContent = span(left) + (due ? ` (−${due})` : "");
  }
}
setInterval(count, 1000);
count();

// -- showing ------------------------------------------------------------------------------------------

/** @type {number | null} */
let wanted = null; // the record that is shown; null follows the game
let isDragged = false;
/** @type {Promise<void> | null} */
let loading = null;
let again = false, isJump = false;
let newest = ""; // the stamp that the stream told last
let present = ""; // that of the present as it was shown last
let isLost = false;
let old = document.body.dataset.old ?? ""; // when a page that came without a connection was seen, else empty
let ended = ""; // why this link opens nothing any more

const rules = {
  childrenOnly: true,
  /**
   * @param {any} from
   * @param {any} to
   * @returns {boolean}
   */
  onBeforeElUpdated(from, to) {
    if (from.isEqualNode(to)) return false;
    if (from.id === "map") { // keeps its zoom, which stands in its style
      // @ts-ignore: a script of its own
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
  const isBehind = wanted !== null && newest && newest !== present;
  const lost = old ? String(words.old).replace("#", times.format(new Date(old))) : words.lost;
  const text = ended || (isLost ? lost : isBehind ? `${words.new} ▶` : "");
  status.replaceChildren(String(text));
  if (ended) status.append(" ", Object.assign(document.createElement("a"), {href: "/", textContent: words.games}));
  else if (isLost) status.append(" ", Object.assign(document.createElement("button"), {type: "button", textContent: words.again}));
  status.hidden = !text;
}

/** Fetches what is wanted, one at a time; what is asked for meanwhile comes after. */
async function show() {
  if (loading) { again = true; return loading; }
  loading = (async () => {
    do {
      again = false;
      const asked = wanted, answer = await request(`board?${shownHow(asked === null ? {} : {at: String(asked)})}`);
      if (!Number.isNaN(answer.at)) ahead = Date.now() - answer.at;
      if (!answer.isGood) { refused(answer.code, answer.text); return; }
      // @ts-ignore: a script of its own
      morphdom(board, `<div>${answer.text}</div>`, rules);
      old = "";
      delete document.body.dataset.old;
      shown();
    } while (again);
  })();
  try { await loading; } finally { loading = null; }
}

/**
 * A link that is withdrawn stays so; a server that is busy or away comes back.
 * @param {number} code
 * @param {string} text
 */
function refused(code, text) {
  if (code !== 403 && code !== 404) { later(); return; }
  ended = text || String(words.gone);
  stream?.close();
  report();
  tell("ended");
}

function titled() {
  const isAsked = !ended && !old && element("act").dataset.asked === "yes";
  const icon = /** @type {HTMLLinkElement} */ (document.getElementById("icon"));
  const title = document.querySelector("h1")?.textContent?.trim();
  const question = element("question").textContent?.trim() ?? "";
  document.title = isAsked ? `▶ ${words.turn} · ${title}` : `${question.split(":")[0]} · ${title}`;
  icon.href = String(isAsked ? icon.dataset.turn : icon.dataset.plain);
}

function shown() {
  if (!seen().past || !present) present = String(seen().stamp);
  const query = wanted === null ? "" : `?at=${wanted}`;
  // Going step by step replaces the address, a jump can be gone back from.
  if (location.search !== query) history[isJump ? "pushState" : "replaceState"](null, "", location.pathname + query);
  isJump = false;
  if (!isDragged) /** @type {HTMLInputElement} */ (element("slider")).value = String(seen().at);
  document.body.classList.toggle("past", Boolean(seen().past));
  titled();
  report();
  scrollRounds();
  writeTimes();
  tell("shown");
}

// -- times, and the entries since the last visit ---------------------------------------------------------

const {lang} = document.documentElement;
// Of the reader's own kinds of the page's language the first: British times have 24 hours.
const times = new Intl.DateTimeFormat(navigator.languages.find((one) => one.startsWith(lang)) ?? lang, {day: "numeric", month: "short", hour: "2-digit", minute: "2-digit"});
const visit = `seen ${document.querySelector("h1 small")?.textContent}`;
const lastSeen = Number(kept.get(visit) ?? NaN); // the last entry that was shown at an earlier visit

/** Times of the log are those of the reader; entries since their last visit are marked. */
function writeTimes() {
  for (const time of /** @type {NodeListOf<HTMLTimeElement>} */ (document.querySelectorAll(".log time"))) time.textContent = times.format(new Date(time.dateTime));
  for (const line of /** @type {NodeListOf<HTMLLIElement>} */ (document.querySelectorAll("#logged li"))) line.classList.toggle("fresh", line.value > lastSeen);
  if (!seen().past) kept.set(visit, Number(seen().version));
}

function digest() {
  const bar = element("digest"), number = Number(seen().version) - lastSeen;
  if (!(number > 0) || seen().past) return;
  bar.querySelector("span")?.replaceChildren(String(bar.dataset.said).replace("#", String(number)));
  bar.hidden = false;
  element("known").addEventListener("click", () => { bar.hidden = true; });
  element("through").addEventListener("click", () => {
    bar.hidden = true;
    document.body.classList.add("historical");
    fold(true);
    go(lastSeen + 1, true);
  });
}

/** The round that is shown is in view in the list of rounds. */
function scrollRounds() {
  const round = /** @type {HTMLElement | null} */ (document.querySelector("#rounds [aria-current]") || document.querySelector("#rounds li:last-child"));
  const list = round?.closest("ul");
  if (round && list) list.scrollLeft = round.offsetLeft - list.offsetLeft - list.clientWidth / 2;
}
document.addEventListener("asked", titled);
document.addEventListener("ended", titled);

// -- following ----------------------------------------------------------------------------------------

const FIRST = 1, LONGEST = 20; // seconds until it is tried again, each time longer than before
/** @type {EventSource | null} */
let stream = null;
let waits = FIRST;
/** @type {ReturnType<typeof setTimeout> | undefined} */
let waiting;

const isShown = () => !old && (wanted === null ? newest === seen().stamp && !seen().past : seen().at === String(wanted));

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
  stream?.close();
  clearTimeout(waiting);
  isLost = true;
  report();
  waiting = setTimeout(() => { if (!document.hidden && !ended) follow(); }, waits * (500 + 1000 * Math.random()));
  waits = Math.min(1.3 * waits, LONGEST);
}

// A browser keeps few streams open to one host: hidden tabs do without.
document.addEventListener("visibilitychange", () => {
  if (document.hidden) stream?.close(); else if (!ended) follow();
});
addEventListener("online", () => { if (isLost && !ended) follow(); });
// What was done beside the map shows at once, should the stream be late.
document.addEventListener("moved", () => { if (!ended) show(); });

// -- the past -----------------------------------------------------------------------------------------

/**
 * @param {number | null} record
 * @param {boolean} [jumps]
 */
export function go(record, jumps = false) {
  const last = Math.max(Number(seen().version), Number(newest.split(".")[0]) || 0);
  wanted = record === null || record >= last ? null : Math.max(0, record);
  isJump = jumps;
  report();
  return show();
}

/** @param {HTMLAnchorElement} link */
const recordOf = (link) => { const at = new URL(link.href).searchParams.get("at"); return at === null ? null : Number(at); };

board.addEventListener("click", (event) => {
  const target = /** @type {Element} */ (event.target);
  const link = /** @type {HTMLAnchorElement | null} */ (target.closest("a[href^='?']"));
  if (target.closest("#timed")) fold(document.body.classList.toggle("historical"));
  if (!link || event.ctrlKey || event.metaKey) return;
  event.preventDefault();
  go(recordOf(link), !link.matches("#back, #forth"));
});
board.addEventListener("submit", (event) => { if (/** @type {HTMLFormElement} */ (event.target).method === "get") event.preventDefault(); });
board.addEventListener("input", (event) => {
  const target = /** @type {HTMLInputElement} */ (event.target);
  if (target.id === "slider") { isDragged = true; go(Number(target.value)); }
});
board.addEventListener("change", (event) => {
  const target = /** @type {HTMLInputElement} */ (event.target);
  if (target.id === "slider") { isDragged = false; go(Number(target.value)); }
  if (target.dataset.toggle) kept.set(`toggle ${target.dataset.toggle}`, target.checked);
  if (target.dataset.drawn !== undefined) show();
});
status.addEventListener("click", (event) => {
  if (/** @type {Element} */ (event.target).closest("button")) follow();
  else if (wanted !== null && !ended) go(null, true);
});
addEventListener("popstate", () => {
  const at = new URL(location.href).searchParams.get("at");
  if (!location.hash) go(at === null ? null : Number(at));
});

/**
 * The history is folded on a narrow screen.
 * @param {boolean} isOpen
 */
function fold(isOpen) {
  element("timed").setAttribute("aria-expanded", String(isOpen));
  scrollRounds();
}

/**
 * What the server draws otherwise for whoever wishes it, beside what is asked for.
 * @param {Record<string, string>} query
 */
export function shownHow(query) {
  const boxes = /** @type {NodeListOf<HTMLInputElement>} */ (document.querySelectorAll("[data-drawn]:checked"));
  return new URLSearchParams({...query, ...Object.fromEntries([...boxes].map((box) => [box.name, box.value]))});
}

/** Begins; the other parts listen by now. */
export function begin() {
  for (const box of /** @type {NodeListOf<HTMLInputElement>} */ (document.querySelectorAll("[data-toggle]"))) {
    box.checked = kept.get(`toggle ${box.dataset.toggle}`) ?? box.checked;
  }
  const asked = new URL(location.href).searchParams.get("at");
  if (asked !== null && seen().past) { wanted = Number(asked); document.body.classList.add("historical"); fold(true); }
  digest();
  isLost = Boolean(old);
  shown();
  const boxes = /** @type {NodeListOf<HTMLInputElement>} */ (document.querySelectorAll("[data-drawn]"));
  if ([...boxes].some((box) => box.checked !== box.defaultChecked)) show();
  follow();
}
