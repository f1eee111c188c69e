/** Plugins for Paper as small jars: a command each, and one that needs another. */
import { pack, type Said, type Sample, texts } from './sample.ts'
import { writeAnsweringPlugin } from './class-file.ts'

type Answering = { command: string; about: string; lines: string[]; depend?: string[] }

function answering(
  slug: string,
  name: string,
  { command, about, lines, depend = [] }: Answering,
  said: Said,
  more: Partial<Sample> = {},
): Sample {
  const main = name.replaceAll(/[^A-Za-z]/g, '')
  const plugin = [
    `name: ${main}`,
    'version: 1.0.0',
    `main: wakestone.samples.${main}`,
    "api-version: '1.20'",
    'author: Wakestone',
    `description: ${about}`,
    ...(depend.length > 0 ? [`depend: [${depend.join(', ')}]`] : []),
    'commands:',
    `  ${command}:`,
    `    description: ${about}`,
    `    usage: /${command}`,
    '',
  ].join('\n')
  return {
    slug: `sample-${slug}`,
    name,
    type: 'plugin',
    labels: ['sample', 'chat'],
    loaders: ['paper', 'spigot'],
    versions: ['1.20.4', '1.21.1', '1.21.4'],
    file: {
      name: `${slug}-1.0.0.jar`,
      bytes: pack({
        'META-INF/MANIFEST.MF': 'Manifest-Version: 1.0\r\n\r\n',
        'plugin.yml': plugin,
        [`wakestone/samples/${main}.class`]: writeAnsweringPlugin(`wakestone/samples/${main}`, lines),
      }),
    },
    texts: texts(said),
    ...more,
  }
}

export const plugins: readonly Sample[] = [
  answering(
    'house-rules',
    'House rules',
    {
      command: 'rules',
      about: 'Says the rules of the house',
      lines: [
        '1. Be kind.',
        '2. Build next to others only when they like it.',
        '3. What is found stays with its finder.',
      ],
    },
    {
      en: ['`/rules` shows three rules that suit most servers.', 'One command, no settings, no data.'],
      pl: ['`/rules` podaje trzy zasady dobre dla większości serwerów.', 'Jedno polecenie, bez ustawień i bez danych.'],
      de: [
        '`/rules` nennt drei Regeln, die auf die meisten Server passen.',
        'Ein Befehl, keine Einstellungen, keine Daten.',
      ],
    },
  ),
  answering(
    'first-steps',
    'First steps',
    {
      command: 'firststeps',
      about: 'Tells newcomers where to begin',
      lines: ['Welcome! Read /rules first.', 'Then walk two hundred blocks and build what you like.'],
      depend: ['Houserules'],
    },
    {
      en: ['Tells newcomers where to begin.', 'Needs **House rules**, because it sends people there.'],
      pl: ['Podpowiada nowym graczom, od czego zacząć.', 'Wymaga **House rules**, bo tam odsyła graczy.'],
      de: ['Sagt Neuen, womit sie anfangen.', 'Braucht **House rules**, weil es dorthin verweist.'],
    },
    { needs: ['sample-house-rules'] },
  ),
  answering(
    'who-helps',
    'Who helps',
    {
      command: 'helpers',
      about: 'Says whom to ask',
      lines: ['Write to an operator by /msg.', 'Nobody is up? Leave a sign at the spawn.'],
    },
    {
      en: ['`/helpers` tells players who to ask.', 'For servers whose owners also sleep.'],
      pl: ['`/helpers` mówi, kogo zapytać.', 'Dla serwerów, których właściciele też czasem śpią.'],
      de: ['`/helpers` sagt, wen man fragt.', 'Für Server, deren Besitzer auch mal schlafen.'],
    },
    { suits: ['sample-house-rules'] },
  ),
  answering(
    'colour-table',
    'Colour table',
    {
      command: 'colours',
      about: 'Shows the colours of the chat',
      lines: [
        '\u00a70 0 \u00a71 1 \u00a72 2 \u00a73 3 \u00a74 4 \u00a75 5 \u00a76 6 \u00a77 7',
        '\u00a78 8 \u00a79 9 \u00a7a a \u00a7b b \u00a7c c \u00a7d d \u00a7e e \u00a7f f',
      ],
    },
    {
      en: ['`/colours` shows all sixteen chat colours with their codes.', 'Handy while writing messages.'],
      pl: ['`/colours` pokazuje szesnaście kolorów czatu wraz z kodami.', 'Przydaje się przy pisaniu komunikatów.'],
      de: [
        '`/colours` zeigt alle sechzehn Farben des Chats mit ihren Codes.',
        'Praktisch beim Schreiben von Nachrichten.',
      ],
    },
    { labels: ['sample', 'tools'] },
  ),
]
