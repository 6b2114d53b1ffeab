// @ts-check
// Keys of the page. Single letters can be switched off in its view (WCAG 2.1.4).

import {go} from "./history.js";
import {choose, neighbour} from "./map.js";
import {element, kept, seen} from "./net.js";
import {pencil} from "./pencil.js";

/** @type {Record<string, string>} */
const switches = {s: "start", d: "players"};
/** @type {Record<string, string>} */
const views = {m: "mapped", p: "players", c: "companies", k: "prices", t: "trains", l: "logged"};

/**
 * @param {string} key
 * @param {HTMLElement} target
 * @returns {boolean} whether the key meant something
 */
function pressed(key, target) {
  const hit = /** @type {SVGPolygonElement | null} */ (target.closest(".hit"));
  if (key.startsWith("Arrow") && hit) { neighbour(hit, key)?.focus(); return true; }
  if ((key === "Enter" || key === " ") && hit) { choose(hit); element("act").focus({preventScroll: true}); return true; }
  if (key === "x" && hit && kept.get("toggle letters") !== false) { pencil(hit); return true; }
  const steps = target.closest("#rounds a") ? {ArrowLeft: -1, ArrowRight: 1} : target.closest(".log a") ? {ArrowUp: -1, ArrowDown: 1} : {};
  if (key in steps) { step(target, /** @type {Record<string, number>} */ (steps)[key]); return true; }
  const at = Number(seen().at);
  if (key === "ArrowLeft") go(at - 1);
  else if (key === "ArrowRight") go(at + 1);
  else if (key === "Home") go(0);
  else if (key === "End") go(null);
  else if (key === "Escape") document.querySelector("#act [data-close]")?.dispatchEvent(new MouseEvent("click", {bubbles: true}));
  else return kept.get("toggle letters") !== false && letter(key);
  return true;
}

/**
 * @param {string} key
 * @returns {boolean}
 */
function letter(key) {
  if (switches[key]) /** @type {HTMLElement | null} */ (document.querySelector(`[data-drawn][name="${switches[key]}"]`))?.click();
  else if (views[key]) visit(element(views[key]));
  else if (key === "a") { element("act").scrollIntoView({block: "nearest"}); element("act").focus({preventScroll: true}); }
  else if (/^[1-9]$/.test(key)) /** @type {HTMLElement | undefined} */ (document.querySelectorAll("#act .choices button")[Number(key) - 1])?.focus();
  else if (key === "u") /** @type {HTMLElement | null} */ (document.querySelector("#act .undo summary"))?.click();
  else if (key === "?") /** @type {HTMLDetailsElement} */ (element("keys")).open = true, element("keys").scrollIntoView({block: "nearest"});
  else return false;
  return true;
}

/**
 * The part is in view, and the tabulator goes on from there; on the map from the hex where the reader was.
 * @param {HTMLElement} part
 */
function visit(part) {
  part.scrollIntoView();
  /** @type {HTMLElement} */ (part.querySelector(".hit[tabindex='0']") ?? part).focus({preventScroll: true});
}

/** Rounds and the log are one stop each in the order of tabs; arrows go on from there. */
function rove() {
  for (const list of document.querySelectorAll("#rounds, .log")) {
    const links = [...list.querySelectorAll("a")];
    const now = links.find((link) => link.matches("[aria-current], .here a")) ?? links.at(-1);
    for (const link of links) link.tabIndex = link === now ? 0 : -1;
  }
}
document.addEventListener("shown", rove);
rove();

/**
 * @param {Element} link
 * @param {number} by
 */
function step(link, by) {
  const all = /** @type {HTMLElement[]} */ ([...(link.closest("ul, ol")?.querySelectorAll("a") ?? [])]);
  all[all.indexOf(/** @type {HTMLElement} */ (link)) + by]?.focus();
}

document.addEventListener("keydown", (event) => {
  const target = /** @type {HTMLElement} */ (event.target);
  if (event.ctrlKey || event.metaKey || event.altKey || target.closest("input:not([type=checkbox]), textarea, select")) return;
  if (pressed(event.key, target)) event.preventDefault();
});
