/** What players read when the gateway itself answers: one line that says how things are, one that says what to do. */
import type { Route } from '@wakestone/protocol/gateway'
import type { ColorToken, TextSpan } from '@wakestone/minecraft/text'

export type Language = Route['language']
/** Why the gateway answers in place of a game. */
export type Situation = Exclude<Route['state'], 'running'> | 'unreachable' | 'unknown' | 'unnamed'

type Message = { title: string; hint: string }

const messages: Record<Language, Record<Situation, Message>> = {
  en: {
    stopped: { title: '{name} is stopped', hint: 'Its owner can light it up again.' },
    starting: { title: '{name} is starting', hint: 'Knock again in half a minute.' },
    preparing: { title: '{name} is being prepared', hint: 'It opens in a few minutes.' },
    stopping: { title: '{name} is stopping', hint: 'The world is being saved.' },
    crashed: { title: '{name} has crashed', hint: 'Its owner sees why in the console.' },
    expired: { title: '{name} has expired', hint: 'Its owner can renew it.' },
    unreachable: { title: '{name} does not answer', hint: 'Please knock again in a moment.' },
    unknown: { title: 'No server lives at this address', hint: 'Check the spelling, then knock again.' },
    unnamed: { title: 'Which server do you mean?', hint: 'This version of the game is too old to say.' },
  },
  pl: {
    stopped: { title: '{name} jest zatrzymany', hint: 'Właściciel może go znów uruchomić.' },
    starting: { title: '{name} się uruchamia', hint: 'Zapukaj ponownie za pół minuty.' },
    preparing: { title: '{name} jest przygotowywany', hint: 'Otworzy się za kilka minut.' },
    stopping: { title: '{name} się zatrzymuje', hint: 'Świat jest właśnie zapisywany.' },
    crashed: { title: '{name} uległ awarii', hint: 'Właściciel zobaczy przyczynę w konsoli.' },
    expired: { title: '{name} wygasł', hint: 'Właściciel może go przedłużyć.' },
    unreachable: { title: '{name} nie odpowiada', hint: 'Zapukaj ponownie za chwilę.' },
    unknown: { title: 'Pod tym adresem nie ma serwera', hint: 'Sprawdź pisownię i zapukaj ponownie.' },
    unnamed: { title: 'O który serwer chodzi?', hint: 'Ta wersja gry jest zbyt stara, by to powiedzieć.' },
  },
  de: {
    stopped: { title: '{name} ist gestoppt', hint: 'Wer ihn betreibt, kann ihn wieder starten.' },
    starting: { title: '{name} startet gerade', hint: 'Klopf in einer halben Minute noch einmal an.' },
    preparing: { title: '{name} wird vorbereitet', hint: 'In ein paar Minuten ist er offen.' },
    stopping: { title: '{name} fährt herunter', hint: 'Die Welt wird gerade gespeichert.' },
    crashed: { title: '{name} ist abgestürzt', hint: 'Den Grund zeigt die Konsole dem Besitzer.' },
    expired: { title: '{name} ist abgelaufen', hint: 'Wer ihn betreibt, kann ihn verlängern.' },
    unreachable: { title: '{name} antwortet nicht', hint: 'Klopf gleich noch einmal an.' },
    unknown: {
      title: 'Unter dieser Adresse wohnt kein Server',
      hint: 'Prüf die Schreibweise und klopf noch einmal an.',
    },
    unnamed: { title: 'Welcher Server ist gemeint?', hint: 'Diese Spielversion ist zu alt, um es zu sagen.' },
  },
}

const colors: Record<Situation, ColorToken> = {
  stopped: 'dusk',
  starting: 'lantern',
  preparing: 'lantern',
  stopping: 'dusk',
  crashed: 'ember',
  expired: 'ember',
  unreachable: 'ember',
  unknown: 'muted',
  unnamed: 'muted',
}

/** A server's name is its owner's choice: it must not add lines or colours of its own. */
function withoutCodes(name: string): string {
  return name.replace(/[§\p{Cc}]/gu, '').slice(0, 64)
}

/** The coloured pieces of a message. Without a hint it fits the one line of old clients. */
export function messageSpans(options: {
  situation: Situation
  language: Language
  serverName: string
  between: string
  withHint: boolean
}): TextSpan[] {
  const { situation, language, serverName, between, withHint } = options
  const { title, hint } = messages[language][situation]
  const spans: TextSpan[] = [
    { text: title.replace('{name}', () => withoutCodes(serverName)), color: colors[situation], bold: true },
  ]
  if (withHint) spans.push({ text: `${between}${hint}`, color: 'muted' })
  return spans
}
