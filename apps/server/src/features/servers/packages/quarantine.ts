/** Takes what turned out to be malice away from every server that has it, whatever its owner wants. */
import { DomainError } from '@wakestone/contract/errors'
import { busyCodes } from '@wakestone/contract/servers/operations'
import { plainPathsOf } from '@wakestone/packager/placement'
import type { Context } from '#src/context.ts'
import { inTransaction } from '#src/db/client.ts'
import { notify } from '#src/features/ground/notifications/service.ts'
import { beginOperation, cancelOperation } from '#src/features/servers/operations/service.ts'
import { findServer } from '#src/features/servers/servers/service.ts'
import { readInventory } from './inventory.ts'
import { findRules } from './rules.ts'
import { draftRemoval } from './uninstall.ts'

type Deps = Pick<Context, 'db' | 'boss' | 'settings'>

/**
 * Begins to take every package of a server away that has one of these files, and what cannot be without them.
 * @param hashes as manifests write them
 * @returns false while something else has the server: it is asked to go back, and this has to be asked for again.
 */
export async function isolatePackages(
  deps: Deps,
  { serverId, hashes }: { serverId: string; hashes: readonly string[] },
): Promise<boolean> {
  try {
    await inTransaction(deps.db, async (trx) => {
      const server = await findServer(trx, serverId)
      if (server === undefined) return
      const inventory = await readInventory(trx, serverId)
      const bad = inventory.installed
        .map(({ Manifest: manifest }) => manifest)
        .filter(({ downloadFiles }) => downloadFiles.some(({ hash }) => hashes.includes(hash)))
      if (bad.length === 0) return
      const rules = await findRules({ db: trx, settings: deps.settings }, server)
      const draft = draftRemoval(inventory, {
        packages: bad.map(({ name }) => ({ name })),
        force: true,
        server,
        rules,
        cause: 'quarantine',
      })
      const names = draft.preview.removed.map(({ name }) => name)
      await beginOperation(deps, trx, {
        serverId,
        kind: 'package_quarantine',
        input: { ...draft.input, isolate: bad.flatMap(plainPathsOf) },
        about: { packages: names },
        userId: null,
      })
      await notify(trx, {
        userId: server.owner_id,
        kind: 'PACKAGE_QUARANTINED',
        fields: { server: server.name, package: names.join(', ').slice(0, 200) },
        resource: { type: 'server', id: serverId },
        dedupeKey: `quarantine ${serverId} ${bad.map(({ ManifestHash }) => ManifestHash.slice(0, 16)).join()}`,
      })
    })
    return true
  } catch (error) {
    const isBusy = error instanceof DomainError && Object.values(busyCodes).some((code) => code === error.code)
    if (!isBusy) throw error
    await giveWay(deps, serverId, String(error.fields?.['process_id'] ?? ''))
    return false
  }
}

/** What can go back goes back; the rest is waited for. One that takes the same away is let be. */
async function giveWay(deps: Deps, serverId: string, processId: string): Promise<void> {
  await cancelOperation(deps, serverId, processId).catch((error: unknown) => {
    if (!(error instanceof DomainError)) throw error
  })
}
