/** The one script that websites have, where they show what changes by itself. It asks only its own host. */
export const liveScriptPath = '/live.js'
export const liveFactsPath = '/live.json'

/** @param states what each state is called, by language. */
export const liveScript = (said: Record<string, { states: Record<string, string>; of: string }>): string =>
  `'use strict';(() => {
const said = ${JSON.stringify(said)}[document.documentElement.lang];
const places = [...document.querySelectorAll('[data-server]')];
for (const button of document.querySelectorAll('[data-copy]')) {
  if (!navigator.clipboard) continue;
  button.hidden = false;
  const label = button.textContent;
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(button.dataset.copy);
    button.textContent = button.dataset.done;
    setTimeout(() => { button.textContent = label }, 2000);
  });
}
function face(name) {
  const item = Object.assign(document.createElement('li'), { textContent: name });
  item.dataset.face = [...name].reduce((sum, letter) => sum + letter.codePointAt(0), 0) % 8;
  return item;
}
async function look() {
  if (document.hidden) return;
  const answer = await fetch('${liveFactsPath}').catch(() => undefined);
  if (!answer || !answer.ok) return;
  const all = await answer.json();
  for (const place of places) {
    const facts = all[place.dataset.server];
    if (!facts) continue;
    for (const spot of place.querySelectorAll('[data-live]')) {
      if (spot.dataset.live === 'state') { spot.dataset.state = facts.state; spot.textContent = said.states[facts.state] }
      if (spot.dataset.live === 'players') spot.textContent = facts.most === null ? facts.players : facts.players + ' ' + said.of + ' ' + facts.most;
      if (spot.dataset.live === 'nobody') spot.hidden = facts.players > 0;
      if (spot.dataset.live === 'names') spot.replaceChildren(...facts.names.map((name) => face(name)));
    }
  }
}
setInterval(look, 30000);
document.addEventListener('visibilitychange', look);
})();
`
