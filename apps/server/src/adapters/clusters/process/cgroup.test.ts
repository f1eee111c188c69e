/**
 * What is written where, in folders that stand for the kernel's: these take any value, so that a kernel would take the
 * same is shown elsewhere (`isolation.test.ts`), for the version that this machine has.
 */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { type CgroupHost, countMemoryKills, giveBack, makeCgroup, readCgroupMembers, removeCgroup } from './cgroup.ts'

const gib = 2 ** 30
const limits = { memoryBytes: 2 * gib + 1, gameBytes: 2 * gib, cpu: 1.5 }

function makeRoot(): string {
  const root = mkdtempSync(join(tmpdir(), 'wscg-'))
  onTestFinished(() => rmSync(root, { recursive: true, force: true }))
  return root
}
const write = (path: string, text = '') => {
  mkdirSync(join(path, '..'), { recursive: true })
  writeFileSync(path, text)
}
const read = (...path: string[]) => readFileSync(join(...path), 'utf8')

/** A hierarchy of version 2 in which `base` is given to us. */
function openVersion2(base = '') {
  const root = makeRoot()
  write(join(root, 'cgroup.controllers'), 'cpu memory pids')
  for (const level of [base, `${base}/wakestone`, `${base}/wakestone/one`])
    write(join(root, level, 'cgroup.subtree_control'))
  const host: CgroupHost = { root, isRoot: base === '', own: () => `1:name=systemd:/x\n0::${base}\n` }
  return { host, folder: join(root, base, 'wakestone/one') }
}

test('version 2: both have a limit, the game has its own beside its supervisor, and nothing goes to swap by itself', async () => {
  const { host, folder } = openVersion2()
  const cgroup = makeCgroup('one', limits, host)
  expect(read(folder, 'memory.max')).toBe(String(2 * gib + 1))
  expect(read(folder, 'cpu.max')).toBe('150000 100000')
  expect(read(folder, 'cpu.weight')).toBe('100')
  expect(read(folder, 'pids.max')).toBe('512')
  expect(read(folder, 'cgroup.subtree_control')).toBe('+memory')
  expect(read(folder, '../cgroup.subtree_control')).toBe('+memory +cpu +pids')
  expect(read(folder, 'game/memory.max')).toBe(String(2 * gib))
  expect(read(folder, 'game/memory.swap.max')).toBe('0')
  expect(read(folder, 'game/memory.oom.group')).toBe('1')
  // A limit of the supervisor's own would end it before a game that has taken all.
  expect(existsSync(join(folder, 'supervisor/memory.max'))).toBe(false)
  expect(cgroup).toEqual({
    procsFiles: [join(folder, 'supervisor/cgroup.procs')],
    folders: { '.': folder },
    gameProcsFile: join(folder, 'game/cgroup.procs'),
  })
  write(join(folder, 'cgroup.procs'))
  write(join(folder, 'supervisor/cgroup.procs'), '11\n')
  write(join(folder, 'game/cgroup.procs'), '12\n13\n')
  expect(readCgroupMembers('one', host)).toEqual([11, 12, 13])
  write(join(folder, 'memory.events'), 'low 0\noom_kill 3\n')
  expect(countMemoryKills('one', host)).toBe(3)
})

test('version 2: what is given back is the game’s, and swap is open to it for that moment only', async () => {
  const { host, folder } = openVersion2()
  makeCgroup('one', limits, host)
  for (const one of ['', 'game/']) write(join(folder, `${one}memory.reclaim`))
  write(join(folder, 'game/memory.current'), '300000000')
  expect(await giveBack('one', host, () => false)).toBeNull()
  expect(read(folder, 'game/memory.reclaim')).toBe('')
  expect(await giveBack('one', host, () => true)).toBe(0) // here nothing becomes less
  expect(read(folder, 'game/memory.reclaim')).toBe('300000000')
  expect(read(folder, 'memory.reclaim')).toBe('')
  expect(read(folder, 'game/memory.swap.max')).toBe('0')
})

test('an ordinary user makes them where it runs itself, if that was given to it', () => {
  const unit = '/system.slice/wakestone.service'
  const { host, folder } = openVersion2(unit)
  expect(makeCgroup('one', limits, host).folders['.']).toBe(folder)
  // After the first one the product itself runs one level deeper.
  expect(makeCgroup('one', limits, { ...host, own: () => `0::${unit}/control\n` }).folders['.']).toBe(folder)
})

test('a box has one for itself', () => {
  const { host, folder } = openVersion2()
  const cgroup = makeCgroup('one', { memoryBytes: gib, processes: 256, weight: 0.25 }, host)
  expect(cgroup).toEqual({ procsFiles: [join(folder, 'cgroup.procs')], folders: { '.': folder } })
  expect(read(folder, 'cpu.max')).toBe('max 100000')
  expect(read(folder, 'cpu.weight')).toBe('25')
  expect(read(folder, 'memory.swap.max')).toBe('0')
  expect(existsSync(join(folder, 'game'))).toBe(false)
})

test('version 1: memory alone is divided, and what is in swap counts', async () => {
  const root = makeRoot()
  for (const controller of ['memory', 'cpu', 'cpuacct', 'pids']) write(join(root, controller, 'cgroup.procs'))
  const host: CgroupHost = { root, isRoot: true, own: () => '' }
  const cgroup = makeCgroup('one', limits, host)
  const of = (controller: string) => join(root, controller, 'wakestone/one')
  expect(read(of('memory'), 'memory.limit_in_bytes')).toBe(String(2 * gib + 1))
  expect(read(of('memory'), 'game/memory.limit_in_bytes')).toBe(String(2 * gib))
  expect(read(of('memory'), 'game/memory.memsw.limit_in_bytes')).toBe(String(2 * gib))
  expect(cgroup.procsFiles).toEqual(
    [join(of('memory'), 'supervisor'), of('cpu'), of('cpuacct'), of('pids')].map((folder) =>
      join(folder, 'cgroup.procs'),
    ),
  )
  expect(cgroup.gameProcsFile).toBe(join(of('memory'), 'game/cgroup.procs'))
  write(join(of('pids'), 'cgroup.procs'), '5\n6\n')
  expect(readCgroupMembers('one', host)).toEqual([5, 6])
  write(join(of('memory'), 'game/memory.usage_in_bytes'), '1000')
  for (const one of ['', 'game/']) write(join(of('memory'), `${one}memory.force_empty`))
  expect(await giveBack('one', host, () => true)).toBe(0)
  expect(read(of('memory'), 'game/memory.force_empty')).toBe('1000')
  expect(read(of('memory'), 'memory.force_empty')).toBe('')
})

test('one that is there already gets other limits; where a controller is missing there is none', async () => {
  const { host, folder } = openVersion2()
  makeCgroup('one', limits, host)
  makeCgroup('one', { ...limits, gameBytes: gib }, host)
  expect(read(folder, 'game/memory.max')).toBe(String(gib))
  expect(() => makeCgroup('one', limits, { root: makeRoot(), isRoot: true, own: () => '' })).toThrow(
    'no controller memory',
  )
  await expect(removeCgroup('another', host)).resolves.toBeUndefined()
})
