import type { ServerChanges } from '#src/features/servers/servers/service.ts'
import type { Api } from '#src/http/implement.ts'
import { registerConsoleSocket } from './console-socket.ts'
import { registerEventStream } from './event-stream.ts'
import { createLiveViews } from './live-view.ts'

export function registerConsoleRoutes(
  api: Api,
  changes: { changes: ServerChanges; operationChanges: ServerChanges; fileChanges: ServerChanges },
): void {
  const { fleet } = api.context
  const views = createLiveViews(api, { ...changes, fleet })
  registerConsoleSocket(api, fleet, views)
  registerEventStream(api, views)
}
