import pg from 'pg'
import { expect, onTestFinished, test, vi } from 'vitest'
import { createTestDatabase } from '../../../../tests/support/database.ts'
import { openChannels } from './channels.ts'

const logger = { warn: () => undefined } as never

async function open() {
  const database = await createTestDatabase()
  const pool = new pg.Pool({ connectionString: database.url, max: 8 })
  const channels = openChannels({ url: database.url, logger })
  onTestFinished(async () => {
    await channels.close()
    await pool.end()
    await database.drop()
  })
  const heard: string[] = []
  const listen = (channel: string) =>
    channels.listen(channel, {
      onMessage: (word) => heard.push(`${channel}: ${word}`),
      onReconnect: () => heard.push(`${channel} again`),
    })
  const tell = (channel: string, word: string) => pool.query('select pg_notify($1, $2)', [channel, word])
  /** Connections that listen. */
  const lines = async () => {
    const { rows } = await pool.query(
      `select pid from pg_stat_activity where datname = current_database() and application_name = 'listens'`,
    )
    return rows.map(({ pid }: { pid: number }) => pid)
  }
  return { pool, channels, heard, listen, tell, lines }
}

test('whoever asks has been told what was committed before, many at once, by one query at a time', async () => {
  const warnings: Error[] = []
  const note = (warning: Error) => void warnings.push(warning)
  process.on('warning', note)
  onTestFinished(() => void process.off('warning', note))
  const { heard, listen, tell } = await open()
  const listener = await listen('words')
  await Promise.all(
    Array.from({ length: 50 }, async (_, index) => {
      await tell('words', `word ${index}`)
      await listener.caughtUp()
      expect(heard).toContain(`words: word ${index}`)
    }),
  )
  // Alone, too, and after one that was asked alone.
  await tell('words', 'last')
  await listener.caughtUp()
  expect(heard).toContain('words: last')
  expect(warnings).toEqual([])
})

test('many channels are heard on one connection, each by those who listen to it, until the last has left', async () => {
  const { heard, listen, tell, lines } = await open()
  const [red, alsoRed, blue] = await Promise.all([listen('red'), listen('red'), listen('blue')])
  expect(await lines()).toHaveLength(1)
  await tell('red', 'a')
  await tell('blue', 'b')
  await blue.caughtUp()
  expect(heard).toEqual(['red: a', 'red: a', 'blue: b'])

  await red.close()
  expect(red.connected()).toBe(false)
  await tell('red', 'c')
  await blue.caughtUp()
  expect(heard.slice(3)).toEqual(['red: c'])
  await alsoRed.close()
  await blue.close()
  await expect.poll(lines).toEqual([])

  // It is made again for the next.
  const green = await listen('green')
  expect(green.connected()).toBe(true)
  await tell('green', 'd')
  await green.caughtUp()
  expect(heard.slice(4)).toEqual(['green: d'])
  expect(await lines()).toHaveLength(1)
})

test('a lost connection is made again: all who listened are told so, and hear again, with those who came meanwhile', async () => {
  const { pool, heard, listen, tell, lines } = await open()
  const red = await listen('red')
  const blue = await listen('blue')
  for (let time = 1; time <= 5; time++) {
    heard.length = 0
    const [before] = await lines()
    await pool.query('select pg_terminate_backend($1)', [before])
    await vi.waitFor(() => expect(red.connected()).toBe(false), { interval: 1 })
    expect(blue.connected()).toBe(false)
    const late = await listen(`late_${time}`)
    expect([red.connected(), blue.connected(), late.connected()]).toEqual([true, true, true])
    expect(heard.filter((word) => !word.startsWith('late'))).toEqual(['red again', 'blue again'])
    await tell('blue', 'b')
    await tell(`late_${time}`, 'c')
    await late.caughtUp()
    expect(heard).toEqual(expect.arrayContaining(['blue: b', `late_${time}: c`]))
    const now = await lines()
    expect(now).toHaveLength(1)
    expect(now).not.toContain(before)
  }
})

test('without a database nobody begins to listen', async () => {
  const channels = openChannels({ url: 'postgres://nobody@127.0.0.1:1/none', logger })
  await expect(channels.listen('red', { onMessage: () => {}, onReconnect: () => {} })).rejects.toThrow(/ECONNREFUSED/)
  await channels.close()
})
