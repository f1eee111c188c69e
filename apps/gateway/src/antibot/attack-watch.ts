/** Tells by what comes to a server whether bots attack it. */

/** What is enough in ten seconds, or in as long as `windowMs` says. */
export type AttackRules = {
  /** Players who were never here before. */
  newcomers: number
  /** Newcomers whose names are the same but for their digits. */
  alike: number
  /** Connections that say where they want to go, and then nothing. */
  unfinished: number
  windowMs?: number
  /** An attack is over once there was not half as much for so long. */
  quietMs: number
}

export type AttackWatch = {
  /** @param who the same one counts once, however often they come; undefined: nobody can tell. */
  newcomer(name: string | null, who?: string): void
  unfinished(): void
  /** When the attack began that goes on; undefined: none does. */
  since(): number | undefined
}

/** No rule may ask for more: what came before the latest so many is forgotten. */
export const mostOfRule = 128

/** The stem of names that count up; undefined where no digit is. */
export function stemOf(name: string): string | undefined {
  const stem = name.toLowerCase().replace(/\d+/g, '#')
  return stem.includes('#') ? stem : undefined
}

export function createAttackWatch(rules: AttackRules, now: () => number): AttackWatch {
  const { windowMs = 10_000, quietMs } = rules
  let newcomers: { at: number; stem: string | undefined; who: string | undefined }[] = []
  let unfinished: number[] = []
  let began: number | undefined
  let lastBad = 0

  function look() {
    const from = now() - windowMs
    newcomers = newcomers.filter(({ at }) => at > from).slice(-mostOfRule)
    unfinished = unfinished.filter((at) => at > from).slice(-mostOfRule)
    // What ends an attack is less than what begins one, so that one at the edge does not begin and end all the time.
    const share = began === undefined ? 1 : 0.5
    const isBad =
      newcomers.length >= rules.newcomers * share ||
      unfinished.length >= rules.unfinished * share ||
      mostAlike() >= rules.alike * share
    if (!isBad) return
    lastBad = now()
    began ??= lastBad
  }

  function mostAlike() {
    const counts = new Map<string, number>()
    let most = 0
    for (const { stem } of newcomers) {
      if (stem === undefined) continue
      const count = (counts.get(stem) ?? 0) + 1
      counts.set(stem, count)
      most = Math.max(most, count)
    }
    return most
  }

  return {
    newcomer(name, who) {
      const known = who === undefined ? undefined : newcomers.find((one) => one.who === who)
      if (known) known.at = now()
      else newcomers.push({ at: now(), stem: name === null ? undefined : stemOf(name), who })
      look()
    },
    unfinished() {
      unfinished.push(now())
      look()
    },
    since() {
      if (began !== undefined && now() - lastBad > quietMs) began = undefined
      return began
    },
  }
}
