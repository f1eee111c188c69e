/** What sandboxes of this machine can do, found out by trying one with nothing of anybody's in it. */
import { once } from 'node:events'
import { chmodSync, chownSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { trialUsers } from './allotment.ts'
import type { Bundle } from './bundles.ts'
import { bundleEnvironment, insideUsers, sandboxArguments, supervisorCommand } from './sandbox.ts'
import { findProcessor, seccompProgram } from './seccomp.ts'
import { startSandbox } from './start.ts'

export type Capability = {
  sandboxed: boolean
  /** Whether the supervisor can be another user than the game: takes a root who may give processes to other users. */
  twoUsers: boolean
  problems: string[]
}
export type Trial = {
  /** Folder for small files that all sandboxes share. */
  filesDir: string
  stage: string
  nodePath: string
  bwrapPath: string
  bundle: Bundle
}

const TRIAL_MS = 60_000
const AS_GAME = `setpriv --reuid=${insideUsers.game} --regid=${insideUsers.game} --clear-groups --bounding-set=-all --inh-caps=-all`

/** Also compiles the supervisor's code for all that will run it. */
export async function findCapability(trial: Trial): Promise<Capability> {
  const none = { sandboxed: false, twoUsers: false }
  const processor = findProcessor()
  if (!processor) return { ...none, problems: [`no list of system calls for processors of kind ${process.arch}`] }
  mkdirSync(trial.filesDir, { recursive: true })
  const { supervisor, game } = insideUsers
  const passwd = `root:x:${supervisor}:${supervisor}::/:/bin/false\nserver:x:${game}:${game}::/data:/bin/sh\n`
  const shared = sharedFiles(trial.filesDir)
  writeFileSync(shared.passwd, passwd)
  writeFileSync(shared.seccomp, seccompProgram(processor))
  writeFileSync(shared.seccompOfBoxes, seccompProgram(processor, { forbidsChown: true }))
  const faultOfTwo = process.getuid?.() === 0 ? await findFault(trial, true) : 'not root'
  if (faultOfTwo === undefined) return { sandboxed: true, twoUsers: true, problems: [] }
  const fault = await findFault(trial, false)
  return fault === undefined
    ? { sandboxed: true, twoUsers: false, problems: [] }
    : { ...none, problems: [`bubblewrap cannot run: ${fault}`] }
}

export const sharedFiles = (filesDir: string) => ({
  passwd: join(filesDir, 'passwd'),
  seccomp: join(filesDir, 'seccomp'),
  seccompOfBoxes: join(filesDir, 'seccomp-boxes'),
  resolver: join(filesDir, 'resolv.conf'),
})

async function findFault(trial: Trial, twoUsers: boolean): Promise<string | undefined> {
  const { filesDir, nodePath, bwrapPath, bundle, stage } = trial
  const folder = mkdtempSync(join(filesDir, 'trial-'))
  const cache = join(bundle.folder, 'cache')
  const log = join(folder, 'log')
  try {
    if (twoUsers) chownSync(cache, trialUsers.supervisor, trialUsers.supervisor)
    const supervisor = supervisorCommand(bundle.id)
    const child = await startSandbox({
      log,
      info: join(folder, 'info'),
      seccomp: sharedFiles(filesDir).seccomp,
      env: bundleEnvironment(bundle.folder),
      shown: { passwd: sharedFiles(filesDir).passwd, node: nodePath, bundle: bundle.folder },
      separate: twoUsers ? { users: trialUsers, stage, inside: 'supervisor and game' } : undefined,
      command: (shown) => [
        bwrapPath,
        ...sandboxArguments({
          shown,
          bundleId: bundle.id,
          bundleWritable: true,
          twoUsers,
          command: twoUsers ? ['/bin/sh', '-c', `${AS_GAME} true && exec "$@"`, 'sh', ...supervisor] : supervisor,
        }),
      ],
    })
    const timer = setTimeout(() => child.kill('SIGKILL'), TRIAL_MS)
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
    clearTimeout(timer)
    return child.exitCode === 0 ? undefined : lastLine(log)
  } catch (error) {
    return (error as Error).message
  } finally {
    shareCompiled(cache)
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Compiled code is written for its user alone, and every supervisor may be another. */
function shareCompiled(folder: string) {
  if (process.getuid?.() === 0) chownSync(folder, 0, 0)
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    try {
      chmodSync(join(entry.parentPath, entry.name), entry.isDirectory() ? 0o755 : 0o644)
    } catch {
      // A draft of somebody who tries out the same.
    }
  }
}

function lastLine(path: string): string {
  try {
    return readFileSync(path, 'utf8').trim().split('\n').at(-1) || 'it gave no reason'
  } catch {
    return 'it left no log'
  }
}
