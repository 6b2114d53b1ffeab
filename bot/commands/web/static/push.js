// @ts-check
// Notices on this device: switched on and off by a button; the browser and the server are asked what is so now.

import {element, posted, request, seen, words} from "./net.js";

const button = /** @type {HTMLButtonElement | null} */ (document.getElementById("pushed"));
const isPossible = "serviceWorker" in navigator && "PushManager" in window && "Notification" in window;

/** @param {string} text */
const said = (text) => { element("pushing").textContent = text; };

/** @param {ArrayBuffer | null} bytes */
const base64 = (bytes) => btoa(String.fromCharCode(...new Uint8Array(bytes ?? new ArrayBuffer(0)))).replace(/\+/g, "-").replace(/\//g, "_").replace(/=/g, "");

const registered = async () => (await navigator.serviceWorker.getRegistration("/"))?.pushManager.getSubscription();

/** What the server knows of this device: its key, and whether this game's notices go there. */
async function known() {
  const device = await registered();
  const answer = await request(`push?endpoint=${encodeURIComponent(device?.endpoint ?? "")}`);
  return answer.isGood ? JSON.parse(answer.text) : null;
}

/** @param {boolean} isOn */
function show(isOn) {
  if (!button) return;
  button.hidden = false;
  button.setAttribute("aria-pressed", String(isOn));
}

/** @param {PushSubscription} device */
const told = (device) => ({
  version: Number(seen().version), endpoint: device.endpoint, p256dh: base64(device.getKey("p256dh")), auth: base64(device.getKey("auth")),
});

async function turnOn() {
  if (await Notification.requestPermission() !== "granted") { said(String(words.forbidden)); return; }
  const found = await known();
  if (!found) return;
  const worker = await navigator.serviceWorker.register("/service-worker.js", {scope: "/"});
  await navigator.serviceWorker.ready;
  const device = await worker.pushManager.getSubscription() ?? await worker.pushManager.subscribe({userVisibleOnly: true, applicationServerKey: found.key});
  const {isGood, text} = await request("push", posted({...told(device), on: true}));
  said(isGood ? "" : text);
  show(isGood);
}

async function turnOff() {
  const device = await registered();
  const {isGood, text} = device ? await request("push", posted({...told(device), on: false})) : {isGood: true, text: ""};
  said(isGood ? "" : text);
  show(!isGood);
}

export async function begin() {
  // It also shows the last board without a connection.
  if ("serviceWorker" in navigator && location.pathname.startsWith("/g/")) navigator.serviceWorker.register("/service-worker.js", {scope: "/"}).catch(() => {});
  if (!button || !isPossible) return;
  // Older descriptions of the browser do not know badges.
  /** @type {any} */ (navigator).clearAppBadge?.();
  button.addEventListener("click", async () => {
    button.disabled = true;
    try { await (button.getAttribute("aria-pressed") === "true" ? turnOff() : turnOn()); } catch (error) { said(`${words.forbidden} (${error})`); }
    button.disabled = false;
  });
  show(Boolean((await known())?.is_on));
}
