/** What players read in the game before their server goes down under them. */
import type { Language } from '@wakestone/contract/primitives'
import type { CountedAction } from '@wakestone/contract/servers/countdown'

/** What the game is stopped for, beside a stop itself. */
export type Interruption = 'restore' | 'packages' | 'world'
export type WarnedOf = CountedAction | Interruption
type Texts = Record<WarnedOf, { soon: string; off: string }>

const texts: Record<Language, Texts> = {
  en: {
    stop: { soon: 'This server stops in {time}.', off: 'The server stays up: the stop was cancelled.' },
    restart: { soon: 'This server restarts in {time}.', off: 'The server stays up: the restart was cancelled.' },
    restore: {
      soon: 'This server goes back to a backup in {time}.',
      off: 'The server stays as it is: the restore was cancelled.',
    },
    packages: {
      soon: 'This server restarts in {time} to change its plugins or mods.',
      off: 'The server stays as it is: the change was cancelled.',
    },
    world: {
      soon: 'This server restarts in {time} to change its world.',
      off: 'The world stays as it is: the change was cancelled.',
    },
  },
  pl: {
    stop: { soon: 'Serwer zatrzyma się za {time}.', off: 'Serwer działa dalej: zatrzymanie odwołano.' },
    restart: { soon: 'Serwer uruchomi się ponownie za {time}.', off: 'Serwer działa dalej: restart odwołano.' },
    restore: {
      soon: 'Serwer wróci do kopii zapasowej za {time}.',
      off: 'Serwer zostaje taki, jaki jest: przywracanie odwołano.',
    },
    packages: {
      soon: 'Za {time} serwer uruchomi się ponownie, żeby zmienić dodatki.',
      off: 'Serwer zostaje taki, jaki jest: zmianę odwołano.',
    },
    world: {
      soon: 'Za {time} serwer uruchomi się ponownie, żeby zmienić świat.',
      off: 'Świat zostaje taki, jaki jest: zmianę odwołano.',
    },
  },
  de: {
    stop: { soon: 'Dieser Server stoppt in {time}.', off: 'Der Server läuft weiter: Der Stopp wurde abgesagt.' },
    restart: {
      soon: 'Dieser Server startet in {time} neu.',
      off: 'Der Server läuft weiter: Der Neustart wurde abgesagt.',
    },
    restore: {
      soon: 'Dieser Server wird in {time} auf eine Sicherung zurückgesetzt.',
      off: 'Der Server bleibt, wie er ist: Die Wiederherstellung wurde abgesagt.',
    },
    packages: {
      soon: 'Dieser Server startet in {time} neu, um Plugins oder Mods zu ändern.',
      off: 'Der Server bleibt, wie er ist: Die Änderung wurde abgesagt.',
    },
    world: {
      soon: 'Dieser Server startet in {time} neu, um seine Welt zu ändern.',
      off: 'Die Welt bleibt, wie sie ist: Die Änderung wurde abgesagt.',
    },
  },
}

type Unit = 'minute' | 'second'
const units: Record<Language, Record<Unit, Partial<Record<Intl.LDMLPluralRule, string>> & { other: string }>> = {
  en: { minute: { one: 'minute', other: 'minutes' }, second: { one: 'second', other: 'seconds' } },
  pl: {
    minute: { one: 'minutę', few: 'minuty', other: 'minut' },
    second: { one: 'sekundę', few: 'sekundy', other: 'sekund' },
  },
  de: { minute: { one: 'Minute', other: 'Minuten' }, second: { one: 'Sekunde', other: 'Sekunden' } },
}

/** Why somebody is thrown out: the game by itself says no more than that it closes. */
export const sendOffTexts: Record<Interruption, Record<Language, string>> = {
  restore: {
    en: 'The server is going back to a backup. Come back in a few minutes.',
    pl: 'Serwer wraca do kopii zapasowej. Wróć za kilka minut.',
    de: 'Der Server wird auf eine Sicherung zurückgesetzt. Komm in ein paar Minuten wieder.',
  },
  packages: {
    en: 'The server restarts with other plugins or mods. Come back in a moment.',
    pl: 'Serwer uruchamia się ponownie z innymi dodatkami. Wróć za chwilę.',
    de: 'Der Server startet mit anderen Plugins oder Mods neu. Komm gleich wieder.',
  },
  world: {
    en: 'The server restarts to change its world. Come back in a moment.',
    pl: 'Serwer uruchamia się ponownie, żeby zmienić świat. Wróć za chwilę.',
    de: 'Der Server startet neu, um seine Welt zu ändern. Komm gleich wieder.',
  },
}

export function soonText(language: Language, action: WarnedOf, seconds: number): string {
  return texts[language][action].soon.replace('{time}', timeText(language, seconds))
}

export const calledOffText = (language: Language, action: WarnedOf) => texts[language][action].off

function timeText(language: Language, seconds: number): string {
  const isWhole = seconds >= 60 && seconds % 60 === 0
  const count = isWhole ? seconds / 60 : seconds
  const words = units[language][isWhole ? 'minute' : 'second']
  return `${count} ${words[new Intl.PluralRules(language).select(count)] ?? words.other}`
}
