/**
 * What supervisors run, and files services: one file each, kept in a folder named by its content for as long as somebody
 * runs it. So an upgrade of the product changes nothing for those that are up.
 */
import { createHash } from 'node:crypto'
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { withLock } from './lock.ts'

/** `folder` holds the file, and `cache`, its compiled code. */
export type Bundle = { id: string; folder: string }
export type BundleSource = {
  /** Where set-up has put the file. */
  built: string
  /** Folder in which such files are kept. */
  home: string
  /** How the file is called there. */
  file: string
}

const LOCK = '.lock'

/** Keeps the file that lies at `built`, and runs `use` before any folder can be taken away. */
export async function withBundle<T>(
  { built, home, file }: BundleSource,
  use: (bundle: Bundle) => Promise<T> | T,
): Promise<T> {
  const code = readBuilt(built)
  const id = createHash('sha256').update(code).digest('hex').slice(0, 16)
  const folder = join(home, id)
  return withLock(join(home, LOCK), async () => {
    if (!existsSync(folder)) {
      const draft = `${folder}.new`
      rmSync(draft, { recursive: true, force: true })
      mkdirSync(join(draft, 'cache'), { recursive: true })
      writeFileSync(join(draft, file), code, { mode: 0o444 })
      for (const path of [draft, join(draft, 'cache')]) chmodSync(path, 0o755)
      renameSync(draft, folder)
    }
    return use({ id, folder })
  })
}

function readBuilt(path: string): Buffer {
  try {
    return readFileSync(path)
  } catch (error) {
    throw new Error(`${basename(path)} is not built: run \`node scripts/build-bundles.mjs\``, { cause: error })
  }
}

/** Takes away what `isUsed` does not want, apart from what `built` would give the next one. */
export async function removeUnusedBundles(options: BundleSource, isUsed: (id: string) => boolean): Promise<void> {
  await withBundle(options, ({ id }) => {
    for (const name of readdirSync(options.home)) {
      if (!name.startsWith(LOCK) && name !== id && !isUsed(name))
        rmSync(join(options.home, name), { recursive: true, force: true })
    }
  })
}
