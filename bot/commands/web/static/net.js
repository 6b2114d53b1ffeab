// @ts-check
// Requests: each ends after 15 seconds, and each that fails has a true sentence. And the events by which the parts of
// the page tell each other what has happened:
//
//   shown   history.js             the board was drawn, of another position or the same one anew
//   moved   act.js, commands.js    something was changed: the board is fetched
//   asked   act.js                 the choices of the viewer's move were drawn
//   chosen  map.js                 a hex was tapped; the detail is its name
//   ended   history.js             the link opens nothing any more

const PATIENCE = 15_000;

/** @typedef {{isGood: boolean, code: number, text: string, at: number}} Answer */

/** @param {string} id */
export const element = (id) => /** @type {HTMLElement} */ (document.getElementById(id));

export const words = element("words").dataset;
export const own = {"X-Signalbox": "1"};

/** What the board says of itself: its version, the entry that is shown, whether that is past. */
export const seen = () => element("top").dataset;

/** Which of the viewer's persons asks; empty where there is only one. */
export const asker = () => /** @type {HTMLSelectElement | null} */ (document.getElementById("asker"))?.value ?? "";

/**
 * @param {string} name
 * @param {string} [detail]
 */
export const tell = (name, detail) => document.dispatchEvent(new CustomEvent(name, {detail}));

/**
 * @param {string} path
 * @param {RequestInit} [how]
 * @param {number} [patience]
 * @returns {Promise<Answer>}
 */
export async function request(path, how = {}, patience = PATIENCE) {
  try {
    const answer = await fetch(path, {...how, headers: {...own, ...how.headers}, signal: /** @type {any} */ (AbortSignal).timeout(patience)});
    return {isGood: answer.ok, code: answer.status, text: await answer.text(), at: Date.parse(answer.headers.get("Date") ?? "")};
  } catch (error) {
    return {isGood: false, code: 0, text: sentence(error, Boolean(how.method)), at: NaN};
  }
}

/**
 * Why no answer came. What was sent may have arrived all the same.
 * @param {unknown} error
 * @param {boolean} isSent
 */
export function sentence(error, isSent) {
  if (!(error instanceof DOMException && error.name === "TimeoutError")) return String(words.unsent);
  return String(isSent ? words.unsure : words.late);
}

/**
 * @param {object} body
 * @returns {RequestInit}
 */
export const posted = (body) => ({method: "POST", headers: {"Content-Type": "application/json"}, body: JSON.stringify(body)});

/** What the browser keeps, as far as it keeps anything. */
export const kept = {
  /** @param {string} name */
  get: (name) => { try { return JSON.parse(localStorage.getItem(name) ?? "null"); } catch { return null; } },
  /**
   * @param {string} name
   * @param {unknown} value
   */
  set: (name, value) => { try { localStorage.setItem(name, JSON.stringify(value)); } catch { /* it is asked anew next time */ } },
};
