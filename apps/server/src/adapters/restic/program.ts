/** The restic program, as boxes are shown it. */
import { execFile } from 'node:child_process'
import { access, chmod, constants, copyFile, mkdir, rename, rm, stat } from 'node:fs/promises'
import { delimiter, join, resolve } from 'node:path'
import { promisify } from 'node:util'
import type { Settings } from '@wakestone/kit/settings'

const run = promisify(execFile)

/** Older ones tell a wrong password from a missing repository by nothing, and restore without `--delete`. */
const oldest = [0, 17] as const
/** Where set-up brings it. */
const broughtPath = resolve(import.meta.dirname, '../../../../../.cache/restic/restic')

/** There is no restic, or one that is too old. */
export class NoRestic extends Error {}

/**
 * A copy that its user may run but not read: the kernel then lets nobody look into the process. What a backup reads is
 * the customer's, and a link that is put in its way at the right moment could otherwise lead it to its own environment,
 * where the keys of the storage are.
 * @returns the path of the copy @throws NoRestic with what to do about it
 */
export async function provideRestic({
  RESTIC_PATH,
  DATA_DIR,
}: Pick<Settings, 'RESTIC_PATH' | 'DATA_DIR'>): Promise<string> {
  const program = await findProgram(RESTIC_PATH === undefined ? [broughtPath, 'restic'] : [RESTIC_PATH])
  if (program === undefined)
    throw new NoRestic(
      `restic ${RESTIC_PATH ?? ''} was not found; install restic 0.17 or newer, or name it in RESTIC_PATH`,
    )
  const version = await readVersion(program)
  const [major = 0, minor = 0] = version.split('.').map(Number)
  if (major < oldest[0] || (major === oldest[0] && minor < oldest[1]))
    throw new NoRestic(`${program} is restic ${version}; backups take ${oldest.join('.')} or newer: set RESTIC_PATH`)
  const { size, mtimeMs } = await stat(program)
  const folder = join(resolve(DATA_DIR), 'cache', 'restic')
  const copy = join(folder, `restic-${version}-${size}-${Math.floor(mtimeMs)}`)
  const isThere = await stat(copy).then(
    (found) => found.size === size,
    () => false,
  )
  if (isThere) return copy
  await mkdir(folder, { recursive: true })
  const draft = `${copy}.${process.pid}`
  try {
    await copyFile(program, draft)
    await chmod(draft, 0o111)
    await rename(draft, copy)
  } finally {
    await rm(draft, { force: true })
  }
  return copy
}

async function readVersion(program: string): Promise<string> {
  const { stdout } = await run(program, ['version'], { timeout: 20_000 }).catch((error: Error) => {
    throw new NoRestic(`${program} does not run: ${error.message.split('\n')[0]}`)
  })
  return /^restic (\d+\.\d+\.\d+)/.exec(stdout)?.[1] ?? '0.0.0'
}

/** The first of these that is there: names are looked for in PATH. */
async function findProgram(names: readonly string[]): Promise<string | undefined> {
  const paths = names.flatMap((name) =>
    name.includes('/')
      ? [resolve(name)]
      : (process.env['PATH'] ?? '').split(delimiter).map((folder) => join(folder, name)),
  )
  for (const path of paths) {
    const isProgram = await access(path, constants.X_OK).then(
      () => true,
      () => false,
    )
    if (isProgram) return path
  }
  return undefined
}
