/**
 * Checks the shape of an install plan. The control plane has made and signed for it, so this guards against
 * mistakes, with few means: a schema library would weigh more than the rest of the supervisor.
 */
import type { InstallPlan } from '@wakestone/packager/manifest'
import { isInnerPath } from './configure.ts'

const HASH = /^(sha1:[0-9a-f]{40}|sha256:[0-9a-f]{64}|sha512:[0-9a-f]{128})$/
const MODES = ['replace', 'create', 'merge-properties']

/** Says what is wrong with a plan; undefined when it can be installed. */
export function findPlanFault(value: unknown): string | undefined {
  const plan = value as InstallPlan
  if (!isText(plan?.hash)) return 'plan.hash'
  if (!Array.isArray(plan.packages) || plan.packages.length === 0) return 'plan.packages'
  for (const manifest of plan.packages) {
    if (manifest?.manifestVersion !== 1) return 'manifestVersion'
    if (!isText(manifest.name) || !/^[\w.@:/-]{1,150}$/.test(manifest.name)) return 'package name'
    if (!isText(manifest.ManifestHash)) return 'ManifestHash'
    if (!isText(manifest.subdir) || !isInnerPath(manifest.subdir)) return 'subdir'
    if (manifest.subdir.split('/').includes('.wakestone')) return 'subdir'
    if (manifest.place !== undefined && manifest.place !== 'keep' && manifest.place !== 'once') return 'place'
    if (!Array.isArray(manifest.provides) || !Array.isArray(manifest.setEnv)) return 'provides, setEnv'
    if (!Array.isArray(manifest.downloadFiles)) return 'downloadFiles'
    for (const file of manifest.downloadFiles) {
      if (!isText(file?.name) || !isInnerPath(file.name)) return 'file name'
      if (!isText(file.url) || !URL.canParse(file.url)) return 'file url'
      if (!isText(file.hash) || !HASH.test(file.hash)) return 'file hash'
      if (file.size !== null && !isCount(file.size)) return 'file size'
      if (!['none', 'tar.gz', 'zip'].includes(file.unpack)) return 'file unpack'
      if (!isCount(file.strip)) return 'file strip'
      if (file.only !== undefined && !(Array.isArray(file.only) && file.only.every(isText))) return 'file only'
    }
  }
  if (!Array.isArray(plan.files)) return 'plan.files'
  for (const file of plan.files) {
    if (!isText(file?.path) || !isInnerPath(file.path) || file.path.startsWith('.wakestone')) return 'file path'
    if (typeof file.content !== 'string' || !MODES.includes(file.mode)) return 'file content, mode'
  }
  const launch = plan.launch
  if (!Array.isArray(launch?.command) || launch.command.length === 0) return 'launch.command'
  if (!launch.command.every((part) => typeof part === 'string')) return 'launch.command'
  if (typeof launch.env !== 'object' || launch.env === null || typeof launch.stopCommand !== 'string') return 'launch'
  const { flush } = launch
  if (flush !== undefined && !(isText(flush?.command) && isText(flush.answer))) return 'launch.flush'
  if (launch.settings !== undefined && !isSettings(launch.settings)) return 'launch.settings'
  if (launch.management !== undefined && typeof launch.management !== 'boolean') return 'launch.management'
  return undefined
}

const isSettings = (value: unknown) =>
  typeof value === 'object' &&
  value !== null &&
  Object.entries(value).every(
    ([key, text]) => /^[\w.-]{1,60}$/.test(key) && typeof text === 'string' && /^[ -~]{0,200}$/.test(text),
  )

const isText = (value: unknown): value is string => typeof value === 'string' && value !== ''
const isCount = (value: unknown) => Number.isInteger(value) && (value as number) >= 0
