/** A files service as a process of its own, which can be killed. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { FilesConfig } from '@wakestone/protocol/files'
import { onTestFinished } from 'vitest'
import { configOf, createClient, tempFolder } from './service.ts'

export type ServiceProcess = ReturnType<typeof prepareProcess>

export function prepareProcess(more: Partial<FilesConfig> = {}) {
  const folder = tempFolder()
  const data = join(folder, 'data')
  mkdirSync(data)
  const config = join(folder, 'config.json')
  writeFileSync(config, JSON.stringify(configOf(folder, more)))
  let child: ChildProcess | undefined
  onTestFinished(() => void child?.kill('SIGKILL'))

  return {
    folder,
    data,
    ...createClient(join(folder, 'files.sock')),
    pid: () => child!.pid!,
    async start() {
      child = spawn(process.execPath, ['--no-warnings', join(import.meta.dirname, '../main.ts'), config], {
        stdio: ['ignore', 'pipe', 'inherit'],
      })
      for await (const line of createInterface({ input: child.stdout! })) if (line.includes('"listening"')) return
      throw new Error('the service has not started')
    },
    async kill() {
      if (!child || child.exitCode !== null || child.signalCode !== null) return
      const gone = once(child, 'exit')
      child.kill('SIGKILL')
      await gone
    },
    ended: () => once(child!, 'exit'),
    isListening: () => existsSync(join(folder, 'files.sock')),
  }
}
