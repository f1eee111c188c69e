/** Every kind of operation that a worker can do. */
import { engineChange, engineReturn, format } from '#src/features/servers/engine-change/service.ts'
import type { OperationDefinition } from '#src/features/servers/operations/service.ts'

export const allOperations: readonly OperationDefinition[] = [engineChange, engineReturn, format]
