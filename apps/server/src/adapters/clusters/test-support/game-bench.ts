/** What tests of all drivers share: games to install, and how to speak to their supervisors. */
import { createHash, generateKeyPairSync, randomUUID } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { createLogger } from '@wakestone/kit/logger'
import type { InstallPlan, Manifest } from '@wakestone/packager/manifest'
import type { SupervisorEndpoint } from '@wakestone/protocol/supervisor'
import { create } from 'tar'
import { createSupervisorClient, type SupervisorClient } from '#src/adapters/supervisor/client.ts'
import { createGate } from '#src/adapters/supervisor/gate.ts'
import { createSupervisorSigner } from '#src/adapters/supervisor/tokens.ts'
import type { Cluster, GameAddress } from '../cluster.ts'
import { waitUntil } from '../process/processes.ts'

export const repoRoot = resolve(import.meta.dirname, '../../../../../..')

export type Keys = ReturnType<typeof makeKeys>
/** As an installation has them for its supervisors. */
export const makeKeys = () =>
  generateKeyPairSync('ed25519', {
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  })

export type GameBench = Awaited<ReturnType<typeof openGameBench>>

export async function openGameBench({ keys, provide }: { keys: Keys; provide: Cluster['provide'] }) {
  const sign = createSupervisorSigner(keys.privateKey)
  const files = new Map<string, Buffer>()
  const server = createServer((request, response) => {
    const file = files.get(request.url ?? '')
    if (file) response.end(file)
    else response.writeHead(404).end()
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const { port } = server.address() as AddressInfo

  /** Serves a file; returns what a manifest says of it. */
  function serve(name: string, content: Buffer): Manifest['downloadFiles'][number] {
    files.set(`/${name}`, content)
    const hash = `sha256:${createHash('sha256').update(content).digest('hex')}`
    return { name, url: `http://127.0.0.1:${port}/${name}`, hash, size: content.length, unpack: 'tar.gz', strip: 0 }
  }

  /** A plan whose game is one script; it gets its port as its first argument. */
  async function packScript(script: string, name = 'script-game'): Promise<InstallPlan> {
    const folder = mkdtempSync(join(tmpdir(), 'wsg-'))
    writeFileSync(join(folder, 'game.ts'), script)
    const chunks: Buffer[] = []
    for await (const chunk of create({ gzip: true, cwd: folder, portable: true }, ['game.ts']))
      chunks.push(chunk as Buffer)
    rmSync(folder, { recursive: true })
    const file = serve(`${name}-${randomUUID()}.tar.gz`, Buffer.concat(chunks))
    const manifest: Manifest = {
      manifestVersion: 1,
      ManifestHash: file.hash,
      name,
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
      downloadFiles: [file],
    }
    const launch = {
      command: ['{NODE}', '--no-warnings', `{DIR:${name}}/game.ts`, '{PORT}'],
      env: {},
      stopCommand: 'stop',
    }
    return { hash: `plan-${file.hash}`, packages: [manifest], files: [], launch }
  }

  /** A plan of a script of the repository. */
  const scriptPlan = (path: string) => packScript(readFileSync(join(repoRoot, path), 'utf8'))

  const connect = (serverId: string, endpoint: SupervisorEndpoint, game?: GameAddress): SupervisorClient =>
    createSupervisorClient({
      endpoint,
      game,
      serverId,
      sign,
      provide: (plan) => provide(plan, serverId),
      // Several listen to all that a supervisor can say.
      gate: createGate({
        serverId,
        logger: createLogger({ part: 'test', level: 'silent' }),
        consoleRate: { burst: Infinity, perSecond: 1 },
      }),
    })

  /** Polls the status until its phase is one of these. */
  async function reach(client: SupervisorClient, phases: string[], ms = 30_000) {
    let status = await client.status()
    const there = await waitUntil(async () => phases.includes((status = await client.status()).phase), ms)
    if (!there) throw new Error(`phase ${status.phase} instead of ${phases.join(', ')}: ${status.installError ?? ''}`)
    return status
  }

  return {
    sign,
    serve,
    packScript,
    scriptPlan,
    connect,
    reach,
    /** A game that answers pings and obeys commands. */
    gamePlan: () => scriptPlan('apps/supervisor/src/test-support/script-game.ts'),
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}
