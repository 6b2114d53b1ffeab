// @ts-check
// Notes for oneself: kept while they are written, the last of them when the page is left.

import {element, posted, request, seen, words} from "./net.js";

const noted = document.getElementById("written");
/** @type {Map<HTMLTextAreaElement, ReturnType<typeof setTimeout>>} */
const writing = new Map(); // what is written now, each with the moment at which it is sent
/** @type {Promise<unknown>} */
let keeping = Promise.resolve();

/** @param {string | undefined} text */
const noting = (text) => { element("noting").textContent = text ?? ""; };

document.getElementById("notes")?.addEventListener("toggle", async (event) => {
  if (!noted || !(/** @type {HTMLDetailsElement} */ (event.target)).open || noted.childElementCount) return;
  const {isGood, text} = await request("notes");
  if (isGood) noted.innerHTML = text;
  noting(isGood ? "" : text);
});

/** @param {HTMLTextAreaElement} note */
async function store(note) {
  const body = {version: Number(seen().version), of: note.dataset.of, text: note.value};
  const {isGood, text} = await request("notes", {...posted(body), keepalive: true});
  noting(isGood ? words.kept : text);
}

/**
 * One after the other, so that what was written last is what is kept.
 * @param {HTMLTextAreaElement} note
 */
function keep(note) {
  if (!writing.has(note)) return;
  clearTimeout(writing.get(note));
  writing.delete(note);
  keeping = keeping.then(() => store(note));
}
noted?.addEventListener("input", (event) => {
  const note = /** @type {HTMLTextAreaElement} */ (event.target);
  clearTimeout(writing.get(note));
  writing.set(note, setTimeout(() => keep(note), 700));
});
noted?.addEventListener("change", (event) => keep(/** @type {HTMLTextAreaElement} */ (event.target)));
document.addEventListener("visibilitychange", () => { if (document.hidden) for (const note of [...writing.keys()]) keep(note); });
