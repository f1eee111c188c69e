// Brings docker-compose, with which the tests bring the containers up that `deploy/compose` describes: this release of Debian
// has one that is too old.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fetchProgram } from './next-release.mjs'
import { cacheDir } from './run.mjs'

export const composePath = join(cacheDir, 'compose/docker-compose')

/** Never throws: the test that wants it says that it is missing. */
export async function installCompose() {
  if (existsSync(composePath)) return
  const wanted = { packageName: 'docker-compose', file: 'usr/libexec/docker/cli-plugins/docker-compose' }
  await fetchProgram(composePath, wanted).catch((error) => console.error(String(error.message)))
}
