/**
 * What an installation costs from a fresh clone: seconds and megabytes of `npm start` until the first page, and what a
 * production installation keeps. Packages come from npm's cache where they are in it.
 */
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { findFreePorts } from '../tests/support/ports.ts'
import { reportFigure } from './fixtures/figure.ts'

const root = join(import.meta.dirname, '..')
/** Part of the repository, not of what runs. */
const leftOut = new Set(['.git', 'docs'])

/** Runs `use` in a clone of what is committed. */
async function inClone(use: (folder: string) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'ws-install-'))
  try {
    const { status } = spawnSync('git', ['clone', '--quiet', root, folder], { stdio: 'inherit' })
    if (status !== 0) throw new Error('the checkout cannot be cloned')
    await use(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** In bytes; files linked from several places count once. */
function sizeOf(folder: string, seen = new Set<number>()): number {
  let bytes = 0
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) {
      if (!leftOut.has(entry.name) || path.includes('node_modules')) bytes += sizeOf(path, seen)
    } else if (entry.isFile()) {
      const { size, ino } = statSync(path)
      if (!seen.has(ino)) bytes += size
      seen.add(ino)
    }
  }
  return bytes
}
const megabytes = (bytes: number) => bytes / 1e6

/** Begins to count before the archive is unpacked, or the clone's packages are installed. */
async function reportStart(name: string, folder: string, began: number): Promise<void> {
  const { http, game, sftp } = await findFreePorts()
  const child = spawn('npm', ['start'], {
    cwd: folder,
    detached: true,
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, HTTP_PORT: String(http), GAME_PORT: String(game), SFTP_PORT: String(sftp) },
  })
  const ended = once(child, 'exit')
  for await (const line of createInterface(child.stdout)) if (line.startsWith('ready in')) break
  child.stdout.resume()
  const page = await fetch(`http://127.0.0.1:${http}/`)
  if (!page.ok) throw new Error(`the first page was answered with ${page.status}`)
  reportFigure(`${name}: npm start until the first page`, (performance.now() - began) / 1000, 's', { atMost: 90 })
  reportFigure(`${name}: on the disk by then`, megabytes(sizeOf(folder)), 'MB', { atMost: 800 })
  process.kill(-child.pid!, 'SIGINT')
  await ended
}

await inClone((folder) => reportStart('a clone', folder, performance.now()))

await inClone(async (folder) => {
  const run = (program: string, ...args: string[]) => {
    if (spawnSync(program, args, { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] }).status !== 0)
      throw new Error(`${program} failed`)
  }
  run('npm', 'run', 'release', '--', 'made')
  const [archive = ''] = readdirSync(join(folder, 'made')).filter((name) => name.endsWith('.tar.gz'))
  reportFigure('a release to download', megabytes(statSync(join(folder, 'made', archive)).size), 'MB')
  const began = performance.now()
  run('tar', '--extract', '--file', join('made', archive), '--directory', 'made')
  await reportStart('a release', join(folder, 'made', archive.replace('.tar.gz', '')), began)
})

await inClone(async (folder) => {
  const { status } = spawnSync(
    process.execPath,
    ['--input-type=module', '-e', `(await import('./scripts/setup.mjs')).setUp({ web: true })`],
    { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'], env: { ...process.env, NODE_ENV: 'production' } },
  )
  if (status !== 0) throw new Error('the installation for production failed')
  reportFigure('an installation for production', megabytes(sizeOf(folder)), 'MB', { atMost: 350 })
})
