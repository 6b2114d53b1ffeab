// Brings the personal link that stands behind the sign # into this browser, then goes to its board.
(async () => {
  const said = document.getElementById("said");
  const token = location.hash.slice(1);
  history.replaceState(null, "", location.pathname);
  const answer = await fetch("/enter", {
    method: "POST",
    headers: {"Content-Type": "application/json", "X-Signalbox": "1"},
    body: JSON.stringify({token}),
  });
  if (answer.ok) location.replace((await answer.json()).there);
  else said.textContent = await answer.text();
})();
