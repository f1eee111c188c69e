// `npm run release [-- FOLDER]`: what is committed, built and with the packages that it runs on, as one archive for machines
// of this kind, and its SHA-256 beside it. Once unpacked, it starts without building anything or downloading packages.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { root } from './setup/run.mjs'

const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
const name = `wakestone-${version}-${process.platform}-${process.arch}`
const folder = resolve(process.argv[2] ?? '.')
const archive = join(folder, `${name}.tar.gz`)
/** Of a checkout what is not given on: its history, what set-up keeps for itself. */
const leftOut = ['.git', '.cache']

const place = mkdtempSync(join(tmpdir(), 'wakestone-release-'))
try {
  const checkout = join(place, name)
  run('git', ['clone', '--quiet', root, checkout])
  // In the checkout, as its own set-up does it.
  run(process.execPath, ['deploy/release/build.mjs'], { cwd: checkout })
  for (const path of leftOut) rmSync(join(checkout, path), { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  run('tar', ['--create', '--gzip', '--owner=0', '--group=0', '--file', archive, name], { cwd: place })
  const sha256 = createHash('sha256').update(readFileSync(archive)).digest('hex')
  writeFileSync(`${archive}.sha256`, `${sha256}  ${name}.tar.gz\n`)
  console.log(`${archive}: ${(statSync(archive).size / 1e6).toFixed(0)} MB, SHA-256 ${sha256}`)
} finally {
  rmSync(place, { recursive: true, force: true })
}

function run(program, args, options = {}) {
  const env = { ...process.env, NODE_ENV: undefined }
  const { status, error } = spawnSync(program, args, { stdio: 'inherit', env, ...options })
  if (status !== 0) throw new Error(`${program} ${args[0]} ended with ${status}`, { cause: error })
}
