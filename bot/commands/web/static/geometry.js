// @ts-check
// Where the map has to be so that hexes are seen: pure reckoning, in pixels of a map that is not zoomed.

/** @typedef {{x: number, y: number, width: number, height: number}} Box */

export const LEAST_HEX = 80; // pixels across a hex at the zoom for a decision: its labels have nine or more
export const MOST_HEX = 130;
export const LEAST_WHOLE = 50; // pixels across a hex of the whole map from which on it is not zoomed for a decision
export const LEAST_LABEL = 9;
const ENLARGED = 1.35; // a label that would be smaller is drawn larger by up to this, else left out

/**
 * The box around all of them.
 * @param {Box[]} boxes
 * @returns {Box}
 */
export function around(boxes) {
  const x = Math.min(...boxes.map((one) => one.x)), y = Math.min(...boxes.map((one) => one.y));
  return {
    x, y,
    width: Math.max(...boxes.map((one) => one.x + one.width)) - x,
    height: Math.max(...boxes.map((one) => one.y + one.height)) - y,
  };
}

/** @param {Box} box */
export const middle = (box) => ({x: box.x + box.width / 2, y: box.y + box.height / 2});

/**
 * The zoom and the place to look at. All of them are shown if hexes stay large enough; else the one nearest to the
 * middle of all, and its neighbours.
 * @param {Box[]} boxes @param {{width: number, height: number}} pane
 */
export function view(boxes, pane) {
  const all = around(boxes), hex = boxes[0].width;
  const fits = Math.min(pane.width / (all.width + hex / 2), pane.height / (all.height + hex / 2));
  const scale = Math.max(1, Math.min(Math.max(fits, LEAST_HEX / hex), MOST_HEX / hex));
  if (scale <= fits * 1.001) return {scale, at: middle(all)};
  const there = middle(all);
  const away = (/** @type {Box} */ one) => Math.hypot(middle(one).x - there.x, middle(one).y - there.y);
  return {scale, at: middle(boxes.reduce((best, one) => (away(one) < away(best) ? one : best)))};
}

/**
 * How far the map is moved so that a place is in the middle of its pane, and nothing beside the map is shown, but for
 * `beside` pixels above and below.
 * @param {{x: number, y: number}} at @param {number} scale @param {{width: number, height: number}} pane @param {number} [beside]
 */
export function shift(at, scale, pane, beside = 0) {
  const within = (/** @type {number} */ value, /** @type {number} */ size, /** @type {number} */ more) => {
    const most = (size * (scale - 1)) / (2 * scale) + more / scale;
    return Math.max(-most, Math.min(most, value));
  };
  return {x: within(-at.x, pane.width, 0), y: within(-at.y, pane.height, beside)};
}

/**
 * How large a label is drawn that has `size` pixels: as it is, larger, or (0) not.
 * @param {number} size
 */
export function label(size) {
  if (size >= LEAST_LABEL) return size;
  return size * ENLARGED >= LEAST_LABEL ? LEAST_LABEL : 0;
}

/**
 * The next of these places in a direction; -1: there is none.
 * @param {{x: number, y: number}} from @param {{x: number, y: number}[]} places @param {string} key
 */
export function neighbour(from, places, key) {
  const [dx, dy] = /** @type {Record<string, number[]>} */ ({ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1]})[key];
  let best = -1, least = Infinity;
  places.forEach((place, number) => {
    const along = (place.x - from.x) * dx + (place.y - from.y) * dy;
    const aside = Math.abs((place.x - from.x) * dy) + Math.abs((place.y - from.y) * dx);
    if (along > 1 && along + 2 * aside < least) { best = number; least = along + 2 * aside; }
  });
  return best;
}
