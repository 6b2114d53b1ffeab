// @ts-check
// A plan put together of steps and of what ends it. What it would mean stands below; only its owner sees it.

import {asker, element, request} from "./net.js";

/** @type {string[]} */
let steps = [];
/** @type {string[]} */
let endings = [];
let asking = 0; // the number of the last question: the answer to an earlier one comes too late

const planned = /** @type {HTMLDetailsElement | null} */ (document.getElementById("planned")?.querySelector("details"));
const text = () => steps.join("; ") + (endings.length ? ` until ${endings.join(", ")}` : "");

/** @param {{order?: string}} [more] */
const ask = (more) => request(`plans?${new URLSearchParams({of: asker(), ...more})}`);

async function load() {
  const {isGood, text: fragment} = await ask();
  const listed = element("plans");
  if (isGood) listed.innerHTML = fragment; else listed.textContent = fragment;
  if (isGood) draw();
}

/** Chips, and what the plan would mean. */
async function draw() {
  fill(element("steps"), steps, (step) => step);
  fill(element("endings"), endings, (word) => element("ending").querySelector(`[value="${word}"]`)?.textContent ?? word);
  const give = /** @type {HTMLButtonElement} */ (element("planning"));
  give.disabled = true;
  const mine = ++asking;
  const {isGood, text: meant} = steps.length ? await ask({order: text()}) : {isGood: false, text: ""};
  if (mine !== asking) return;
  give.dataset.plan = `plan ${text()}`;
  give.disabled = !isGood;
  if (isGood) element("meant").innerHTML = meant; else element("meant").textContent = meant;
}

/**
 * @param {HTMLElement} list
 * @param {string[]} parts
 * @param {(part: string) => string} name
 */
function fill(list, parts, name) {
  const {earlier, remove} = element("steps").dataset;
  list.replaceChildren(...parts.map((part, at) => {
    const chip = document.createElement("li");
    chip.append(name(part));
    if (parts === steps) drag(chip, at);
    if (parts === steps && at) chip.append(button("◀", String(earlier).replace("#", part), () => move(at, at - 1)));
    chip.append(button("×", String(remove).replace("#", name(part)), () => { parts.splice(at, 1); draw(); }));
    return chip;
  }));
}

/**
 * @param {string} sign
 * @param {string} label
 * @param {() => void} act
 */
function button(sign, label, act) {
  const made = document.createElement("button");
  Object.assign(made, {type: "button", textContent: sign, onclick: act});
  made.setAttribute("aria-label", label);
  return made;
}

/**
 * @param {HTMLElement} chip
 * @param {number} at
 */
function drag(chip, at) {
  chip.draggable = true;
  chip.addEventListener("dragstart", (event) => event.dataTransfer?.setData("text/x-step", String(at)));
  chip.addEventListener("dragover", (event) => { if (event.dataTransfer?.types.includes("text/x-step")) event.preventDefault(); });
  chip.addEventListener("drop", (event) => { event.preventDefault(); move(Number(event.dataTransfer?.getData("text/x-step")), at); });
}

/**
 * @param {number} from
 * @param {number} to
 */
function move(from, to) {
  steps.splice(to, 0, ...steps.splice(from, 1));
  draw();
}

document.addEventListener("submit", (event) => {
  const form = /** @type {HTMLFormElement} */ (event.target);
  if (form.id !== "stepping") return;
  event.preventDefault();
  const step = String(new FormData(form).get("step")).trim();
  if (!step) return;
  steps.push(step);
  form.reset();
  draw();
});
document.addEventListener("change", ({target}) => {
  if (!(target instanceof HTMLSelectElement) || target.id !== "ending" || !target.value) return;
  if (!endings.includes(target.value)) endings.push(target.value);
  target.value = "";
  draw();
});
document.addEventListener("click", ({target}) => {
  if (!(target instanceof Element)) return;
  if (target.id === "planning") [steps, endings] = [[], []];
  if (planned && target.closest('a[href="#planned"]')) planned.open = true;
});
planned?.addEventListener("toggle", () => { if (planned.open) load(); });
document.addEventListener("moved", () => { if (planned?.open) load(); });
