/** Servers that run a program of a test's own, in the place of an engine of the catalogue. */
import { sql } from 'kysely'
import { buildInstallPlan } from '@wakestone/packager/plan'
import { sealManifest } from '@wakestone/packager/hash'
import type { TestApi } from './api.ts'

const nothing = sealManifest({
  manifestVersion: 1,
  name: 'nothing',
  packageVersion: '1',
  contentVersion: '1',
  versionFormat: 'number',
  subdir: '.',
  depends: [],
  dependencies: [],
  provides: [],
  setEnv: [],
  labels: {},
  filesHash: null,
  downloadFiles: [],
})

/** Gives a server that nobody has placed yet a command to run; it stops by the line `stop`. */
export async function giveCommand(
  { context: { db } }: Pick<TestApi, 'context'>,
  serverId: string,
  command: string[],
): Promise<void> {
  const launch = { command, env: {}, stopCommand: 'stop' }
  const plan = buildInstallPlan({ engine: nothing, packages: [], files: [], launch })
  await sql`update server_plans set plan = ${JSON.stringify(plan)} where server_id = ${serverId}`.execute(db)
  await sql`update servers set plan_hash = ${plan.hash} where id = ${serverId}`.execute(db)
}
