import { DomainError } from '@wakestone/contract/errors'
import { sendServerCommand } from '@wakestone/contract/servers/servers-routes'
import { createBuckets } from '#src/features/ground/limits/service.ts'
import type { ServerChanges } from '#src/features/servers/servers/service.ts'
import { type Api, implement } from '#src/http/implement.ts'
import { commandsAtOnce, commandsPerSecond, runCommand } from './commands.ts'
import { registerConsoleSocket } from './console-socket.ts'
import { registerEventStream } from './event-stream.ts'
import { createLiveViews } from './live-view.ts'

export function registerConsoleRoutes(
  api: Api,
  changes: { changes: ServerChanges; operationChanges: ServerChanges; fileChanges: ServerChanges },
): void {
  const { fleet } = api.context
  const views = createLiveViews(api, { ...changes, fleet })
  registerConsoleSocket(api, views)
  registerEventStream(api, views)

  const commands = createBuckets(api.context, {
    name: 'server:commands',
    capacity: commandsAtOnce,
    leakSeconds: 1 / commandsPerSecond,
  })
  implement(api, sendServerCommand, async ({ user, server, body }) => {
    const wait = await commands.pour(`${user.userId} ${server.id}`)
    if (wait > 0) throw new DomainError('too_many_requests', { resource: 'server', retry_after: wait })
    await runCommand(api, user, server.id, body.command)
  })
}
