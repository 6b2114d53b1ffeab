// @ts-check
// Marks of one's own on hexes: this browser keeps them for each game, nobody else sees them.

import {element, kept, words} from "./net.js";

const MARKS = ["●", "✕", "?"]; // one after the other, then none
const SAID = " ✎ "; // before a mark in the words of a hex
const place = `pencil ${document.querySelector("h1 small")?.textContent}`;
/** @type {Record<string, string>} */
let marks = kept.get(place) ?? {};

export const isDrawing = () => document.getElementById("pencil")?.getAttribute("aria-pressed") === "true";

/**
 * The next mark on a hex.
 * @param {SVGPolygonElement} hit
 */
export function pencil(hit) {
  const name = String(hit.dataset.hex), next = MARKS[MARKS.indexOf(marks[name]) + 1];
  if (next) marks[name] = next; else delete marks[name];
  kept.set(place, marks);
  draw();
  element("space").textContent = hit.getAttribute("aria-label");
}

/** All marks, on the map and in the words of their hexes. */
function draw() {
  element("erase").hidden = !Object.keys(marks).length;
  document.getElementById("penned")?.remove();
  const layer = document.createElementNS("http://www.w3.org/2000/svg", "g");
  layer.id = "penned";
  layer.setAttribute("aria-hidden", "true");
  for (const hit of /** @type {NodeListOf<SVGPolygonElement>} */ (document.querySelectorAll(".hit"))) {
    const label = (hit.getAttribute("aria-label") ?? "").split(SAID)[0], mark = marks[String(hit.dataset.hex)];
    hit.setAttribute("aria-label", mark ? `${label}${SAID}${words.marked} ${mark}` : label);
    if (mark) layer.append(signOf(hit, mark));
  }
  document.querySelector(".hit")?.before(layer);
}

/**
 * @param {SVGPolygonElement} hit
 * @param {string} mark
 */
function signOf(hit, mark) {
  const box = hit.getBBox(), at = hit.transform.baseVal.consolidate()?.matrix ?? {e: 0, f: 0};
  const sign = document.createElementNS("http://www.w3.org/2000/svg", "text");
  sign.setAttribute("x", String(box.x + at.e + box.width / 2));
  sign.setAttribute("y", String(box.y + at.f + box.height / 2));
  sign.style.fontSize = `${box.height / 2}px`;
  sign.textContent = mark;
  return sign;
}

element("pencil").hidden = false; // without scripts it does nothing
element("board").addEventListener("click", (event) => {
  const target = /** @type {Element} */ (event.target), button = target.closest("#pencil");
  button?.setAttribute("aria-pressed", String(!isDrawing()));
  if (!target.closest("#erase")) return;
  marks = {};
  kept.set(place, marks);
  draw();
});
document.addEventListener("shown", draw);
