// The page of a lobby: who is in, and its options, follow what anybody does; when the game begins, its board comes.

const words = document.getElementById("words").dataset;
const board = document.getElementById("board");
const status = document.getElementById("status");
const FIRST = 1, LONGEST = 20; // seconds until it is tried again, each time longer than before
let loading = null, again = false, stream = null, waits = FIRST, waiting = null, ended = false;

const rules = {
  childrenOnly: true,
  onBeforeElUpdated(from, to) {
    if (from.isEqualNode(to) || from.hasAttribute("data-own")) return false;
    if (from.tagName === "DETAILS") to.open = from.open;
    if (from === document.activeElement && from.tagName === "INPUT" && from.type !== "radio") return false;
    if (from.type === "radio") from.checked = to.checked;
    return true;
  },
};

function report(text) {
  status.textContent = text;
  status.hidden = !text;
}

// One at a time; what is asked for meanwhile comes after.
async function show() {
  if (loading) { again = true; return; }
  loading = (async () => {
    do {
      again = false;
      const answer = await fetch("board", {headers: {"X-Signalbox": "1"}}), text = await answer.text();
      if (answer.status === 403 || answer.status === 404) { ended = true; stream.close(); report(text || words.gone); return; }
      if (!answer.ok) throw new Error(text);
      const found = document.createElement("div");
      found.innerHTML = text;
      if (!found.querySelector("[data-lobby]")) { location.reload(); return; }
      morphdom(board, found, rules);
      report("");
    } while (again);
  })();
  try { await loading; } catch { later(); } finally { loading = null; }
}

function follow() {
  stream?.close();
  clearTimeout(waiting);
  stream = new EventSource("stream");
  stream.onmessage = (event) => {
    waits = FIRST;
    report("");
    if (event.data !== document.getElementById("top").dataset.stamp) show();
  };
  // The lobby says whether the link is still good.
  stream.onerror = () => { later(); show(); };
}

function later() {
  stream.close();
  clearTimeout(waiting);
  report(words.lost);
  waiting = setTimeout(() => { if (!document.hidden && !ended) follow(); }, waits * (500 + 1000 * Math.random()));
  waits = Math.min(1.3 * waits, LONGEST);
}

document.addEventListener("visibilitychange", () => {
  if (document.hidden) stream.close(); else if (!ended) follow();
});
document.addEventListener("moved", () => { if (!ended) show(); });
board.addEventListener("change", (event) => {
  if (event.target.dataset.sends !== undefined) event.target.form.requestSubmit();
});
follow();
