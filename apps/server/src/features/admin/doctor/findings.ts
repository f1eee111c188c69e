/** What the doctor has to say, and how it says it. */

/** `notice` asks for nothing; a `warning` will become trouble; a `fault` is trouble now. */
export type Level = 'ok' | 'notice' | 'warning' | 'fault'

export type Finding = {
  /** What was looked at: a name that stays, for scripts. */
  check: string
  level: Level
  what: string
  /** What comes of it, and what to do about it; of everything that is not `ok`. */
  why?: string
  todo?: string
}

export type Diagnosis = { at: string; level: Level; findings: Finding[] }

const order: readonly Level[] = ['ok', 'notice', 'warning', 'fault']

export const ok = (check: string, what: string): Finding => ({ check, level: 'ok', what })
export const finding = (
  level: Exclude<Level, 'ok'>,
  check: string,
  what: string,
  why: string,
  todo: string,
): Finding => ({
  check,
  level,
  what,
  why,
  todo,
})

export function diagnosisOf(findings: Finding[], at: Date): Diagnosis {
  const level = order[Math.max(0, ...findings.map((one) => order.indexOf(one.level)))] ?? 'ok'
  return { at: at.toISOString(), level, findings }
}

/** 0: well, 1: something will become trouble, 2: something is. */
export const statusOf = ({ level }: Pick<Diagnosis, 'level'>): 0 | 1 | 2 =>
  level === 'fault' ? 2 : level === 'warning' ? 1 : 0

const signs: Record<Level, string> = { ok: 'ok', notice: 'note', warning: 'WARNING', fault: 'FAULT' }

/** For a terminal: what is wrong last, where one looks first. */
export function describeDiagnosis({ findings }: Diagnosis): string {
  const sorted = [...findings].sort((one, other) => order.indexOf(one.level) - order.indexOf(other.level))
  const lines = sorted.flatMap(({ check, level, what, why, todo }) => [
    `${signs[level].padEnd(8)} ${check.padEnd(13)} ${what}`,
    ...(why === undefined ? [] : [`${' '.repeat(23)}${why}`]),
    ...(todo === undefined ? [] : [`${' '.repeat(23)}→ ${todo}`]),
  ])
  const count = (level: Level, word: string) => {
    const all = findings.filter((one) => one.level === level).length
    return `${all} ${word}${all === 1 ? '' : 's'}`
  }
  lines.push('', [count('fault', 'fault'), count('warning', 'warning'), count('notice', 'note')].join(', '))
  return lines.join('\n')
}
