/** For flying-squid: plugins of a few lines, and packs that set a whole server up with them. */
import { pack, type Said, type Sample, texts } from './sample.ts'

const versions = ['1.16.5', '1.21.4']

const plugin = (slug: string, name: string, program: string, said: Said, more: Partial<Sample> = {}): Sample => ({
  slug: `sample-${slug}`,
  name,
  type: 'plugin',
  labels: ['sample', 'chat'],
  loaders: ['flying-squid'],
  versions,
  file: { name: `${slug}-1.0.0.zip`, bytes: pack({ 'index.js': `'use strict'\n${program}\n` }) },
  texts: texts(said),
  ...more,
})

const serverPack = (
  slug: string,
  name: string,
  files: Record<string, string>,
  said: Said,
  needs: string[],
): Sample => ({
  slug: `sample-${slug}`,
  name,
  type: 'serverpack',
  labels: ['sample', 'ready-made'],
  loaders: ['flying-squid'],
  versions,
  file: { name: `${slug}-1.0.0.zip`, bytes: pack(files) },
  texts: texts(said),
  needs,
})

export const squid: readonly Sample[] = [
  plugin(
    'warm-welcome',
    'Warm welcome',
    `module.exports = (serv) => {
  serv.on('newPlayer', (player) => {
    player.on('spawned', () => player.chat('Welcome, ' + player.username + '. Make yourself at home.'))
  })
}`,
    {
      en: ['Greets everybody who joins.', 'One message in the chat, for the newcomer alone.'],
      pl: ['Wita każdego, kto wejdzie.', 'Jedna wiadomość na czacie, widoczna tylko dla tej osoby.'],
      de: ['Begrüßt alle, die beitreten.', 'Eine Nachricht im Chat, nur für die Person selbst.'],
    },
  ),
  plugin(
    'dice',
    'Dice',
    `module.exports = (serv) => {
  serv.commands.add({
    base: 'dice',
    info: 'Throws a die',
    usage: '/dice',
    op: false,
    action: () => 'You throw a ' + (1 + Math.floor(Math.random() * 6)) + '.',
  })
}`,
    {
      en: ['Rolls a die with /dice.', 'Settles who fetches the sand.'],
      pl: ['Rzuca kostką: /dice.', 'Rozstrzyga, kto idzie po piasek.'],
      de: ['Wirft einen Würfel: /dice.', 'Klärt, wer den Sand holt.'],
    },
    { labels: ['sample', 'games'] },
  ),
  plugin(
    'squid-rules',
    'Rules for flying-squid',
    `const rules = ['1. Be kind.', '2. Ask before you build next to others.', '3. Have fun.']
module.exports = (serv) => {
  serv.commands.add({ base: 'rules', info: 'Says the rules', usage: '/rules', op: false, action: () => rules.join('\\n') })
}`,
    {
      en: ['`/rules` shows three rules.', 'Change them in `plugins/sample-squid-rules/index.js`.'],
      pl: ['`/rules` podaje trzy zasady.', 'Zmienisz je w `plugins/sample-squid-rules/index.js`.'],
      de: ['`/rules` nennt drei Regeln.', 'Ändern kannst du sie in `plugins/sample-squid-rules/index.js`.'],
    },
  ),
  plugin(
    'how-long',
    'How long',
    `const since = Date.now()
module.exports = (serv) => {
  serv.commands.add({
    base: 'uptime',
    info: 'Says how long the server is up',
    usage: '/uptime',
    op: false,
    action: () => 'Up for ' + Math.round((Date.now() - since) / 60000) + ' minutes.',
  })
}`,
    {
      en: ['`/uptime` shows how long the server has been up.', 'For anyone who wonders when it last slept.'],
      pl: ['`/uptime` mówi, jak długo działa serwer.', 'Dla ciekawych, kiedy ostatnio spał.'],
      de: ['`/uptime` sagt, wie lange der Server läuft.', 'Für alle, die wissen wollen, wann er zuletzt schlief.'],
    },
    { labels: ['sample', 'tools'], suits: ['sample-warm-welcome'] },
  ),
  serverPack(
    'friendly-hub',
    'Friendly hub',
    { 'README-friendly-hub.txt': 'People are greeted, and /rules says what counts.\n' },
    {
      en: ['A place to meet: a greeting and rules.', 'Comes with **Warm welcome** and **Rules for flying-squid**.'],
      pl: ['Miejsce spotkań: powitanie i zasady.', 'Instaluje też **Warm welcome** i **Rules for flying-squid**.'],
      de: ['Ein Treffpunkt: Begrüßung und Regeln.', 'Bringt **Warm welcome** und **Rules for flying-squid** mit.'],
    },
    ['sample-warm-welcome', 'sample-squid-rules'],
  ),
  serverPack(
    'games-evening',
    'Games evening',
    { 'README-games-evening.txt': 'Throw dice by /dice. Whoever has the least builds the roof.\n' },
    {
      en: ['For an evening with friends.', 'Comes with **Dice** and **Warm welcome**.'],
      pl: ['Na wieczór ze znajomymi.', 'Instaluje też **Dice** i **Warm welcome**.'],
      de: ['Für einen Abend mit Freunden.', 'Bringt **Dice** und **Warm welcome** mit.'],
    },
    ['sample-dice', 'sample-warm-welcome'],
  ),
  serverPack(
    'quiet-workshop',
    'Quiet workshop',
    { 'README-quiet-workshop.txt': 'A place to build by yourself. /uptime says for how long already.\n' },
    {
      en: ['For building alone, with a clock.', 'Comes with **How long**, and nothing that talks.'],
      pl: ['Do budowania w pojedynkę, z zegarem.', 'Instaluje też **How long** i nic, co gada.'],
      de: ['Zum Bauen allein, mit Uhr.', 'Bringt **How long** mit und nichts, was redet.'],
    },
    ['sample-how-long'],
  ),
]
