/** Taking packages away: what needs them, what nobody needs any more, and in which order they go. */
import type { Manifest } from '../manifest.ts'
import { createMatcher, requirementsOf } from '../requirements.ts'
import type { Selector } from '../selector.ts'

export type RemovalRequest = {
  installed: readonly Manifest[]
  /** Names of what was asked for; the rest came along. */
  asked: ReadonlySet<string>
  remove: ReadonlySet<string>
}

export type Removal = {
  /** What would stay without something that it needs. */
  missing_dependants: { dependant: string; selector: Selector }[]
  /** What goes: what was named, and what came along with it and nobody needs; dependants first. */
  uninstall_queue: Manifest[]
}

export function planRemoval({ installed, asked, remove }: RemovalRequest): Removal {
  const gone = new Set(installed.filter(({ name }) => remove.has(name)))
  const staying = () => installed.filter((manifest) => !gone.has(manifest))
  const missing_dependants = staying().flatMap((manifest) =>
    requirementsOf(manifest).flatMap((selector) => {
      const isMeant = createMatcher(selector)
      // What was missing before is no reason to keep anything.
      if (staying().some(isMeant) || ![...gone].some(isMeant)) return []
      return [{ dependant: manifest.name, selector }]
    }),
  )
  const needed = neededBy(staying(), asked)
  const before = neededBy(installed, asked)
  for (const manifest of staying()) if (before.has(manifest) && !needed.has(manifest)) gone.add(manifest)
  return { missing_dependants, uninstall_queue: orderForRemoval([...gone]) }
}

/** What was asked for, and all that it needs in turn. */
function neededBy(manifests: readonly Manifest[], asked: ReadonlySet<string>): Set<Manifest> {
  const needed = new Set(manifests.filter(({ name }) => asked.has(name)))
  for (const manifest of needed)
    for (const selector of requirementsOf(manifest)) {
      const isMeant = createMatcher(selector)
      for (const other of manifests) if (isMeant(other)) needed.add(other)
    }
  return needed
}

/** Each before what it needs; a circle goes by name. */
export function orderForRemoval(manifests: readonly Manifest[]): Manifest[] {
  const left = manifests.toSorted((one, other) => (one.name < other.name ? -1 : 1))
  const ordered: Manifest[] = []
  while (left.length > 0) {
    const isNeeded = (manifest: Manifest) =>
      left.some((other) => other !== manifest && requirementsOf(other).some((one) => createMatcher(one)(manifest)))
    const place = left.findIndex((manifest) => !isNeeded(manifest))
    ordered.push(...left.splice(Math.max(place, 0), 1))
  }
  return ordered
}
