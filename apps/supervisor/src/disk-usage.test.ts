import { execFileSync } from 'node:child_process'
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { createDiskMeter, measureFolder } from './disk-usage.ts'
import { tempFolder } from './test-support/temp.ts'

const mebibyte = 1024 ** 2

test('folders may lie deeper than a path can name, and links count as themselves', async () => {
  const [folder, foreign] = [tempFolder(), tempFolder()]
  writeFileSync(join(foreign, 'file'), Buffer.alloc(20 * mebibyte, 1))
  symlinkSync(foreign, join(folder, 'link'))
  const script = `for (1..3000) { mkdir "deep" or die; chdir "deep" or die }
    open(my $file, ">", "file") or die; print $file "x" x ${mebibyte}`
  execFileSync('perl', ['-e', script], { cwd: folder })
  onTestFinished(() => void execFileSync('rm', ['-rf', join(folder, 'deep')]))
  const bytes = await measureFolder(folder)
  expect(bytes).toBeGreaterThanOrEqual(mebibyte)
  expect(bytes).toBeLessThan(20 * mebibyte)
})

test('a figure is there soon, and none before there is something to measure', async () => {
  const folder = join(tempFolder(), 'volume')
  const meter = createDiskMeter(folder)
  onTestFinished(meter.close)
  expect(meter.bytes()).toBeNull()
  expect(await measureFolder(folder)).toBeUndefined()
  mkdirSync(folder)
  writeFileSync(join(folder, 'world'), Buffer.alloc(mebibyte, 1))
  const next = createDiskMeter(folder)
  onTestFinished(next.close)
  await vi.waitFor(() => expect(next.bytes()).toBeGreaterThanOrEqual(mebibyte), 15_000)
})
