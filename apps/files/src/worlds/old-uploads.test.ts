import { mkdirSync, mkdtempSync, existsSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createTrash } from '../trash.ts'
import { openVolume } from '../volume.ts'
import { trashOldWorldUploads } from './old-uploads.ts'

const day = 24 * 60 * 60 * 1000

test('archives whose world nobody took out go into the trash after a week, and nothing else does', async () => {
  const data = mkdtempSync(join(tmpdir(), 'wakestone-old-uploads-'))
  onTestFinished(() => rmSync(data, { recursive: true, force: true }))
  mkdirSync(join(data, '.world-uploads/folder'), { recursive: true })
  const loose = '.world-0194f3a2-1234-7abc-8def-0123456789ab.tar.gz'
  for (const path of ['.world-uploads/a.zip', loose, '.world-notes.txt', 'world.zip'])
    writeFileSync(join(data, path), 'x')
  const volume = openVolume(data)
  const trash = createTrash(volume)
  await trashOldWorldUploads(volume, trash, Date.now() + 6 * day)
  expect((await trash.list()).entries).toEqual([])
  await trashOldWorldUploads(volume, trash, Date.now() + 8 * day)
  expect((await trash.list()).entries.map(({ path }) => path).toSorted()).toEqual([loose, '.world-uploads/a.zip'])
  for (const path of ['.world-notes.txt', 'world.zip', '.world-uploads/folder'])
    expect(existsSync(join(data, path))).toBe(true)
  volume.close()
})
