// Moves made on the page: choices come from the server, what they would do is shown on the map, then the move is sent.

const act = document.getElementById("act");
const own = {"X-Signalbox": "1"};
const said = document.getElementById("words").dataset;
const plays = () => act.dataset.plays === "yes";
let tapping = null; // the spaces tapped for each train; null while no routes are chosen
let asking = 0; // the number of the last question: the answer to an earlier one comes too late
let version = ""; // of the position for which the choices were drawn that stand there

const seen = () => document.getElementById("top").dataset;
const isPast = () => seen().past === "yes";
const isBusy = () => act.getAttribute("aria-busy") === "true";

// Whoever came here by keys goes on where he was.
function put(text, of) {
  const hadFocus = act.contains(document.activeElement);
  tapping = null;
  act.innerHTML = text;
  const turn = act.querySelector("#turn");
  version = turn?.dataset.version ?? of;
  if (turn) act.dataset.asked = turn.dataset.asked;
  if (hadFocus) act.focus({preventScroll: true});
  mark();
}

// Asks the server; until it has answered nothing that stands there can be pressed. Null: the answer comes too late.
async function asked(path, how = {}) {
  const mine = ++asking;
  act.setAttribute("aria-busy", "true");
  let found = {isGood: false, code: 0, text: said.lost};
  try {
    const answer = await fetch(path, {...how, headers: {...own, ...how.headers}});
    found = {isGood: answer.ok, code: answer.status, text: await answer.text()};
  } catch { /* it is said to be lost */ }
  if (mine === asking) act.setAttribute("aria-busy", "false");
  return mine === asking || how.method ? {...found, isLast: mine === asking} : null;
}

// A question about the position for which the choices were drawn, or about the one that is shown.
async function ask(path, values = {}, of = version) {
  const query = new URLSearchParams({version: of, ...values});
  for (const box of document.querySelectorAll("[data-drawn]:checked")) query.append(box.name, box.value);
  for (const train of values.trains || []) query.append("train", train);
  query.delete("trains");
  const answer = await asked(`${path}?${query}`);
  if (!answer) return null;
  refuse(answer.isGood ? "" : answer.text);
  if (answer.code === 409) behind();
  return answer.isGood ? answer.text : null;
}

function refuse(text) {
  document.getElementById("refused").textContent = text;
}

// The position is another one by now: it is shown, and what can be done there is asked.
function behind() {
  tapping = null;
  version = "";
  document.dispatchEvent(new Event("moved"));
}

async function into(path, values) {
  const of = version, text = await ask(path, values);
  if (text === null) return;
  put(text, of);
  reveal();
}

// The last button to be pressed, else the question, is seen without scrolling.
function reveal() {
  (act.querySelector(".do") || act).scrollIntoView({block: "nearest"});
}

// What is offered now; while the past is shown nothing is. What was refused before stays to be read.
async function begin() {
  for (const hit of document.querySelectorAll(".hit.chosen")) hit.classList.remove("chosen");
  if (isPast() || !plays()) {
    asking++;
    act.dataset.asked = "";
    act.setAttribute("aria-busy", "false");
    put("", "");
    legal(new Set());
  } else {
    const answer = await asked("turn");
    if (!answer) return;
    if (answer.isGood) put(answer.text, ""); else refuse(answer.text);
  }
  document.dispatchEvent(new Event("asked"));
}

async function send(path, body) {
  const of = version;
  const {isGood, code, text, isLast} = await asked(path, {
    method: "POST",
    headers: {"Content-Type": "application/json"},
    body: JSON.stringify({version: Number(of), ...body}),
  });
  refuse(isGood ? "" : text);
  if (isGood && isLast) put(`<ul id="told"></ul>`, of), list(JSON.parse(text).lines);
  if (isGood || code === 409) behind();
}

function list(lines) {
  document.getElementById("told").replaceChildren(...lines.map((line) => Object.assign(document.createElement("li"), {textContent: line})));
}

// What the server has drawn for the map: spaces as they would look, lines of routes, the spaces in question.
function mark() {
  const preview = document.getElementById("preview"), tried = document.getElementById("tried");
  const groups = [...act.querySelectorAll("[data-preview]")].map((drawn) => {
    const group = document.createElementNS("http://www.w3.org/2000/svg", "g");
    group.setAttribute("transform", document.getElementById(`at-${drawn.dataset.preview}`).getAttribute("transform"));
    group.append(...[...drawn.childNodes].map((node) => node.cloneNode(true)));
    return group;
  });
  preview.replaceChildren(...groups);
  const lines = act.querySelector("[data-ways]");
  tried.replaceChildren(...(lines ? [...lines.childNodes].map((node) => node.cloneNode(true)) : []));
  const about = act.querySelector("[data-spaces]");
  if (about) legal(new Set(about.dataset.spaces.split(" ")));
}

function legal(spaces) {
  for (const hit of document.querySelectorAll(".hit")) hit.classList.toggle("legal", spaces.has(hit.dataset.hex));
}

