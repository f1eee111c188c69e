/** Temporary folders and files over HTTP, for tests. */
import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { Manifest } from '@wakestone/packager/manifest'
import { create } from 'tar'
import { onTestFinished } from 'vitest'

export function tempFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'wss-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** Serves HTTP on a free port until the test ends. */
export async function serveHttp(listener: RequestListener): Promise<string> {
  const server = createServer(listener)
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** A `tar.gz` of files: path → content. */
export async function packFiles(files: Record<string, string>): Promise<Buffer> {
  const folder = mkdtempSync(join(tmpdir(), 'wsp-'))
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), content)
  }
  const chunks: Buffer[] = []
  const archive = create({ gzip: true, cwd: folder, portable: true }, Object.keys(files))
  for await (const chunk of archive) chunks.push(chunk as Buffer)
  rmSync(folder, { recursive: true })
  return Buffer.concat(chunks)
}

export const sha256 = (data: Buffer) => `sha256:${createHash('sha256').update(data).digest('hex')}`

export function makeManifest(
  name: string,
  files: Manifest['downloadFiles'],
  changes: Partial<Manifest> = {},
): Manifest {
  return {
    manifestVersion: 1,
    ManifestHash: sha256(Buffer.from(JSON.stringify([name, files, changes]))),
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
    downloadFiles: files,
    ...changes,
  }
}
