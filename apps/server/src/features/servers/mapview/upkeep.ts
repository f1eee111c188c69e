import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { mapsFolder } from '#src/adapters/map-renderer/run.ts'
import type { Context } from '#src/context.ts'
import * as repo from './repo.ts'

/** Removes the tiles of servers whose files are gone. */
export async function clearMaps({ db, settings }: Pick<Context, 'db' | 'settings'>): Promise<void> {
  const folder = mapsFolder(settings)
  const ids = (await readdir(folder).catch(() => [])).filter((name) => /^[0-9a-f-]{36}$/.test(name))
  const kept = await repo.selectKept(db, ids)
  for (const id of ids) {
    if (kept.has(id)) continue
    await rm(join(folder, id), { recursive: true, force: true })
    await repo.forgetDrawn(db, id)
  }
}
