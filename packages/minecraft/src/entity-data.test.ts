import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isEntityRefusal, isPlainName, readEntityData } from './entity-data.ts'

const says = 'has the following entity data: '

test.each([
  ['vanilla', `[12:00:01] [Server thread/INFO]: Steve ${says}[1.5d, 64.0d, -3.25d]`],
  [
    'Fabric',
    `[12:00:01] [Server thread/INFO] (Minecraft) Steve ${says}[1.5d, 64.0d, -3.25d]`.replace(' (Minecraft)', ':'),
  ],
  ['Forge', `[25Nov2026 12:00:01.123] [Server thread/INFO] [minecraft/Commands]: Steve ${says}[1.5d, 64.0d, -3.25d]`],
  ['Paper, flying-squid', `[12:00:01 INFO]: Steve ${says}[1.5d, 64.0d, -3.25d]`],
  ['with colours', `\u001b[32m[12:00:01 INFO]: Steve ${says}[1.5d, 64.0d, -3.25d]\u001b[m`],
])('a place as %s tells it', (_engine, line) => {
  expect(readEntityData(line)).toEqual({ name: 'Steve', position: [1.5, 64, -3.25] })
})

test('dimensions of all versions, and small numbers', () => {
  const line = (value: string) => `[12:00:01 INFO]: Steve ${says}${value}`
  expect(readEntityData(line('"minecraft:the_end"'))).toEqual({ name: 'Steve', dimension: 'minecraft:the_end' })
  expect(readEntityData(line('-1'))).toEqual({ name: 'Steve', dimension: 'minecraft:the_nether' })
  expect(readEntityData(line('[1.0E-4d, -60.0d, 12345678.5d]'))).toEqual({
    name: 'Steve',
    position: [0.0001, -60, 12345678.5],
  })
})

test('what players say is no answer', () => {
  for (const message of [
    `<Alex> Steve ${says}[1.0d, 2.0d, 3.0d]`,
    `[Alex] Steve ${says}[1.0d, 2.0d, 3.0d]`,
    `* Alex Steve ${says}[1.0d, 2.0d, 3.0d]`,
    `Steve ${says}[1.0d, 2.0d, 3.0d] and more`,
    `Steve ${says}[NaNd, 2.0d, 3.0d]`,
    `Steve ${says}"minecraft:the_end" "x"`,
  ])
    for (const prefix of ['[12:00:01 INFO]: ', '[12:00:01] [Server thread/INFO]: ', ''])
      expect([prefix + message, readEntityData(prefix + message)]).toEqual([prefix + message, undefined])
  expect(isEntityRefusal('[12:00:01 INFO]: No entity was found')).toBe(true)
  expect(isEntityRefusal('[12:00:01] [Server thread/INFO]: Unknown or incomplete command, see below for error')).toBe(
    true,
  )
  expect(isEntityRefusal('[12:00:01 INFO]: <Alex> No entity was found')).toBe(false)
  for (const name of ['.Bedrock', 'a b', '@a', '', 'x'.repeat(17)]) expect(isPlainName(name)).toBe(false)
  fc.assert(fc.property(fc.string(), (text) => void readEntityData(text)))
})
