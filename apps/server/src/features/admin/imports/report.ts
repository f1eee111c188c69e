/** What came of an import, for the operator: as text, and for programs as JSON. */

export const kinds = ['account', 'balance', 'server', 'files', 'database'] as const
export type Kind = (typeof kinds)[number]
/** `changed`: it came before, and has changed there since; nothing is done about that. */
export const outcomes = ['made', 'found', 'unchanged', 'changed', 'waiting', 'left out'] as const
export type Outcome = (typeof outcomes)[number]

export type Line = {
  kind: Kind
  /** As the other system names it. */
  key: string
  name: string
  outcome: Outcome
  /** Of what there is here. */
  id?: string
  /** Why it was left out, or waits. */
  reason?: string
  notes: string[]
  /** Of servers: where players join it there and here. */
  addresses?: { before: string[]; now: string | null }
}

export type Report = {
  system: string
  origin: string
  /** Null where nothing was written. */
  import_id: string | null
  dry_run: boolean
  totals: Record<Kind, Partial<Record<Outcome, number>>>
  lines: Line[]
  notes: string[]
}

export function countLines(lines: readonly Line[]): Report['totals'] {
  const totals = Object.fromEntries(kinds.map((kind) => [kind, {}])) as Report['totals']
  for (const { kind, outcome } of lines) totals[kind][outcome] = (totals[kind][outcome] ?? 0) + 1
  return totals
}

const plurals: Record<Kind, string> = {
  account: 'Accounts',
  balance: 'Balances',
  server: 'Servers',
  files: 'Files of servers',
  database: 'Databases',
}
const words: Record<Outcome, string> = {
  made: 'brought in',
  found: 'here already',
  unchanged: 'came before',
  changed: 'came before, changed there since',
  waiting: 'waiting',
  'left out': 'left out',
}
const wordsOfDryRun: Partial<Record<Outcome, string>> = { made: 'would be brought in', waiting: 'would wait' }

/** Names come from outside: nothing in them moves a terminal's cursor. */
const plain = (text: string) => text.replace(/\p{C}/gu, '?')

export function describeReport(report: Report): string {
  const word = (outcome: Outcome) => (report.dry_run ? wordsOfDryRun[outcome] : undefined) ?? words[outcome]
  const lines: string[] = []
  for (const kind of kinds) {
    const counts = outcomes.filter((outcome) => report.totals[kind][outcome] !== undefined)
    if (counts.length === 0) continue
    lines.push(`${plurals[kind]}: ${counts.map((one) => `${report.totals[kind][one]} ${word(one)}`).join(', ')}`)
  }
  if (lines.length === 0) lines.push('There is nothing to bring in.')
  const told = report.lines.filter(({ outcome, notes }) => isTold(outcome) || notes.length > 0)
  if (told.length > 0) lines.push('')
  for (const { kind, name, outcome, reason, notes } of told) {
    const about = [
      ...(isTold(outcome) ? [`${word(outcome)}${reason === undefined ? '' : `: ${reason}`}`] : []),
      ...notes,
    ]
    lines.push(plain(`  ${kind} ${name}: ${about.join('; ')}`))
  }
  const moved = report.lines.filter(({ addresses, outcome }) => addresses !== undefined && outcome !== 'left out')
  if (moved.length > 0) lines.push('', 'Addresses, as they were and as they are:')
  for (const { name, addresses } of moved)
    lines.push(
      plain(`  ${name}: ${addresses?.before.join(', ') || 'none'} -> ${addresses?.now ?? 'given by the import'}`),
    )
  if (report.notes.length > 0) lines.push('', ...report.notes.map(plain))
  lines.push('')
  if (report.dry_run) lines.push('This was a dry run: nothing was written.')
  else if (report.import_id === null) lines.push('Nothing was changed.')
  else lines.push(`Import ${report.import_id}. To undo it: npm run import -- --undo ${report.import_id}`)
  return lines.join('\n')
}

const isTold = (outcome: Outcome) => outcome === 'left out' || outcome === 'waiting' || outcome === 'changed'
