/** What tests of backups share: commands in a server's volume, and backups and restores by their routes, to their end. */
import { setTimeout as delay } from 'node:timers/promises'
import { expect } from 'vitest'
import type { Backup, RestoreBackupBody } from '@wakestone/contract/servers/backups'
import * as backups from '@wakestone/contract/servers/backups-routes'
import { isOver, type Operation } from '@wakestone/contract/servers/operations'
import * as processes from '@wakestone/contract/servers/operations-routes'
import type { Caller, TestApi } from './api.ts'

export type BackupsOf = ReturnType<typeof backupsOf>

export function backupsOf({ context }: Pick<TestApi, 'context'>, owner: Caller, serverId: string) {
  const params = { id: serverId }
  const list = (): Promise<Backup[]> => owner.call(backups.listBackups, { params })
  async function end({ id }: Pick<Operation, 'id'>, milliseconds = 90_000): Promise<Operation> {
    for (const deadline = Date.now() + milliseconds; ;) {
      const operation = await owner.call(processes.getProcess, { params: { ...params, process_id: id } })
      if (isOver(operation.state)) return operation
      if (Date.now() > deadline) throw new Error(`not in time: ${JSON.stringify(operation)}`)
      await delay(50)
    }
  }
  return {
    list,
    end,
    /** A command in a box with the volume. @returns what it printed. */
    async inVolume(script: string): Promise<string> {
      const run = await context.fleet.cluster.runTask(serverId, {
        name: 'test',
        command: ['/bin/sh', '-c', script],
        volume: 'write',
        network: 'none',
        memoryBytes: 64 * 1024 ** 2,
      })
      let text = ''
      for await (const line of run.lines) text += `${line.text}\n`
      expect(await run.exit, text).toMatchObject({ code: 0 })
      return text.trim()
    },
    /** @returns the backup that was made. */
    async backUp(name: string | null = null): Promise<Backup> {
      const begun = await owner.call(backups.createBackup, { params, body: { name } })
      expect(await end(begun)).toMatchObject({ state: 'done', error: null })
      const [newest] = await list()
      if (newest === undefined) throw new Error('no backup')
      return newest
    },
    restore: (snapshotId: string, body: RestoreBackupBody = {}) =>
      owner.call(backups.restoreBackup, { params: { ...params, snapshotId }, body }),
  }
}
