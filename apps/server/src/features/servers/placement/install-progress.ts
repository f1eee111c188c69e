import type { InstallPlan } from '@wakestone/packager/manifest'
import type { InstallProgress } from '@wakestone/protocol/supervisor'
import type { PreparationStep } from '#src/features/servers/operations/service.ts'

/** Parts of the whole preparation at which installing begins and ends. */
const from = 0.05
const to = 0.8
/** How much of one package is behind it when a step begins. */
const stepStart: Record<InstallProgress['step'], number> = {
  download: 0,
  verify: 0.7,
  extract: 0.75,
  swap: 0.95,
  configure: 1,
}
const downloadShare = 0.7

/** How far a preparation has come, told from the step of its installation; packages weigh the same. */
export function installProgress(install: InstallProgress, plan: InstallPlan | undefined): PreparationStep {
  const count = Math.max(1, plan?.packages.length ?? 1)
  const index = Math.max(0, plan?.packages.findIndex(({ name }) => name === install.packageName) ?? 0)
  const isDownload = install.step === 'download'
  const downloaded =
    isDownload && install.bytesTotal ? Math.min(1, install.bytesDone / install.bytesTotal) * downloadShare : 0
  const done = install.step === 'configure' ? 1 : Math.min(1, (index + stepStart[install.step] + downloaded) / count)
  return {
    phase: 'install',
    progress: Math.round((from + (to - from) * done) * 1000) / 1000,
    item: install.packageName === '' ? null : install.packageName,
  }
}
