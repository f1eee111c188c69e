/** Changes what a server runs: begun here, done by operations. */
import { DomainError } from '@wakestone/contract/errors'
import type { Product } from '@wakestone/contract/sales/product'
import { type EngineId, gameOfEngine } from '@wakestone/contract/servers/server'
import type { changeEngineBody, serverEngineSchema } from '@wakestone/contract/servers/engine'
import { gameVersionOf } from '@wakestone/packager/game-version'
import type { z } from 'zod'
import type { EngineCatalogue } from '#src/adapters/engines/catalogue.ts'
import type { Context } from '#src/context.ts'
import { inTransaction } from '#src/db/client.ts'
import { canBackUp } from '#src/features/servers/backups/service.ts'
import { beginOperation, requireIdle } from '#src/features/servers/operations/service.ts'
import { carryPackages } from '#src/features/servers/packages/service.ts'
import { withStartFlags } from '#src/features/servers/parameters/service.ts'
import {
  isLive,
  keepsWorld,
  requireNoDowngrade,
  requireRunnable,
  type ServerRow,
  worldsOf,
} from '#src/features/servers/servers/service.ts'
import type { SetupInput } from './phases.ts'
import { findSnapshot } from './repo.ts'

export { engineChange, engineReturn, format } from './operations.ts'
export { writeAllDeleted as forgetSnapshots } from './repo.ts'
export { clearSnapshots } from './upkeep.ts'

type Deps = Pick<Context, 'db' | 'boss' | 'settings' | 'logger'>
type Asked = { server: ServerRow; userId: string }

const stopOf = (server: ServerRow, id: string) => (isLive(server.phase) ? id : null)

export async function describeEngine(
  { db }: Pick<Context, 'db'>,
  server: ServerRow,
): Promise<z.input<typeof serverEngineSchema>> {
  const kept = await findSnapshot(db, server.id)
  return {
    engine: server.engine as EngineId,
    version: server.engine_version,
    back:
      kept === undefined
        ? null
        : {
            engine: kept.setup.engine as EngineId,
            version: kept.setup.version,
            from: kept.created_at.toISOString(),
            until: kept.expires_at.toISOString(),
          },
  }
}

/** @throws DomainError when the server may not be changed, or there is no such engine. */
export async function changeEngine(
  deps: Deps & { engines: EngineCatalogue },
  { server, userId }: Asked,
  body: z.output<typeof changeEngineBody>,
) {
  requireRunnable(server)
  // Players of one game cannot join the other, and neither knows the other's worlds.
  if (gameOfEngine[body.engine] !== server.game)
    throw new DomainError('engine_version_not_found', { engine: body.engine, version: body.version ?? '' })
  await requireIdle(deps.db, server.id)
  const version = body.version ?? (await findLatest(deps.engines, body.engine))
  const keep = body.ignore_format ? null : body.keep_files
  const resolved = await deps.engines.resolveEngine({
    engine: body.engine,
    version,
    serverName: server.name,
    players: (server.limits as Product['parameters']).players,
  })
  if (keepsWorld(keep))
    for (const world of worldsOf(server)) requireNoDowngrade(world, gameVersionOf(resolved.packages))
  const plan = withStartFlags(await carryPackages(deps, server.id, resolved, body.engine), server.start_flags)
  const input: SetupInput = {
    setup: { engine: body.engine, version, plan },
    keep,
    isKept: !body.ignore_backup,
    isBackedUp: !body.ignore_backup && (await canBackUp(deps, server.id)),
    restore: null,
  }
  const about = { engine: body.engine, version, old_engine: server.engine, old_version: server.engine_version }
  const id = await begin(deps, { server, userId, kind: 'engine_change', input, about })
  return { change_engine_process_id: id, stop_game_process_id: stopOf(server, id) }
}

/** @throws DomainError `resource_not_found` when there is nothing to go back to. */
export async function returnEngine(deps: Deps, { server, userId }: Asked) {
  requireRunnable(server)
  const kept = await findSnapshot(deps.db, server.id)
  if (kept === undefined) throw new DomainError('resource_not_found', { resource: 'server' })
  const input: SetupInput = { setup: kept.setup, keep: null, isKept: true, isBackedUp: false, restore: kept.id }
  const about = {
    engine: kept.setup.engine,
    version: kept.setup.version,
    old_engine: server.engine,
    old_version: server.engine_version,
  }
  const id = await begin(deps, { server, userId, kind: 'engine_return', input, about })
  return { change_engine_process_id: id, stop_game_process_id: stopOf(server, id) }
}

export async function formatServer(
  deps: Deps,
  { server, userId }: Asked,
  { keep_files, ignore_backup }: { keep_files: string[]; ignore_backup: boolean },
) {
  requireRunnable(server)
  const isBackedUp = !ignore_backup && (await canBackUp(deps, server.id))
  const input: SetupInput = { setup: null, keep: keep_files, isKept: !ignore_backup, isBackedUp, restore: null }
  const id = await begin(deps, { server, userId, kind: 'format', input, about: { keep: keep_files } })
  return { format_process_id: id, stop_game_process_id: stopOf(server, id) }
}

function begin(
  deps: Deps,
  given: Asked & { kind: 'engine_change' | 'engine_return' | 'format'; input: SetupInput } & Pick<
      Parameters<typeof beginOperation>[2],
      'about'
    >,
): Promise<string> {
  const { server, ...rest } = given
  return inTransaction(deps.db, (trx) => beginOperation(deps, trx, { serverId: server.id, ...rest }))
}

async function findLatest(engines: EngineCatalogue, wanted: string): Promise<string> {
  const engine = (await engines.listEngines()).find(({ id }) => id === wanted)
  if (engine === undefined) throw new DomainError('engine_catalogue_unavailable', { engine: wanted })
  return engine.latest
}
