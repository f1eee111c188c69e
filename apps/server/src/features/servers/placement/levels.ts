/** Keeps at which level a server is to be, and tells its owner when it falls asleep and what wakes it. */
import { awakeReasons, type Decision, hasGame, isAsleep, type Level } from '@wakestone/contract/servers/levels'
import type { SupervisorStatus } from '@wakestone/protocol/supervisor'
import { type Db, inTransaction } from '#src/db/client.ts'
import { recordServerEvent } from '#src/features/ground/events/service.ts'
import type { ServerRow } from '#src/features/servers/servers/service.ts'
import { writeLevel } from './level-repo.ts'

/** What its supervisor says, and the level that was written before that was asked for. */
type Known = { status: SupervisorStatus; written: Decision }

const isAwake = (level: Level) => hasGame[level] && !isAsleep(level)

/** Writes the level where it is another than before. That it sleeps deeper, or begins and ends, is no news of its own. */
export async function keepLevel(
  db: Db,
  server: ServerRow,
  { decision, known }: { decision: Decision; known: Known | undefined },
): Promise<void> {
  const written = known?.written
  const before = (written?.level ?? server.level ?? 'NEW') as Level
  const sleeps = isAwake(before) && isAsleep(decision.level)
  const wakes = isAsleep(before) && isAwake(decision.level)
  if (!sleeps && !wakes) return void (await writeLevel(db, server, { decision, written }))
  await inTransaction(db, async (trx) => {
    if (!(await writeLevel(trx, server, { decision, written }))) return
    await (sleeps
      ? recordServerEvent(trx, server.id, { action: 'SERVER_SLEEP', data: { cause: decision.because.join(' ') } })
      : recordServerEvent(trx, server.id, { action: 'SERVER_WAKE', data: wakerOf(server, decision, known) }))
  })
}

/**
 * Who has woken a game that was frozen: gateways thaw it for players without asking anybody, often before its supervisor
 * knows who comes. One that nobody has needed since before it slept was not thawed: its plan has other times.
 */
function wakerOf(server: ServerRow, { because }: Decision, known: Known | undefined) {
  const { level_since: since } = server
  const told = known === undefined ? server.empty_since : known.status.emptySince
  const isThawed = told == null || since === null || new Date(told) > since
  const cause = awakeReasons.find((reason) => because.includes(reason)) ?? (isThawed ? 'player' : undefined)
  const [name, ...others] = known?.status.players.names ?? []
  const player = cause === 'player' && others.length === 0 ? name : undefined
  return { ...(cause !== undefined && { cause }), ...(player !== undefined && { player }) }
}
