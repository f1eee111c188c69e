/** Every kind of operation that a worker can do. */
import type { OperationDefinition } from '#src/features/servers/operations/service.ts'

export const allOperations: readonly OperationDefinition[] = []
