// Brings the personal link that stands behind the sign # into this browser, then goes to its board.
(async () => {
  const said = document.getElementById("said");
  const token = location.hash.slice(1);
  try {
    const answer = await fetch("/enter", {
      method: "POST",
      headers: {"Content-Type": "application/json", "X-Signalbox": "1"},
      body: JSON.stringify({token}),
    });
    if (answer.ok) { location.replace((await answer.json()).there); return; }
    said.textContent = await answer.text();
    // Whoever was asked to wait tries the same link again.
    if (answer.status === 403) history.replaceState(null, "", location.pathname);
  } catch { said.textContent = said.dataset.lost; }
})();
