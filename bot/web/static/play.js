// Moves made on the page: choices come from the server, what they would do is shown on the map, then the move is sent.

const act = document.getElementById("act");
const own = {"X-Signalbox": "1"};
const plays = act.dataset.plays === "yes";
let tapping = null; // the spaces tapped for each train; null while no routes are chosen

const seen = () => document.getElementById("top").dataset;
const isPast = () => seen().past === "yes";

function put(text) {
  tapping = null;
  act.innerHTML = text;
  mark();
}

async function ask(path, values = {}) {
  const query = new URLSearchParams({version: seen().version, ...values});
  for (const train of values.trains || []) query.append("train", train);
  query.delete("trains");
  return answered(await fetch(`${path}?${query}`, {headers: own}));
}

async function answered(answer) {
  const text = await answer.text();
  if (answer.ok) { refuse(""); return text; }
  refuse(text);
  if (answer.status === 409) begin();
  return null;
}

function refuse(text) {
  document.getElementById("refused").textContent = text;
}

async function into(path, values) {
  const text = await ask(path, values);
  if (text !== null) put(text);
}

// What is offered now; while the past is shown nothing is.
async function begin() {
  if (isPast() || !plays) { put(""); legal(new Set()); return; }
  await into("turn");
  document.dispatchEvent(new Event("asked"));
}

function leave() {
  for (const hit of document.querySelectorAll(".hit.chosen")) hit.classList.remove("chosen");
}

async function send(path, body) {
  for (const button of act.querySelectorAll("button")) button.disabled = true;
  const answer = await fetch(path, {
    method: "POST",
    headers: {...own, "Content-Type": "application/json"},
    body: JSON.stringify({version: Number(seen().version), ...body}),
  });
  const text = await answered(answer);
  if (text === null) for (const button of act.querySelectorAll("button")) button.disabled = false;
  else put(`<ul id="told"></ul>`), list(JSON.parse(text).lines);
}

function list(lines) {
  document.getElementById("told").replaceChildren(...lines.map((line) => Object.assign(document.createElement("li"), {textContent: line})));
}

// What the server has drawn for the map: spaces as they would look, lines of routes, the spaces in question.
function mark() {
  const preview = document.getElementById("preview"), ways = document.getElementById("ways");
  const groups = [...act.querySelectorAll("[data-preview]")].map((drawn) => {
    const group = document.createElementNS("http://www.w3.org/2000/svg", "g");
    group.setAttribute("transform", document.getElementById(`at-${drawn.dataset.preview}`).getAttribute("transform"));
    group.append(...[...drawn.childNodes].map((node) => node.cloneNode(true)));
    return group;
  });
  preview.replaceChildren(...groups);
  const lines = act.querySelector("[data-ways]");
  ways.replaceChildren(...(lines ? [...lines.childNodes].map((node) => node.cloneNode(true)) : []));
  const about = act.querySelector("[data-spaces]");
  if (about) legal(new Set(about.dataset.spaces.split(" ")));
}

function legal(spaces) {
  for (const hit of document.querySelectorAll(".hit")) hit.classList.toggle("legal", spaces.has(hit.dataset.hex));
}

act.addEventListener("click", async (event) => {
  const button = event.target.closest("button");
  if (!button || button.type === "submit") return;
  const data = button.dataset;
  if (data.kind !== undefined) await into("menu", {kind: data.kind, path: data.path || ""});
  else if (data.try) await into("try", {move: data.try});
  else if (data.do) await send("move", {move: data.do});
  else if (data.undo !== undefined) await send("undo", {});
  else if (data.close !== undefined) { leave(); await begin(); }
  else if (data.copy) { await navigator.clipboard.writeText(data.copy); refuse(document.getElementById("words").dataset.copied); }
  else if (data.offer) await offer(button);
  else if (button.id === "own-routes") { tapping = {}; document.getElementById("tapping").hidden = false; }
  else if (button.id === "clear") { tapping = {}; tapped(); }
  else if (button.id === "reckon") await reckon();
});

act.addEventListener("submit", async (event) => {
  event.preventDefault();
  const form = event.target, fields = new FormData(form);
  if (form.dataset.several !== undefined) {
    const chosen = [...form.querySelectorAll(":checked")].reduce((sum, box) => sum + 2n ** BigInt(box.value), 0n);
    await into("menu", {kind: form.dataset.kind, path: [form.dataset.path, String(chosen)].filter(Boolean).join(".")});
  } else if (form.dataset.sum !== undefined) {
    await into("menu", {kind: form.dataset.kind, path: form.dataset.path, sum: fields.get("sum")});
  } else if (fields.get("move")) await into("try", {move: fields.get("move")});
});

async function offer(button) {
  for (const other of act.querySelectorAll(".offer")) other.setAttribute("aria-pressed", String(other === button));
  const text = await ask(plays ? "try" : `space/${button.closest("[data-hex]").dataset.hex}`, {move: button.dataset.offer});
  if (text === null) return;
  const found = new DOMParser().parseFromString(text, "text/html").querySelector(".trial");
  document.getElementById("offered").replaceChildren(document.adoptNode(found));
  mark();
}

document.addEventListener("chosen", async (event) => {
  if (isPast()) return;
  if (tapping) { tap(event.detail); return; }
  const text = await ask(`space/${encodeURIComponent(event.detail)}`);
  if (text === null) return;
  if (text.trim()) {
    put(`<div data-hex="${CSS.escape(event.detail)}">${text}</div>`);
    (act.querySelector(".do") || act).scrollIntoView({block: "nearest"});
  } else if (plays && !act.querySelector("#turn")) begin();
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
  reckoned(await ask("tapped", {trains}) ?? "");
}

function reckoned(text) {
  document.getElementById("reckoned").innerHTML = text;
  mark();
}

document.addEventListener("shown", () => { if (!tapping) { leave(); begin(); } });
begin();

// -- notes --------------------------------------------------------------------------------------------

const note = document.getElementById("note");
let writing = null;

document.getElementById("notes")?.addEventListener("toggle", async (event) => {
  if (!event.target.open || !note.disabled) return;
  const answer = await fetch("notes", {headers: own});
  if (answer.ok) { note.value = (await answer.json()).text; note.disabled = false; }
});

async function keep() {
  clearTimeout(writing);
  const answer = await fetch("notes", {
    method: "POST",
    keepalive: true,
    headers: {...own, "Content-Type": "application/json"},
    body: JSON.stringify({version: Number(seen().version), text: note.value}),
  });
  document.getElementById("noting").textContent = answer.ok ? document.getElementById("words").dataset.kept : await answer.text();
}
note?.addEventListener("input", () => { clearTimeout(writing); writing = setTimeout(keep, 700); });
note?.addEventListener("change", keep);
