/** The service without its process: what is put together to serve one volume. */
import type { Server } from 'node:http'
import type { FilesConfig } from '@wakestone/protocol/files'
import { createTokenCheck } from '@wakestone/protocol/token-check'
import { createHttpServer } from './http.ts'
import { createJobs } from './jobs.ts'
import type { Log } from './log.ts'
import { resumePlacing } from './placing.ts'
import { planJob } from './plans.ts'
import { doomHalfMade, removeAllDoomed } from './remove.ts'
import { removeOldRevisions } from './revisions.ts'
import { openRoom } from './sftp-quota.ts'
import { serveSftp } from './sftp.ts'
import { createSpace } from './space.ts'
import { createTrash } from './trash.ts'
import { createUploads } from './uploads.ts'
import { openVolume } from './volume.ts'
import { trashOldWorldUploads } from './worlds/old-uploads.ts'

const TIDY_MS = 60 * 60_000

export type Service = {
  server: Server
  /** What an earlier service left has been brought to its end or undone. */
  ready: Promise<void>
  /** Whether it works although nobody is connected. */
  isBusy(): boolean
  close(): Promise<void>
}

export function createService({ serverId, publicKey, volume: root, ...limits }: FilesConfig, log: Log): Service {
  const volume = openVolume(root)
  const trash = createTrash(volume)
  const space = createSpace({ volume, ...limits, trash })
  const uploads = createUploads({ volume, space })
  const jobs = createJobs({ volume, space, trash, log, plan: planJob })
  const tidy = () => tidyUp().catch((error: Error) => log('error', 'cannot tidy up', { error }))
  const ready = resumePlacing(volume)
    .then(() => doomHalfMade(volume))
    .then(() => jobs.resume())
    .catch((error: Error) => log('error', 'cannot resume', { error }))
  let tidying = ready.then(tidy)
  const timer = setInterval(() => (tidying = tidying.then(tidy)), TIDY_MS).unref()

  async function tidyUp() {
    await removeAllDoomed(volume)
    await uploads.removeOld()
    await trash.removeOld()
    await trashOldWorldUploads(volume, trash)
    await removeOldRevisions(volume)
  }

  const checkToken = createTokenCheck({ audience: 'files', publicKey, serverId })
  const server = createHttpServer({ serverId, volume, space, trash, uploads, jobs, checkToken, log, ready })
  const sftp = serveSftp({ server, root, checkToken, log, room: limits.diskQuota ? undefined : () => openRoom(space) })
  return {
    server,
    ready,
    isBusy: () => uploads.isBusy() || jobs.isBusy() || sftp.isBusy(),
    async close() {
      sftp.close()
      clearInterval(timer)
      server.closeAllConnections()
      await new Promise((done) => server.close(done))
      await jobs.close()
      await tidying
      await trash.settled()
      volume.close()
    },
  }
}
