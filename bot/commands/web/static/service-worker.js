// Shows notices, also while no page is open; and without a connection the page of a game as it was seen last, which says
// since when it is old. Everything else goes to the server.

self.addEventListener("install", () => self.skipWaiting());
self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));

self.addEventListener("push", (event) => {
  const {title, body, tag, url, waiting} = event.data.json();
  event.waitUntil(Promise.all([
    self.registration.showNotification(title, {body, tag, renotify: true, data: {url}}),
    waiting ? navigator.setAppBadge?.(waiting) : navigator.clearAppBadge?.(),
  ]));
});

self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  const there = new URL(event.notification.data.url, self.location.origin).href;
  event.waitUntil(self.clients.matchAll({type: "window"}).then((open) => {
    const shown = open.find((one) => one.url.split(/[?#]/)[0] === there);
    return shown ? shown.focus() : self.clients.openWindow(there);
  }));
});

// -- without a connection ------------------------------------------------------------------------------

const BOARDS = "boards", MOST = 40; // two for each game: its page, and its board where that is newer
const PAGE = /^\/g\/\d+\/$/, BOARD = /^\/g\/\d+\/board$/, DRAWN = /(<div id="board">)[\s\S]*(<\/div>\s*<nav id="views")/;

/** Keeps an answer of the server; nothing more of a game whose link has ended. */
async function keep(there, answer, isPresent) {
  const boards = await caches.open(BOARDS), page = there.replace(/board$/, "");
  if (answer.status === 403 || answer.status === 404) {
    await Promise.all([page, `${page}board`].map((one) => boards.delete(one)));
  } else if (answer.ok && !answer.redirected && isPresent) {
    if (there === page) await boards.delete(`${page}board`);
    await boards.delete(there); // the newest stands last
    await boards.put(there, answer);
    const all = await boards.keys();
    await Promise.all(all.slice(0, Math.max(0, all.length - MOST)).map((one) => boards.delete(one)));
  }
}

/** The page of a game as it was seen last, with the moment of that in its body. A lobby's cannot say it, and is not shown. */
async function old(there) {
  const boards = await caches.open(BOARDS), [page, board] = await Promise.all([there, `${there}board`].map((one) => boards.match(one)));
  const text = page && await page.text();
  if (!text || !DRAWN.test(text)) return null;
  const drawn = board && await board.text(), seen = new Date((board ?? page).headers.get("Date")).toISOString();
  const headers = new Headers(page.headers);
  headers.delete("Content-Encoding");
  const newest = drawn ? text.replace(DRAWN, (_, begin, end) => begin + drawn + end) : text;
  return new Response(newest.replace("<body>", `<body data-old="${seen}">`), {headers});
}

self.addEventListener("fetch", (event) => {
  const {origin, pathname, search} = new URL(event.request.url), there = origin + pathname;
  const isPage = event.request.mode === "navigate" && PAGE.test(pathname);
  if (event.request.method !== "GET" || !(isPage || BOARD.test(pathname))) return;
  event.respondWith(fetch(event.request).then((found) => {
    event.waitUntil(keep(there, found.clone(), !/[?&]at=/.test(search)).catch(() => {})); // a full disk keeps nothing
    return found;
  }, async (error) => {
    const kept = isPage && await old(there);
    if (kept) return kept;
    throw error;
  }));
});
