/** What tests of files share: an API whose servers have files but no games, and ways to ask for their bytes. */
import { readFileSync } from 'node:fs'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import * as routes from '@wakestone/contract/servers/files-routes'
import { createServer } from '@wakestone/contract/servers/servers-routes'
import type { TicketBody } from '@wakestone/contract/servers/files'
import { type Caller, startTestApi, type TestApi } from './api.ts'
import { createProgramCluster, type ProgramCluster } from './program-cluster.ts'
import { order, prepareArtifacts, topUp } from './servers.ts'

export type FilesApi = TestApi & { cluster: ProgramCluster; engineVersion: string }

export async function startFilesApi(env: Record<string, string> = {}): Promise<FilesApi> {
  let cluster: ProgramCluster | undefined
  const api = await startTestApi(env, { openCluster: (publicKey) => (cluster = createProgramCluster(publicKey)) })
  const { engineVersion } = await prepareArtifacts(api)
  const { close } = api
  return {
    ...api,
    cluster: cluster!,
    engineVersion,
    async close() {
      await close()
      cluster?.close()
    },
  }
}

/** A server that has been prepared, as far as the database knows, and sleeps. */
export async function rentWithFiles(api: FilesApi, owner: Caller, files: Record<string, string> = {}): Promise<string> {
  const walletId = await topUp(api.context, owner, 5_000)
  const { id } = await owner.call(createServer, { body: order(walletId, api.engineVersion) })
  await api.context.database.pool.query('update servers set prepared_at = now() where id = $1', [id])
  for (const [path, text] of Object.entries(files)) writeInto(api, id, path, text)
  return id
}

export function writeInto({ cluster }: FilesApi, serverId: string, path: string, text: string | Buffer): void {
  const file = join(cluster.volumeOf(serverId), path)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
}
export const readFrom = ({ cluster }: FilesApi, serverId: string, path: string) =>
  readFileSync(join(cluster.volumeOf(serverId), path))

/** A request as the caller's browser sends it. */
export const ask = (api: Pick<TestApi, 'origin'>, caller: Caller | undefined, path: string, init: RequestInit = {}) =>
  fetch(`${api.origin}${path}`, {
    ...init,
    headers: { ...(caller && { cookie: caller.cookie() }), ...(init.headers as Record<string, string>) },
    ...(init.body !== undefined && { duplex: 'half' }),
  } as RequestInit)

export const contentPath = (serverId: string, query: Record<string, string>) =>
  `/api/v1/servers/${serverId}/files/content?${new URLSearchParams(query)}`

export const createTicket = ({ call }: Caller, serverId: string, body: TicketBody) =>
  call(routes.createFileTicket, { params: { id: serverId }, body })

/** Lines of an NDJSON list. */
export async function linesOf(answer: Response): Promise<unknown[]> {
  return (await answer.text())
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as unknown)
}
