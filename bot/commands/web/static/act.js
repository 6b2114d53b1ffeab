// @ts-check
// Moves made on the page: choices come from the server, what they would do is shown on the map, then the move is sent.

import {shownHow} from "./history.js";
import {hits, hold, mark, unchoose} from "./map.js";
import {element, kept, posted, request, seen, tell, words} from "./net.js";

const act = element("act");
const plays = () => act.dataset.plays === "yes";
/** @type {Record<string, string[]> | null} */
let tapping = null; // the hexes tapped for each train; null while no routes are chosen
let asking = 0; // the number of the last question: the answer to an earlier one comes too late
let version = ""; // of the position for which the choices were drawn that stand there

const isPast = () => seen().past === "yes";
const isBusy = () => act.getAttribute("aria-busy") === "true";

/**
 * @param {string} text
 * @param {string | undefined} of
 */
function put(text, of) {
  // Whoever came here by keys goes on where they were.
  const hadFocus = act.contains(document.activeElement);
  act.innerHTML = text;
  taken(of);
  if (hadFocus) act.focus({preventScroll: true});
}

/**
 * The choices that stand there count from now on.
 * @param {string | undefined} of
 */
function taken(of) {
  tapping = null;
  hold(false);
  const turn = /** @type {HTMLElement | null} */ (act.querySelector("#turn"));
  version = turn?.dataset.version ?? of ?? "";
  if (turn) act.dataset.asked = turn.dataset.asked;
  drawn();
}

/**
 * Asks the server; until it has answered nothing that stands there can be pressed. Null: the answer comes too late.
 * @param {string} path @param {RequestInit} [how]
 */
async function asked(path, how = {}) {
  const mine = ++asking;
  act.setAttribute("aria-busy", "true");
  const answer = await request(path, how);
  if (mine === asking) act.setAttribute("aria-busy", "false");
  return mine === asking || how.method ? {...answer, isLast: mine === asking} : null;
}

/**
 * A question about the position for which the choices were drawn, or about the one that is shown.
 * @param {string} path @param {Record<string, string | undefined>} [values] @param {string | undefined} [of] @param {string[]} [trains]
 * @returns {Promise<string | null>}
 */
async function ask(path, values = {}, of = version, trains = []) {
  const query = shownHow(/** @type {Record<string, string>} */ ({version: of, ...values}));
  for (const train of trains) query.append("train", train);
  const answer = await asked(`${path}?${query}`);
  if (!answer) return null;
  refuse(answer.isGood ? "" : answer.text);
  if (answer.code === 409) behind();
  return answer.isGood ? answer.text : null;
}

/**
 * Why something was not done, and a way to try it once more.
 * @param {string} text
 * @param {() => unknown} [again]
 */
function refuse(text, again) {
  const refused = element("refused");
  refused.textContent = text;
  if (!text || !again) return;
  const button = Object.assign(document.createElement("button"), {type: "button", textContent: words.again});
  button.addEventListener("click", () => { if (!isBusy()) { refuse(""); again(); } });
  refused.append(" ", button);
}

// The position is another one by now: it is shown, and what can be done there is asked.
function behind() {
  tapping = null;
  version = "";
  tell("moved");
}

/**
 * @param {string} path
 * @param {Record<string, string | undefined>} values
 */
async function into(path, values) {
  const of = version, answer = await asked(`${path}?${shownHow(/** @type {Record<string, string>} */ ({version: of, ...values}))}`);
  if (!answer) return;
  refuse(answer.isGood ? "" : answer.text, answer.code ? undefined : () => into(path, values));
  if (answer.code === 409) behind();
  if (!answer.isGood) return;
  put(answer.text, of);
  open();
}

/** The choices are seen from their beginning. */
function open() {
  shut(false);
  act.scrollTop = 0;
}

/** What is offered now; while the past is shown nothing is. What was refused before stays to be read. */
async function begin() {
  unchoose();
  if (isPast() || !plays()) {
    asking++;
    act.dataset.asked = "";
    act.setAttribute("aria-busy", "false");
    put("", "");
    mark(new Set());
  } else {
    const answer = await asked("turn");
    if (!answer) return;
    if (answer.isGood) put(answer.text, ""); else refuse(answer.text, answer.code ? undefined : begin);
  }
  tell("asked");
}

/**
 * @param {string} path
 * @param {object} body
 * @param {string | undefined} [of]
 */
async function send(path, body, of = version) {
  const answer = await asked(path, posted({version: Number(of), ...body}));
  if (!answer) return;
  const {isGood, code, text} = answer;
  if (path === "move") kept.set(unsent, code ? null : {...body, of});
  refuse(isGood ? "" : text, code ? undefined : () => send(path, body, of));
  if (isGood) done(path, JSON.parse(text));
  if (isGood || code === 409) behind();
}

