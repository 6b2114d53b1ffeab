// An invitation stands behind the sign # in the address: #join-3-CODE.

const invited = /^#join-(\d{1,9})-([\w-]{16,64})$/.exec(location.hash);
if (invited) {
  const [, game, code] = invited;
  history.replaceState(null, "", location.pathname);
  const form = document.querySelector("[data-name='game join']"), section = document.getElementById("invited");
  if (form) {
    form.querySelector("[name=value-game]").value = game;
    form.querySelector("[name=value-invitation]").value = code;
    form.querySelector("[name=value-name]").focus();
  } else {
    for (const place of section.querySelectorAll("[data-game]")) place.textContent = game;
    for (const place of section.querySelectorAll("[data-code]")) place.textContent = code;
    section.hidden = false;
  }
}
