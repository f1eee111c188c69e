/** What Bedrock players read of a server whose game cannot speak for itself. */
import { legacyTextFromSpans } from '@wakestone/minecraft/text'
import { type Subject, subjectOf } from '../answers.ts'
import { messageSpans } from '../messages.ts'
import type { Wakes } from '../waking/wakes.ts'
import type { BedrockRoute } from './routes.ts'

const nameless = { language: 'en', serverName: '' } as const

function text({ situation, route, seconds }: Subject, between: string): string {
  const { language, serverName } = route ?? nameless
  const legacy = legacyTextFromSpans(
    messageSpans({ situation, language, serverName, between, withHint: true, seconds }),
  )
  // A colour does not end bold letters here.
  return legacy.replace('§7', '§r§7')
}

/** The one line of the server list. */
export const listText = (route: BedrockRoute, wakes: Wakes): string => text(subjectOf(route, wakes), ' ')

/** Why somebody is not let in now. */
export const farewellText = (subject: Subject): string => text(subject, '\n\n')
