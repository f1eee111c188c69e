/**
 * Measures how an artifact of 512 MiB is sent to the marketplace through the front door, beside `cp` of the same file:
 *
 *   node bench/artifact.ts
 */
import { execFileSync } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { closeSync, createReadStream, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs'
import { type IncomingMessage, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createApiKey } from '@wakestone/contract/accounts/api-keys-routes'
import { createApiClient } from '@wakestone/contract/client'
import { createRelease } from '@wakestone/contract/marketplace/releases-routes'
import { createProject } from '@wakestone/contract/marketplace/projects-routes'
import { projectBody } from '../tests/support/marketplace.ts'
import { startBenchApi, startBenchDatabase } from './fixtures/bench-product.ts'
import { reportFigure } from './fixtures/figure.ts'

const MIB = 1024 ** 2
const BYTES = 512 * MIB
const ROUNDS = 3
/** Of the time that `cp` with `sync` takes: beside writing it, it comes over a socket and is hashed. */
const most = 6

const home = mkdtempSync(join(tmpdir(), 'ws-bench-artifact-'))
const file = join(home, 'big.zip')
const hash = createHash('sha256')
const out = openSync(file, 'w')
for (let written = 0; written < BYTES; written += 8 * MIB) {
  const piece = randomBytes(8 * MIB)
  hash.update(piece)
  writeSync(out, piece)
}
closeSync(out)
const sha256 = hash.digest('hex')

/** Sends the file in pieces of a mebibyte, so that the sender costs less than the receiver. */
async function send(url: URL): Promise<void> {
  const sending = request(url, {
    method: 'PATCH',
    headers: {
      'tus-resumable': '1.0.0',
      'upload-offset': '0',
      'content-type': 'application/offset+octet-stream',
      'content-length': BYTES,
    },
  })
  const answered = once(sending, 'response') as Promise<[IncomingMessage]>
  await pipeline(createReadStream(file, { highWaterMark: MIB }), sending)
  const [answer] = await answered
  answer.resume()
  if (answer.statusCode !== 204) throw new Error(`the file was answered with ${answer.statusCode}`)
}

const product = await startBenchDatabase()
try {
  const api = await startBenchApi(product)
  const { key } = await api.call(createApiKey, {
    params: { id: api.user.id },
    body: { name: 'publish', scopes: ['marketplace.project-manage.edit'], expires_at: null },
  })
  const byKey = createApiClient((path, init) =>
    fetch(`${api.origin}${path}`, { ...init, headers: { ...init.headers, authorization: `Bearer ${key}` } }),
  )
  const shares: number[] = []
  for (let round = 0; round < ROUNDS; round += 1) {
    const { slug } = await api.call(createProject, { body: projectBody(`Big thing ${round}`) })
    const { uploads } = await byKey(createRelease, {
      params: { slug },
      body: {
        version: '1.0.0',
        description: 'Big',
        game_versions: ['1.21.4'],
        loaders: ['paper'],
        artifacts: [{ name: 'big.zip', size: BYTES, sha256 }],
      },
    })
    const began = performance.now()
    await send(new URL(uploads[0]!.url, api.origin))
    const sent = performance.now() - began
    const copied = performance.now()
    execFileSync('sh', ['-c', `cp ${file} ${file}.copy && sync ${file}.copy`])
    const plain = performance.now() - copied
    rmSync(`${file}.copy`)
    console.log(`${(sent / 1000).toFixed(2)} s sent, ${(plain / 1000).toFixed(2)} s copied`)
    shares.push(sent / plain)
  }
  const middle = shares.toSorted((one, other) => one - other)[Math.floor(ROUNDS / 2)]!
  reportFigure('artifact of 512 MiB sent: of cp', middle, '×', { atMost: most })
} finally {
  await product.stop()
  rmSync(home, { recursive: true, force: true })
}
