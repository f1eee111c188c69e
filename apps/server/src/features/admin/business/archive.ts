/** Where a backup of the business lies: a restic repository of the operator's. */
import { runOnHost } from '#src/adapters/restic/host.ts'
import { parseLine } from '#src/adapters/restic/messages.ts'
import { ResticError } from '#src/adapters/restic/errors.ts'
import { provideRestic } from '#src/adapters/restic/program.ts'
import type { Settings } from '@wakestone/kit/settings'

export type Env = Record<string, string | undefined>
/** Something that only the operator can mend; said without a trace. */
export class BusinessRefused extends Error {}

/** With what restic ends when it could not read some files. */
const partial = 3
const tag = 'wakestone-business'
const passwordNames = ['RESTIC_PASSWORD', 'RESTIC_PASSWORD_FILE', 'RESTIC_PASSWORD_COMMAND']

export type Archive = {
  /** Keeps these of the folder. @returns the id of the snapshot, and what could not be read */
  keep(names: readonly string[]): Promise<{ snapshot: string; unread: string[] }>
  /** Brings everything of a snapshot back into the folder. */
  bringBack(snapshot: string): Promise<void>
}

/** @throws BusinessRefused without a password: whoever has it has the whole business. */
export async function openArchive(
  settings: Pick<Settings, 'RESTIC_PATH' | 'DATA_DIR'>,
  repository: string,
  env: Env,
): Promise<Archive> {
  if (passwordNames.every((name) => !env[name]))
    throw new BusinessRefused(
      `Set ${passwordNames.join(' or ')}: it encrypts the backup. Keep it apart from this machine, or the backup is lost with it.`,
    )
  const program = await provideRestic(settings)
  const restic = (args: string[], accepts: number[] = []) =>
    runOnHost({ program, repository, args, cwd: settings.DATA_DIR, env, accepts })
  return {
    async keep(names) {
      const isThere = await restic(['cat', 'config']).then(
        () => true,
        (error: unknown) => {
          if (error instanceof ResticError && error.fault === 'missing') return false
          throw error
        },
      )
      if (!isThere) await restic(['init'])
      // Files come and go while the product runs: what has gone since is told, and the rest is kept.
      const { lines, complaints } = await restic(
        ['backup', '--json', '--retry-lock', '5m', '--host', 'wakestone', '--group-by', 'host', '--tag', tag, ...names],
        [partial],
      )
      const summary = lines.map(parseLine).find((line) => line?.['message_type'] === 'summary')
      const snapshot = summary?.['snapshot_id']
      if (typeof snapshot !== 'string') throw new Error('restic made no snapshot')
      return { snapshot, unread: complaints }
    },
    async bringBack(snapshot) {
      await restic(['restore', snapshot, '--tag', tag, '--target', settings.DATA_DIR])
    },
  }
}
