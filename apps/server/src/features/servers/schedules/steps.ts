/** The steps of schedules. */
import { DomainError } from '@wakestone/contract/errors'
import type { ScheduleStep } from '@wakestone/contract/servers/schedules'
import { postOutside } from '#src/adapters/outbound/post.ts'
import { SupervisorError } from '#src/adapters/supervisor/errors.ts'
import type { Context } from '#src/context.ts'
import { createBackup } from '#src/features/servers/backups/service.ts'
import {
  findServer,
  isSleeping,
  restartServer,
  type ServerRow,
  startServer,
  stopServer,
  wakeServer,
} from '#src/features/servers/servers/service.ts'

export type StepDeps = Pick<Context, 'db' | 'boss' | 'fleet' | 'settings'>

const stopSeconds = 120
/** The game is as it should be already. */
const wantedAlready = new Set(['server_is_running', 'game_process_already_started', 'server_is_not_running'])

/** @returns milliseconds to wait before the next step. @throws DomainError, or any Error, when it could not be done. */
export async function performStep(deps: StepDeps, serverId: string, step: ScheduleStep): Promise<number> {
  const server = await findServer(deps.db, serverId)
  if (server === undefined) throw new DomainError('server_id_not_found')
  switch (step.kind) {
    case 'wait':
      return step.seconds * 1000
    case 'power':
      await power(deps, server, step.action)
      return 0
    case 'command':
      await command(deps, server, step.command)
      return 0
    case 'message':
      await command(deps, server, `say ${step.text}`)
      return 0
    case 'backup':
      await createBackup(deps, { server, userId: null }, { name: step.name, pinned: false, cause: 'schedule' })
      return 0
    case 'webhook':
      await callWebhook(deps, server, step.url)
      return 0
  }
}

/** As its owner would. */
async function power(deps: StepDeps, server: ServerRow, action: 'start' | 'stop' | 'restart'): Promise<void> {
  const executor = { userId: server.owner_id }
  try {
    if (action === 'stop') await stopServer(deps, server, { executor, timeout: stopSeconds })
    else if (isSleeping(server)) await wakeServer(deps, server.id, { because: 'schedule' })
    else if (action === 'start') await startServer(deps, server, executor)
    else await restartServer(deps, server, { executor, timeout: stopSeconds })
  } catch (error) {
    const isDone = error instanceof DomainError && wantedAlready.has(error.code) && action !== 'restart'
    if (!isDone) throw error
  }
}

async function command({ fleet }: StepDeps, server: ServerRow, text: string): Promise<void> {
  const supervisor = await fleet.find(server.id)
  if (supervisor === undefined) throw new DomainError('server_is_not_running')
  await supervisor.command(text).catch((error: unknown) => {
    if (error instanceof SupervisorError && error.status === 409) throw new DomainError('server_is_not_running')
    throw error
  })
}

async function callWebhook({ settings }: StepDeps, server: ServerRow, url: string): Promise<void> {
  const body = JSON.stringify({ server_id: server.id, name: server.name, time: new Date().toISOString() })
  const headers = { 'content-type': 'application/json', 'user-agent': 'Wakestone' }
  const { status } = await postOutside(url, { headers, body, mayBePrivate: settings.ALLOW_PRIVATE_TARGETS }).catch(
    () => {
      throw new DomainError('webhook_unreachable')
    },
  )
  if (status >= 400) throw new Error(`HTTP ${status}`)
}
