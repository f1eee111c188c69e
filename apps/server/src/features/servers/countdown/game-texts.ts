/** What players read in the game before their server is stopped or restarted. */
import type { Language } from '@wakestone/contract/primitives'
import type { CountedAction } from '@wakestone/contract/servers/countdown'

type Texts = Record<CountedAction, { soon: string; off: string }>

const texts: Record<Language, Texts> = {
  en: {
    stop: { soon: 'This server stops in {time}.', off: 'The server stays up: the stop was cancelled.' },
    restart: { soon: 'This server restarts in {time}.', off: 'The server stays up: the restart was cancelled.' },
  },
  pl: {
    stop: { soon: 'Serwer zatrzyma się za {time}.', off: 'Serwer działa dalej: zatrzymanie odwołano.' },
    restart: { soon: 'Serwer uruchomi się ponownie za {time}.', off: 'Serwer działa dalej: restart odwołano.' },
  },
  de: {
    stop: { soon: 'Dieser Server stoppt in {time}.', off: 'Der Server läuft weiter: Der Stopp wurde abgesagt.' },
    restart: {
      soon: 'Dieser Server startet in {time} neu.',
      off: 'Der Server läuft weiter: Der Neustart wurde abgesagt.',
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

export function soonText(language: Language, action: CountedAction, seconds: number): string {
  return texts[language][action].soon.replace('{time}', timeText(language, seconds))
}

export const calledOffText = (language: Language, action: CountedAction) => texts[language][action].off

function timeText(language: Language, seconds: number): string {
  const isWhole = seconds >= 60 && seconds % 60 === 0
  const count = isWhole ? seconds / 60 : seconds
  const words = units[language][isWhole ? 'minute' : 'second']
  return `${count} ${words[new Intl.PluralRules(language).select(count)] ?? words.other}`
}
