import { spawn } from 'node:child_process'
import { appendFileSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { openEventSpool } from './events.ts'
import { tempFolder } from './test-support/temp.ts'

/** Like after a kill, a spool of before on the same folder is not closed first; its file is, at the end. */
function open(folder: string) {
  const spool = openEventSpool({ folder })
  onTestFinished(() => spool.close())
  return spool
}

const joined = (name: string) => () => ({ type: 'player_joined' as const, name })

function readAll(folder: string, after = 0) {
  const lines: { seq: number; name: string }[] = []
  open(folder).follow(after, (line) => lines.push(JSON.parse(line)))
  return lines
}

test('events have numbers without gaps, over restarts and acknowledgements', async () => {
  const folder = tempFolder()
  for (let round = 0; round < 3; round++) {
    const spool = open(folder)
    for (let index = 0; index < 500; index++) spool.append(joined(`p${index}`.padEnd(100, 'x')))
    await spool.settled()
    await spool.acknowledge(500 * round + 400)
  }
  const events = readAll(folder)
  expect(events.map(({ seq }) => seq)).toEqual(Array.from({ length: 100 }, (_, index) => 1401 + index))
  expect(statSync(join(folder, 'spool.ndjson')).size).toBeLessThan(64 * 1024)
})

test('everything acknowledged: the number is not forgotten', async () => {
  const folder = tempFolder()
  const spool = open(folder)
  for (let index = 0; index < 1000; index++) spool.append(joined('x'.repeat(100)))
  await spool.settled()
  await spool.acknowledge(5000)
  const again = open(folder)
  expect(again.lastSeq()).toBe(1000)
  expect(readAll(folder)).toEqual([])
})

test('an event is on the disk before it is seen', async () => {
  const folder = tempFolder()
  const spool = open(folder)
  const seen: boolean[] = []
  spool.follow(0, (line) => seen.push(readFileSync(join(folder, 'spool.ndjson'), 'utf8').includes(line)))
  for (let index = 0; index < 20; index++) spool.append(joined('x'))
  await spool.settled()
  expect(seen).toEqual(Array(20).fill(true))
})

test('a torn last line is cut off', async () => {
  const folder = tempFolder()
  const spool = open(folder)
  spool.append(joined('one'))
  await spool.settled()
  appendFileSync(join(folder, 'spool.ndjson'), '{"seq":2,"at":"20')
  const again = open(folder)
  again.append(joined('two'))
  await again.settled()
  expect(readAll(folder)).toMatchObject([
    { seq: 1, name: 'one' },
    { seq: 2, name: 'two' },
  ])
})

test('what was seen survives kill -9', async () => {
  const folder = tempFolder()
  const script = `
    import { openEventSpool } from ${JSON.stringify(join(import.meta.dirname, 'events.ts'))}
    const spool = openEventSpool({ folder: ${JSON.stringify(folder)} })
    spool.follow(spool.lastSeq(), (line) => process.stdout.write(JSON.parse(line).seq + '\\n'))
    const write = () => { spool.append(() => ({ type: 'player_joined', name: 'x' })); setImmediate(write) }
    write()`
  let last = 0
  for (let round = 0; round < 3; round++) {
    const child = spawn(process.execPath, ['--no-warnings', '--input-type=module', '-e', script])
    let text = ''
    for await (const chunk of child.stdout) {
      text += chunk
      if (text.split('\n').length > 50) child.kill('SIGKILL')
    }
    const numbers = text.split('\n').slice(0, -1).map(Number)
    expect(numbers[0]).toBeGreaterThan(last)
    last = numbers.at(-1) as number
    const spooled = readAll(folder).map(({ seq }) => seq)
    expect(spooled).toEqual(spooled.map((_seq, index) => index + 1))
    expect(spooled.length).toBeGreaterThanOrEqual(last)
    last = spooled.length
  }
})
