import type { ServerRow } from '#src/features/servers/servers/service.ts'

/** The first version of Bedrock Dedicated Server that players of newer games ask by HTTP, and that knows nothing else. */
const FIRST = [1, 26, 50]

export function asksByHttp({ engine, engine_version }: Pick<ServerRow, 'engine' | 'engine_version'>): boolean {
  if (engine !== 'bedrock-dedicated') return false
  const parts = engine_version.split('.').map(Number)
  const differing = FIRST.findIndex((part, index) => part !== (parts[index] ?? 0))
  return differing === -1 || (parts[differing] ?? 0) > FIRST[differing]!
}
