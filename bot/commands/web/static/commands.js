// Commands of all doors on the page: a line that is typed, or a form from the list; the answer stands below the line.

import {asker, request} from "./net.js";

const board = document.getElementById("board");
const answer = document.getElementById("answer");
const PATIENCE = 120_000; // files wait for their turn
let asking = 0; // the number of the last question: the answer to an earlier question comes too late

const version = () => document.getElementById("top").dataset.version;
const query = (fields) => new URLSearchParams({of: asker(), version: version(), ...fields});

async function show(path, how = {}) {
  const mine = ++asking;
  answer.setAttribute("aria-busy", "true");
  const {isGood, text} = await request(path, how, PATIENCE);
  if (how.method) document.dispatchEvent(new Event("moved"));
  if (mine !== asking) return;
  answer.setAttribute("aria-busy", "false");
  document.getElementById("unanswered").textContent = isGood ? "" : text;
  if (!isGood) return;
  answer.innerHTML = text;
  answer.focus({preventScroll: true});
  answer.scrollIntoView({block: "nearest"});
}

const ask = (fields) => show(`command?${query(fields)}`);
const change = (fields) => show("command", {
  method: "POST",
  headers: {"Content-Type": "application/json"},
  body: JSON.stringify({of: asker(), version: Number(version()), ...fields}),
});
const send = (file, fields) => show(`command?${query(fields)}`, {
  method: "POST",
  headers: {"Content-Type": "application/octet-stream"},
  body: file,
});

// What others say comes with the next position, else within half a minute.
async function hear() {
  const talk = document.getElementById("talk");
  if (!talk || document.hidden) return;
  const {isGood, text} = await request(`command?${query({name: "talk"})}`);
  if (isGood && talk.dataset.heard !== text) { talk.innerHTML = text; talk.dataset.heard = text; }
}
document.addEventListener("shown", hear);
setInterval(hear, 30_000);
hear();

async function say(form) {
  const input = form.querySelector("input");
  await change({name: "say", "value-text": input.value});
  if (!document.getElementById("unanswered").textContent) input.value = "";
  hear();
}

board.addEventListener("submit", (event) => {
  const form = event.target;
  if (form.id === "saying") { event.preventDefault(); say(form); return; }
  if (form.id !== "commanding" && !form.classList.contains("asking")) return;
  event.preventDefault();
  const fields = Object.fromEntries(new FormData(form));
  if (form.id === "commanding") {
    if (fields.line.trim()) ask({line: fields.line});
    return;
  }
  const file = form.querySelector("[type=file]");
  const named = {name: form.dataset.name, ...fields};
  const pasted = form.querySelector("[data-pasted]")?.value.trim();
  const chosen = file?.files[0] ?? (pasted && new File([pasted], "game.json"));
  if (chosen) send(chosen, {...named, [file.name]: chosen.name});
  else if (form.dataset.changes) change(named).then(() => { if (form.dataset.goes) answer.querySelector("[data-go]")?.click(); });
  else ask(named);
});

board.addEventListener("click", (event) => {
  const data = event.target.closest("#commands button, [data-plan], [data-draft], [data-ask]")?.dataset ?? {};
  if (data.draft) {
    const line = document.querySelector("#commanding input");
    line.value = data.draft;
    line.focus();
    return;
  }
  if (data.line || data.plan) change({line: data.line || data.plan});
  else if (data.ask) ask({line: data.ask});
  else if (data.form) show(`commands/${encodeURIComponent(data.form)}?${query({})}`);
});

// Events of details do not bubble.
board.addEventListener("toggle", async ({target}) => {
  const listed = document.getElementById("listed");
  if (target.id !== "all" || !target.open || listed.childElementCount) return;
  const {isGood, text} = await request("commands");
  if (isGood) listed.innerHTML = text; else listed.textContent = text;
}, true);
