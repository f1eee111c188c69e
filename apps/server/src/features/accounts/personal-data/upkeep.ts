/** Copies of data that have been kept long enough. */
import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Context } from '#src/context.ts'
import { defineJob } from '#src/jobs/boss.ts'
import { exportsFolder } from './export.ts'
import { expireExports, failStaleExports, selectKept } from './exports-repo.ts'

const dayMilliseconds = 24 * 3600_000

export const tidyExportsJob = defineJob<Record<string, never>>({
  queue: 'tidy-exports',
  policy: 'short',
  retryLimit: 3,
  retryDelaySeconds: 60,
  expireInSeconds: 300,
})

/** Does the job. Files are removed by what the database says, also those of an account that is gone. */
export async function tidyExports({ db, settings }: Pick<Context, 'db' | 'settings'>, now = new Date()) {
  await failStaleExports(db, new Date(now.getTime() - dayMilliseconds))
  await expireExports(db, now)
  const folder = exportsFolder(settings)
  const files = (await readdir(folder).catch(() => [])).filter((name) => name.endsWith('.zip'))
  const kept = await selectKept(
    db,
    files.map((name) => name.slice(0, -'.zip'.length)),
  )
  for (const name of files) if (!kept.has(name.slice(0, -'.zip'.length))) await rm(join(folder, name), { force: true })
}
