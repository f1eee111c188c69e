/**
 * All versions of Minecraft in one order, also what is no release: `24w45a` < `1.21.4-pre1` < `1.21.4-rc1` < `1.21.4`,
 * and since 2026 `26.1-snapshot-3` < `26.1-pre-1` < `26.1-rc-1` < `26.1`. A build of a server for a release,
 * `1.20.6-151`, stands right before it.
 */
import { readIdentifier, type Version } from './version.ts'

/** Words that sort as the stages of a release do. */
const stages: Record<string, string> = { snapshot: 'a', pre: 'b', rc: 'c' }
/** Behind all stages. */
const BUILD = 'd'

const release = /^(\d{1,4}(?:\.\d{1,4}){1,2})$/
const build = /^(\d{1,4}(?:\.\d{1,4}){1,2})-(\d{1,9})$/
const stage = /^(\d{1,4}(?:\.\d{1,4}){1,2})(?:-| )(snapshot|pre|rc|Pre-[Rr]elease|Release Candidate)[- ]?(\d{1,4})?$/
const weekly = /^(\d{2})w(\d{2})([a-z])$/

/** First week of the snapshots of each release, newest first: `yyww`. Those before the last row are of no release here. */
const firstWeeks: readonly (readonly [week: number, release: string])[] = [
  [2541, '1.21.11'],
  [2531, '1.21.9'],
  [2515, '1.21.6'],
  [2502, '1.21.5'],
  [2444, '1.21.4'],
  [2433, '1.21.2'],
  [2418, '1.21'],
  [2351, '1.20.5'],
  [2340, '1.20.3'],
  [2331, '1.20.2'],
  [2312, '1.20'],
  [2303, '1.19.4'],
  [2242, '1.19.3'],
  [2224, '1.19.1'],
  [2211, '1.19'],
  [2203, '1.18.2'],
  [2137, '1.18'],
  [2045, '1.17'],
  [2027, '1.16.2'],
  [2006, '1.16'],
  [1934, '1.15'],
  [1843, '1.14'],
  [1830, '1.13.1'],
  [1743, '1.13'],
  [1731, '1.12.1'],
  [1706, '1.12'],
  [1650, '1.11.1'],
  [1632, '1.11'],
  [1620, '1.10'],
  [1614, '1.9.3'],
  [1531, '1.9'],
  [1402, '1.8'],
]

/** @returns null for what is no version of the game: jokes of April, names of other programs */
export function parseAnyMinecraftVersion(text: string): Version | null {
  const released = release.exec(text)
  if (released) return { numbers: numbersOf(released[1]!), suffix: [] }
  const built = build.exec(text)
  if (built) return { numbers: numbersOf(built[1]!), suffix: [BUILD, Number(built[2])] }
  const staged = stage.exec(text)
  if (staged) {
    const word = staged[2]!.startsWith('Pre') ? 'pre' : staged[2]!.startsWith('Rel') ? 'rc' : staged[2]!
    return { numbers: numbersOf(staged[1]!), suffix: [stages[word]!, Number(staged[3] ?? 1)] }
  }
  const week = weekly.exec(text)
  if (!week) return null
  const number = Number(week[1]) * 100 + Number(week[2])
  const target = firstWeeks.find(([first]) => first <= number)?.[1] ?? '0.0'
  return { numbers: numbersOf(target), suffix: [stages.snapshot!, number, readIdentifier(week[3]!)] }
}

/** Whether it is a numbered build of the release of its numbers. */
export const isMinecraftBuild = ({ suffix }: Version): boolean => suffix[0] === BUILD

const numbersOf = (text: string): number[] => text.split('.').map(Number)
