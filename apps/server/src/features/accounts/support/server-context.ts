/** A server as it is when somebody writes about it: what those who answer would ask first. */
import type { TicketContext } from '@wakestone/contract/accounts/support'
import { panelState } from '@wakestone/contract/states'
import { createFenceFinder } from '@wakestone/minecraft/command-fence'
import type { ConsoleLine } from '@wakestone/protocol/supervisor'
import type { Context } from '#src/context.ts'
import { showCrash } from '#src/features/servers/crashes/service.ts'
import { describeStatus, type ServerRow } from '#src/features/servers/servers/service.ts'
import { blotSecrets } from './blot.ts'

const linesTaken = 200
/** Whoever writes waits for it. */
const patienceMilliseconds = 2_500
/** The history comes at once, in pieces. */
const quietMilliseconds = 200

export async function takeContext(
  { db, fleet }: Pick<Context, 'db' | 'fleet'>,
  server: ServerRow,
): Promise<TicketContext> {
  const [crash, console] = await Promise.all([
    showCrash(db, server),
    readConsole(fleet, server.id).catch(() => []), // not up: the crash tells, or nothing does
  ])
  const from = console.length > 0 ? 'console' : (crash?.last_lines.length ?? 0) > 0 ? 'crash' : null
  const lines = from === 'crash' ? (crash?.last_lines ?? []) : console
  return {
    server_id: server.id,
    name: server.name,
    product: server.product_id,
    engine: server.engine,
    engine_version: server.engine_version,
    state: panelState(describeStatus(server)),
    crash: crash && { at: crash.at, tag: crash.tag, exit: crash.exit },
    // A key over several lines may begin before those that are taken.
    lines: blotSecrets(lines.slice(-2 * linesTaken)).slice(-linesTaken),
    lines_from: from,
    taken_at: new Date().toISOString(),
  }
}

/** What its supervisor has kept of the console, oldest first. Wakes nothing. */
async function readConsole(fleet: Context['fleet'], serverId: string): Promise<string[]> {
  const patience = AbortSignal.timeout(patienceMilliseconds)
  const supervisor = await fleet.find(serverId)
  if (supervisor === undefined) return []
  const opening = supervisor.openStream(0)
  const stream = await Promise.race([opening, ended(patience)])
  if (stream === undefined) {
    void opening.then(
      (late) => late.close(),
      () => undefined,
    )
    return []
  }
  try {
    return await new Promise<string[]>((resolve) => {
      const lines: ConsoleLine[] = []
      const isOfFence = createFenceFinder()
      const done = () => resolve(lines.map(({ text }) => text))
      let quiet = setTimeout(done, quietMilliseconds)
      stream.onMessage((message) => {
        if (message.type !== 'console') return
        lines.push(...message.lines.filter((line) => !isOfFence(line)))
        if (lines.length > 4 * linesTaken) lines.splice(0, lines.length - 2 * linesTaken)
        clearTimeout(quiet)
        quiet = setTimeout(done, quietMilliseconds)
      })
      stream.onClose(done)
      patience.addEventListener('abort', done)
    })
  } finally {
    stream.close()
  }
}

const ended = (signal: AbortSignal) =>
  new Promise<undefined>((resolve) => {
    signal.addEventListener('abort', () => resolve(undefined))
  })
