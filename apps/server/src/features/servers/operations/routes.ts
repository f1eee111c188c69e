import * as routes from '@wakestone/contract/servers/operations-routes'
import { type Api, implement } from '#src/http/implement.ts'
import { cancelOperation, getOperation, listOperations } from './service.ts'

export function registerOperationRoutes(api: Api): void {
  const { context } = api
  implement(api, routes.listProcesses, ({ server }) => listOperations(context.db, server.id))
  implement(api, routes.getProcess, ({ server, params }) => getOperation(context.db, server.id, params.process_id))
  implement(api, routes.cancelProcess, ({ server, params }) => cancelOperation(context, server.id, params.process_id))
}
