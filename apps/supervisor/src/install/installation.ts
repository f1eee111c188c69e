/** What is installed on the volume, and how far the installation of another plan has come. */
import type { InstallPlan } from '@wakestone/packager/manifest'
import type { InstallProgress, SupervisorConfig } from '@wakestone/protocol/supervisor'
import type { EventSpool } from '../events.ts'
import type { GameUser } from '../game-user.ts'
import type { Log } from '../log.ts'
import type { VolumePaths } from '../volume.ts'
import { type InstalledRecord, readInstalled, writeInstalled } from './record.ts'

const LEAST_ROOM = 1024 ** 3

export function createInstallation({
  paths,
  config,
  gameUser,
  events,
  log,
  onChange,
}: {
  paths: VolumePaths
  config: Pick<SupervisorConfig, 'limits' | 'downloads'>
  gameUser: GameUser | null
  events: Pick<EventSpool, 'append'>
  log: Log
  onChange: () => void
}) {
  let installed = readInstalled(paths)
  let progress: InstallProgress | null = null
  let failure: string | null = null

  async function lay(plan: InstallPlan): Promise<void> {
    try {
      // Loaded when it is needed: few starts install anything.
      const { installPlan } = await import('./install.ts')
      await installPlan({
        paths,
        plan,
        gameUser,
        maxBytes: Math.max(config.limits.diskBytes, LEAST_ROOM),
        provided: config.downloads,
        onProgress(next) {
          progress = next
          onChange()
        },
      })
      events.append(() => ({ type: 'installed', planHash: plan.hash }))
    } catch (error) {
      const packageName = (error as { packageName?: string }).packageName ?? ''
      const { message } = error as Error
      failure = `${packageName}: ${message}`
      log('error', 'install failed', { error, packageName })
      events.append(() => ({ type: 'install_failed', planHash: plan.hash, packageName, error: message }))
    }
    installed = readInstalled(paths)
    progress = null
  }

  return {
    record: (): InstalledRecord | undefined => installed,
    state: () => ({
      // One that could not be laid out to its end is not there yet.
      installedPlan: installed?.configured === true ? installed.plan.hash : null,
      install: progress,
      installError: failure,
    }),
    /** Hash of the plan that is being installed. */
    underWay: () => progress?.planHash,
    has: (plan: InstallPlan) => installed?.configured === true && installed.plan.hash === plan.hash,
    /** Resolves with its end, good or bad: `record` and the events tell which. */
    begin(plan: InstallPlan): Promise<void> {
      progress = { planHash: plan.hash, step: 'download', packageName: '', bytesDone: 0, bytesTotal: null }
      failure = null
      return lay(plan)
    },
    /** A kill during installation may have left the last step undone. */
    async finish(): Promise<void> {
      if (installed?.configured === false) installed = (await import('./install.ts')).finishInstall(paths, gameUser)
    },
    /** What the plan lays among the files is laid there anew before the next start. */
    layAnew(): void {
      if (installed) writeInstalled(paths, (installed = { ...installed, configured: false }))
    },
  }
}