// -- a move that could not be sent: the browser keeps it until the board is back -------------------------

const unsent = `unsent ${document.querySelector("h1 small")?.textContent}`;

/** Offered once, and only for the position for which it was chosen; nothing is sent that nobody presses. */
function offerUnsent() {
  const found = kept.get(unsent);
  if (!found || !plays() || isPast()) return;
  const isOld = Boolean(document.body.dataset.old), stands = found.of === seen().version;
  if (!isOld) kept.set(unsent, null);
  const said = String(isOld || stands ? words.waits : words.overtaken).replace("#", found.move.replace(/^@\d+ /, ""));
  refuse(said, stands && !isOld ? () => send("move", {move: found.move}, found.of) : undefined);
}

// -- what was done, for five seconds ------------------------------------------------------------------

const toast = element("toast");
/** @type {ReturnType<typeof setTimeout> | undefined} */
let leaving;

/**
 * @param {string} path
 * @param {{version: number, lines: string[]}} played
 */
function done(path, played) {
  clearTimeout(leaving);
  toast.querySelector("span")?.replaceChildren(played.lines[0] ?? "");
  const undo = /** @type {HTMLElement} */ (toast.querySelector("button"));
  undo.hidden = path === "undo";
  undo.dataset.of = String(played.version);
  toast.hidden = false;
  const leave = () => {
    if (toast.matches(":hover, :focus-within")) leaving = setTimeout(leave, 1000);
    else toast.hidden = true;
  };
  leaving = setTimeout(leave, 5000);
}
toast.querySelector("button")?.addEventListener("click", (event) => {
  toast.hidden = true;
  send("undo", {}, /** @type {HTMLElement} */ (event.currentTarget).dataset.of);
});

// -- on the map ---------------------------------------------------------------------------------------

/** What the server has drawn for the map: hexes as they would look, lines of routes, the hexes in question. */
function drawn() {
  const groups = /** @type {HTMLElement[]} */ ([...act.querySelectorAll("[data-preview]")]).map((piece) => {
    const group = document.createElementNS("http://www.w3.org/2000/svg", "g");
    group.setAttribute("transform", element(`at-${piece.dataset.preview}`).getAttribute("transform") ?? "");
    group.append(...[...piece.childNodes].map((node) => node.cloneNode(true)));
    return group;
  });
  element("preview").replaceChildren(...groups);
  const lines = act.querySelector("[data-ways]");
  element("tried").replaceChildren(...(lines ? [...lines.childNodes].map((node) => node.cloneNode(true)) : []));
  const about = /** @type {HTMLElement | null} */ (act.querySelector("[data-spaces]"));
  if (about) mark(new Set(about.dataset.spaces?.split(" ")));
}

// -- pressed ------------------------------------------------------------------------------------------

act.addEventListener("click", async (event) => {
  const button = /** @type {Element} */ (event.target).closest("button");
  if (!button || button.type === "submit" || isBusy()) return;
  const data = button.dataset;
  if (data.kind !== undefined) await into("menu", {kind: data.kind, path: data.path || ""});
  else if (data.try) await into("try", {move: data.try});
  else if (data.do) await send("move", {move: data.do});
  else if (data.undo !== undefined) await send("undo", {});
  else if (data.close !== undefined) { refuse(""); await begin(); }
  else if (data.copy) await copy(data.copy);
  else if (data.offer) await offer(button);
  else if (button.id === "own-routes") { tapping = {}; hold(true); element("tapping").hidden = false; }
  else if (button.id === "clear") { tapping = {}; tapped(); }
  else if (button.id === "reckon") await reckon();
});

act.addEventListener("submit", async (event) => {
  event.preventDefault();
  if (isBusy()) return;
  const form = /** @type {HTMLFormElement} */ (event.target), fields = new FormData(form), {kind, path, sum, several} = form.dataset;
  if (several !== undefined) {
    const boxes = /** @type {HTMLInputElement[]} */ ([...form.querySelectorAll(":checked")]);
    const chosen = boxes.reduce((all, box) => all + 2n ** BigInt(box.value), 0n);
    await into("menu", {kind, path: [path, String(chosen)].filter(Boolean).join(".")});
  } else if (sum !== undefined) await into("menu", {kind, path, sum: String(fields.get("sum"))});
  else if (fields.get("move")) await into("try", {move: String(fields.get("move"))});
});

// A sum that is proposed gives way to the sum that is typed.
act.addEventListener("focusin", (event) => { const field = event.target; if (field instanceof HTMLInputElement && field.name === "sum") field.select(); });

/** @param {string} text */
async function copy(text) {
  try { await navigator.clipboard.writeText(text); } catch { refuse(String(words.uncopied)); return; }
  refuse(String(words.copied));
}

