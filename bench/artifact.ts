/**
 * Measures how an artifact of 512 MiB is sent to the marketplace through the front door, beside `cp` of the same file:
 *
 *   node bench/artifact.ts
 */
import { execFileSync } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { closeSync, mkdtempSync, openAsBlob, openSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createRelease } from '@wakestone/contract/marketplace/releases-routes'
import { startTestApi } from '../tests/support/api.ts'
import { makeProject, signUpAuthor } from '../tests/support/marketplace.ts'
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

const api = await startTestApi()
try {
  const author = await signUpAuthor(api)
  const shares: number[] = []
  for (let round = 0; round < ROUNDS; round += 1) {
    const { slug } = await makeProject(author, `Big thing ${round}`)
    const { uploads } = await author.byKey(createRelease, {
      params: { slug },
      body: {
        version: '1.0.0',
        description: 'Big',
        game_versions: ['1.21.4'],
        loaders: ['paper'],
        artifacts: [{ name: 'big.zip', size: BYTES, sha256 }],
      },
    })
    const body = await openAsBlob(file)
    const began = performance.now()
    const answer = await fetch(`${api.origin}${uploads[0]!.url}`, {
      method: 'PATCH',
      headers: { 'tus-resumable': '1.0.0', 'upload-offset': '0', 'content-type': 'application/offset+octet-stream' },
      body,
    })
    if (!answer.ok) throw new Error(`${answer.status} ${await answer.text()}`)
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
  await api.close()
  rmSync(home, { recursive: true, force: true })
}