act.addEventListener("click", async (event) => {
  const button = event.target.closest("button");
  if (!button || button.type === "submit" || isBusy()) return;
  const data = button.dataset;
  if (data.kind !== undefined) await into("menu", {kind: data.kind, path: data.path || ""});
  else if (data.try) await into("try", {move: data.try});
  else if (data.do) await send("move", {move: data.do});
  else if (data.undo !== undefined) await send("undo", {});
  else if (data.close !== undefined) { refuse(""); await begin(); }
  else if (data.copy) await copy(data.copy);
  else if (data.offer) await offer(button);
  else if (button.id === "own-routes") { tapping = {}; document.getElementById("tapping").hidden = false; }
  else if (button.id === "clear") { tapping = {}; tapped(); }
  else if (button.id === "reckon") await reckon();
});

act.addEventListener("submit", async (event) => {
  event.preventDefault();
  if (isBusy()) return;
  const form = event.target, fields = new FormData(form);
  if (form.dataset.several !== undefined) {
    const chosen = [...form.querySelectorAll(":checked")].reduce((sum, box) => sum + 2n ** BigInt(box.value), 0n);
    await into("menu", {kind: form.dataset.kind, path: [form.dataset.path, String(chosen)].filter(Boolean).join(".")});
  } else if (form.dataset.sum !== undefined) {
    await into("menu", {kind: form.dataset.kind, path: form.dataset.path, sum: fields.get("sum")});
  } else if (fields.get("move")) await into("try", {move: fields.get("move")});
});

async function copy(text) {
  try { await navigator.clipboard.writeText(text); } catch { refuse(said.uncopied); return; }
  refuse(said.copied);
}

async function offer(button) {
  const text = await ask(plays() ? "try" : `space/${button.closest("[data-hex]").dataset.hex}`, {move: button.dataset.offer});
  if (text === null) return;
  for (const other of act.querySelectorAll(".offer")) other.setAttribute("aria-pressed", String(other === button));
  const found = new DOMParser().parseFromString(text, "text/html").querySelector(".trial");
  document.getElementById("offered").replaceChildren(document.adoptNode(found));
  mark();
}

document.addEventListener("chosen", async (event) => {
  if (isPast()) return;
  if (tapping) { tap(event.detail); return; }
  const answers = act.querySelectorAll(`button[data-hex="${CSS.escape(event.detail)}"]`);
  if (answers.length === 1) { answers[0].click(); return; }
  const of = seen().version, text = await ask(`space/${encodeURIComponent(event.detail)}`, {}, of);
  if (text === null) return;
  if (text.trim()) {
    put(`<div data-hex="${CSS.escape(event.detail)}">${text}</div>`, of);
    reveal();
  } else if (plays() && !(act.querySelector("#turn") && version === of)) begin();
});

function tap(hex) {
  const train = act.querySelector("[name=train]:checked").value;
  const way = tapping[train] = tapping[train] || [];
  if (way.at(-1) === hex) way.pop(); else way.push(hex);
  tapped();
}

function tapped() {
  for (const output of act.querySelectorAll("output[data-train]")) output.textContent = (tapping[output.dataset.train] || []).join(" – ");
  const ways = new Set(Object.values(tapping).flat());
  for (const hit of document.querySelectorAll(".hit")) hit.classList.toggle("chosen", ways.has(hit.dataset.hex));
  reckoned("");
}

// What the tapped routes would earn stands below them, so that they can be changed.
async function reckon() {
  const trains = Object.entries(tapping).filter(([, way]) => way.length).map(([train, way]) => `${train}:${way.join(",")}`);
  const text = await ask("tapped", {trains});
  if (tapping) reckoned(text ?? "");
}

function reckoned(text) {
  document.getElementById("reckoned").innerHTML = text;
  mark();
}

// Choices that were drawn for the position that is shown stay as they are.
document.addEventListener("shown", () => { if (!version || version !== seen().version || isPast() || !plays()) begin(); });
begin();

// -- notes --------------------------------------------------------------------------------------------

const noted = document.getElementById("written");
const writing = new Map(); // what is written now, each with the moment at which it is sent
let keeping = Promise.resolve();

const noting = (text) => { document.getElementById("noting").textContent = text; };

document.getElementById("notes")?.addEventListener("toggle", async (event) => {
  if (!event.target.open || noted.childElementCount) return;
  try {
    const answer = await fetch("notes", {headers: own}), text = await answer.text();
    if (answer.ok) noted.innerHTML = text;
    noting(answer.ok ? "" : text);
  } catch { noting(said.lost); }
});

async function store(note) {
  const body = JSON.stringify({version: Number(seen().version), of: note.dataset.of, text: note.value});
  try {
    const answer = await fetch("notes", {method: "POST", keepalive: true, headers: {...own, "Content-Type": "application/json"}, body});
    noting(answer.ok ? said.kept : await answer.text());
  } catch { noting(said.lost); }
}

// One after the other, so that what was written last is what is kept.
function keep(note) {
  if (!writing.has(note)) return;
  clearTimeout(writing.get(note));
  writing.delete(note);
  keeping = keeping.then(() => store(note));
}
noted?.addEventListener("input", ({target}) => { clearTimeout(writing.get(target)); writing.set(target, setTimeout(() => keep(target), 700)); });
noted?.addEventListener("change", ({target}) => keep(target));
document.addEventListener("visibilitychange", () => { if (document.hidden) for (const note of [...writing.keys()]) keep(note); });