/** @param {HTMLButtonElement} button */
async function offer(button) {
  const hex = /** @type {HTMLElement | null} */ (button.closest("[data-hex]"))?.dataset.hex;
  const text = await ask(plays() ? "try" : `space/${hex}`, {move: button.dataset.offer});
  if (text === null) return;
  for (const other of act.querySelectorAll(".offer")) other.setAttribute("aria-pressed", String(other === button));
  const found = new DOMParser().parseFromString(text, "text/html").querySelector(".trial");
  if (found) element("offered").replaceChildren(document.adoptNode(found));
  drawn();
}

document.addEventListener("chosen", async (event) => {
  const hex = /** @type {CustomEvent<string>} */ (event).detail;
  if (isPast()) return;
  if (tapping) { tap(tapping, hex); return; }
  const answers = /** @type {NodeListOf<HTMLElement>} */ (act.querySelectorAll(`button[data-hex="${CSS.escape(hex)}"]`));
  if (answers.length === 1) { answers[0].click(); return; }
  const of = seen().version, text = await ask(`space/${encodeURIComponent(hex)}`, {}, of);
  if (text === null) return;
  if (text.trim()) {
    put(`<div data-hex="${CSS.escape(hex)}">${text}</div>`, of);
    open();
  } else if (plays() && !(act.querySelector("#turn") && version === of)) begin();
});

// -- routes of one's own ------------------------------------------------------------------------------

/**
 * @param {Record<string, string[]>} ways
 * @param {string} hex
 */
function tap(ways, hex) {
  const train = /** @type {HTMLInputElement} */ (act.querySelector("[name=train]:checked")).value;
  const way = ways[train] = ways[train] || [];
  if (way.at(-1) === hex) way.pop(); else way.push(hex);
  tapped();
}

function tapped() {
  const ways = tapping ?? {};
  for (const output of /** @type {NodeListOf<HTMLElement>} */ (act.querySelectorAll("output[data-train]"))) {
    output.textContent = (ways[String(output.dataset.train)] || []).join(" – ");
  }
  const every = new Set(Object.values(ways).flat());
  for (const hit of hits()) hit.classList.toggle("chosen", every.has(String(hit.dataset.hex)));
  reckoned("");
}

/** What the tapped routes would earn stands below them, so that they can be changed. */
async function reckon() {
  const trains = Object.entries(tapping ?? {}).filter(([, way]) => way.length).map(([train, way]) => `${train}:${way.join(",")}`);
  const text = await ask("tapped", {}, version, trains);
  if (tapping) reckoned(text ?? "");
}

/** @param {string} text */
function reckoned(text) {
  element("reckoned").innerHTML = text;
  drawn();
}

// -- the sheet at the foot of a narrow screen -----------------------------------------------------------

const acting = () => element("acting");
/** @param {boolean} isShut */
function shut(isShut) {
  document.body.classList.toggle("shut", isShut);
  document.getElementById("handle")?.setAttribute("aria-expanded", String(!isShut));
}

const board = element("board");
let isAway = false; // the parts are scrolled beyond the map: they get the room
board.addEventListener("scroll", (event) => {
  const parts = /** @type {HTMLElement} */ (event.target);
  if (parts.id !== "parts" || parts.scrollTop > parts.clientHeight * 0.6 === isAway) return;
  isAway = !isAway;
  shut(isAway);
}, true);
/** @type {number | null} */
let grasped = null;
board.addEventListener("click", (event) => {
  if (/** @type {Element} */ (event.target).closest("#handle")) shut(!document.body.classList.contains("shut"));
});
board.addEventListener("pointerdown", (event) => {
  grasped = /** @type {Element} */ (event.target).closest("#grip") ? event.clientY : null;
});
board.addEventListener("pointermove", (event) => {
  if (grasped === null || Math.abs(event.clientY - grasped) < 24) return;
  shut(event.clientY > grasped);
  grasped = null;
});
addEventListener("pointerup", () => { grasped = null; });

// -- with the board -----------------------------------------------------------------------------------

// Choices that were drawn for the position that is shown stay as they are.
document.addEventListener("shown", () => {
  offerUnsent();
  if (document.body.dataset.old) return; // nothing can be asked
  if (!version || version !== seen().version || isPast() || !plays()) begin();
});
document.addEventListener("ended", () => { asking++; act.dataset.asked = ""; put("", ""); mark(new Set()); acting().hidden = true; toast.hidden = true; });

/** Begins; the first choices came with the page. */
export function start() {
  if (!act.querySelector("#turn") || act.querySelector("#turn")?.getAttribute("data-version") !== seen().version) return;
  taken("");
  tell("asked");
}
