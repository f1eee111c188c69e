/** What a game shows in the server list, by its own answers. */
import type { StatusSummary } from '@wakestone/minecraft/status'
import { plainText } from '@wakestone/minecraft/text'
import type { Face } from '@wakestone/protocol/supervisor'
import { descriptionLength, iconLength } from '@wakestone/protocol/values'

/** Of an answer, whichever edition's. */
export type Shown = Pick<StatusSummary, 'description' | 'version' | 'protocol' | 'max' | 'icon'>

/** Some show another text to each who asks: the first few changes are told soon, later ones seldom. */
const SOON_MS = 30_000
const SOON_TIMES = 5
const SELDOM_MS = 10 * 60_000

export function createFaceTeller(tell: (face: Face) => void) {
  let told = ''
  let times = 0
  let next = -Infinity
  return {
    take(answer: Shown, now = performance.now()) {
      if (now < next) return
      const face = faceOf(answer)
      const text = JSON.stringify(face)
      if (text === told) return
      told = text
      next = now + (++times < SOON_TIMES ? SOON_MS : SELDOM_MS)
      tell(face)
    },
    /** The game has been started anew. */
    restart() {
      times = 0
      next = -Infinity
    },
  }
}

export function faceOf({ description, version, protocol, max, icon }: Shown): Face {
  const json = JSON.stringify(description ?? '')
  return {
    description:
      json.length <= descriptionLength ? json : JSON.stringify(plainText(description).slice(0, descriptionLength / 8)),
    version: version.slice(0, 100),
    versionProtocol: Math.max(-(2 ** 31), Math.min(2 ** 31 - 1, protocol)),
    max,
    icon: icon !== null && icon.length <= iconLength ? icon : null,
  }
}
