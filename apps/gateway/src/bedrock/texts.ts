/** What Bedrock players read of a server whose game cannot speak for itself. */
import { legacyTextFromSpans } from '@wakestone/minecraft/text'
import type { Route } from '@wakestone/protocol/gateway'
import { subjectOf } from '../answers.ts'
import { type Language, messageSpans } from '../messages.ts'
import { isAsleep } from './route-kind.ts'

const asleep: Record<Language, string> = {
  en: '{name} is asleep, join to wake it',
  pl: '{name} śpi, dołącz, aby go obudzić',
  de: '{name} schläft, beim Beitreten wacht er auf',
}

const waking: Record<Language, (seconds: number) => string> = {
  en: (seconds) => `§6§l{name} is waking up§r\n\n§7Join again in about ${seconds} seconds.`,
  pl: (seconds) => `§6§l{name} się budzi§r\n\n§7Dołącz ponownie za około ${seconds} s.`,
  de: (seconds) => `§6§l{name} wacht gerade auf§r\n\n§7Tritt in etwa ${seconds} Sekunden noch einmal bei.`,
}

/** Shown where it is not known how long a start takes. */
const USUAL_SECONDS = 30

/** A server's name is its owner's choice: it must not add lines or colours of its own. */
const named = (text: string, { serverName }: Route) =>
  text.replace('{name}', () => serverName.replace(/[§\p{Cc}]/gu, '').slice(0, 64))

/** The one line of the server list. */
export function listText(route: Route): string {
  if (isAsleep(route)) return `§9${named(asleep[route.language], route)}`
  return legacyTextFromSpans(spansOf(route, { between: '', withHint: false }))
}

/** Why somebody is not let in now. */
export function farewellText(route: Route): string {
  return legacyTextFromSpans(spansOf(route, { between: '\n\n', withHint: true }))
}

/** @param expectedSeconds null: nobody knows */
export function wakingText(route: Route, expectedSeconds: number | null): string {
  return named(waking[route.language](Math.max(1, Math.ceil(expectedSeconds ?? USUAL_SECONDS))), route)
}

function spansOf(route: Route, how: { between: string; withHint: boolean }) {
  const { language, serverName } = route
  return messageSpans({ situation: subjectOf(route).situation, language, serverName, ...how })
}
