/** Turns the launch of a plan into a command line and an environment. */
import { join } from 'node:path'
import type { Launch, Manifest } from '@wakestone/packager/manifest'
import type { InstalledRecord } from './install/record.ts'
import { packageFolder } from './install/record.ts'
import type { VolumePaths } from './volume.ts'

const MIB = 1024 * 1024

/** Heap for a game in a sandbox of this size: Java and Node need room beside it. */
export function heapMegabytes(memoryBytes: number): number {
  const total = Math.floor(memoryBytes / MIB)
  return Math.max(Math.floor(total / 2), total - Math.max(512, Math.floor(total / 4)))
}

export type LaunchContext = { record: InstalledRecord; paths: VolumePaths; memoryBytes: number; port: number }
export type LaunchCommand = { command: string[]; env: Record<string, string> }

/** @throws Error when a placeholder names a package that the plan does not hold. */
export function resolveLaunch({ record, paths, memoryBytes, port }: LaunchContext): LaunchCommand {
  const { launch, packages } = record.plan
  const folderOf = (matches: (manifest: Manifest) => boolean, wanted: string) => {
    const manifest = packages.find(matches)
    if (!manifest) throw new Error(`the plan holds no package ${wanted}`)
    return packageFolder(paths, manifest)
  }
  const fill = (text: string) =>
    text.replace(/\{(JAVA|NODE|HEAP_MB|PORT|DIR:([^{}]+))\}/g, (_whole, key: string, name: string | undefined) => {
      if (key === 'NODE') return process.execPath
      if (key === 'HEAP_MB') return String(heapMegabytes(memoryBytes))
      if (key === 'PORT') return String(port)
      if (name !== undefined) return folderOf((manifest) => manifest.name === name, name)
      const providesJava = (manifest: Manifest) => manifest.provides.some((provided) => provided.name === 'java')
      return join(folderOf(providesJava, 'java'), 'bin/java')
    })
  const settings = packages.flatMap((manifest) => manifest.setEnv.map(({ key, value }) => [key, fill(value)] as const))
  return { command: launch.command.map(fill), env: { ...Object.fromEntries(settings), ...fillAll(launch.env, fill) } }
}

function fillAll(env: Launch['env'], fill: (text: string) => string) {
  return Object.fromEntries(Object.entries(env).map(([key, value]) => [key, fill(value)]))
}
