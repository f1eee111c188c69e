/** What would make impossible wishes possible: a package less, another version of it, another version of the game. */
import type { Manifest } from '../manifest.ts'
import { offersOf, versionOf } from '../requirements.ts'
import { attempt, type Attempt } from './attempt.ts'
import type { SolveRequest, Wish } from './request.ts'
import { StepLimitError } from './search.ts'

export type Change =
  | { kind: 'remove'; package: string }
  /** In another version than was asked for. */
  | { kind: 'version'; package: string; version: string }
  /** Of the game, of the engine or of Java. */
  | { kind: 'ground'; of: 'game' | 'engine' | 'java'; name: string; version: string }

export type Alternative = { changes: Change[]; targets_manifests: Manifest[] }

/** What was given up of a wish. */
type Loosening = { wish: Wish; how: 'remove' | 'any-version' }

const MOST_ALTERNATIVES = 5
const MOST_ATTEMPTS = 40
const MOST_CHANGES = 3

type Options = SolveRequest & {
  /** Wishes that the conflict stands on. Whatever helps must touch one of them. */
  conflicting: readonly Wish[]
}

/**
 * Fewer changes come first. Each alternative has been solved: it works as it stands. One that has all the changes of
 * another is none.
 */
export function findAlternatives({ conflicting, ...request }: Options): { alternatives: Alternative[]; steps: number } {
  const alternatives: Alternative[] = []
  const solved: Loosening[][] = []
  let open = [{ loosenings: [] as Loosening[], conflicting }]
  const tried = new Set<string>()
  let attempts = 0
  let steps = 0
  for (let count = 1; count <= MOST_CHANGES && alternatives.length === 0; count += 1) {
    const next: typeof open = []
    for (const { loosenings, conflicting: core } of open)
      for (const loosening of core.flatMap(looseningsOf).toSorted((one, other) => weightOf(one) - weightOf(other))) {
        if (loosenings.some(({ wish, how }) => wish === loosening.wish && how === loosening.how)) continue
        const all = [...loosenings.filter(({ wish }) => wish !== loosening.wish), loosening]
        const key = all
          .map(({ wish, how }) => `${request.wishes.indexOf(wish)}${how}`)
          .toSorted()
          .join()
        if (tried.has(key) || solved.some((one) => one.every((part) => all.some((other) => isSame(part, other)))))
          continue
        tried.add(key)
        if (attempts >= MOST_ATTEMPTS || alternatives.length >= MOST_ALTERNATIVES) return { alternatives, steps }
        attempts += 1
        const outcome = tryWith(request, all)
        if (outcome === null) continue
        steps += outcome.steps
        if (outcome.targets) {
          solved.push(all)
          alternatives.push({
            changes: all.map((one) => changeOf(one, outcome.targets)),
            targets_manifests: outcome.targets,
          })
        } else next.push({ loosenings: all, conflicting: outcome.wishes })
      }
    open = next
  }
  return { alternatives, steps }
}

const isSame = (one: Loosening, other: Loosening) => one.wish === other.wish && one.how === other.how

/** The gentlest first: another version, a package less, another game. */
function weightOf({ wish, how }: Loosening): number {
  if (wish.of !== 'owner') return 2
  return how === 'remove' ? 1 : 0
}

function looseningsOf(wish: Wish): Loosening[] {
  const { selector, of } = wish
  const isLoose = selector.expr === undefined && selector.tag === undefined
  const other: Loosening[] = isLoose ? [] : [{ wish, how: 'any-version' }]
  return of === 'owner' ? [...other, { wish, how: 'remove' }] : other
}

function tryWith(request: SolveRequest, loosenings: readonly Loosening[]): Attempt | null {
  const wishes = request.wishes.flatMap((wish): Wish[] => {
    const loosening = loosenings.find((one) => one.wish === wish)
    if (!loosening) return [wish]
    if (loosening.how === 'remove') return []
    const { expr: _, tag: __, ...selector } = wish.selector
    return [{ ...wish, selector }]
  })
  try {
    return attempt({ ...request, wishes })
  } catch (error) {
    // One that cannot be told in the time is not offered.
    if (error instanceof StepLimitError) return null
    throw error
  }
}

function changeOf({ wish, how }: Loosening, targets: readonly Manifest[]): Change {
  const name = wish.selector.name ?? wish.selector.provides!
  const isLeft = targets.some((manifest) => manifest.name === name)
  // What others need stays, if not as it was asked for.
  if (how === 'remove' && !isLeft) return { kind: 'remove', package: name }
  const target = targets.find((manifest) => offersOf(manifest).some((offer) => offer.name === name))!
  if (wish.of === 'owner') return { kind: 'version', package: name, version: versionOf(target).version }
  const { text } = offersOf(target).find((offer) => offer.name === name)!
  return { kind: 'ground', of: wish.of, name, version: text }
}
