import { expect, test } from 'vitest'
import { groupCommands, rankCommands } from './rank-commands.ts'

const commands = [
  { group: 'servers', label: 'misty-allay', hint: 'misty-allay.wakestone.gg' },
  { group: 'servers', label: 'Stary Łoś', hint: 'stary-los.wakestone.gg' },
  { group: 'screens', label: 'Wallet PLN' },
  { group: 'screens', label: 'Top up the wallet', hint: 'PLN' },
  { group: 'actions', label: 'Stop misty-allay', isQuiet: true },
  { group: 'actions', label: 'Restart misty-allay', isQuiet: true },
  { group: 'actions', label: 'Log out' },
]
const found = (typed: string) => rankCommands(commands, typed).map(({ label }) => label)

test('nothing typed leaves the order, without what is asked for seldom', () => {
  expect(found(' ')).toEqual(['misty-allay', 'Stary Łoś', 'Wallet PLN', 'Top up the wallet', 'Log out'])
})

test('the beginning of a name beats a word within, and that what stands beside it', () => {
  expect(found('misty')).toEqual(['misty-allay', 'Stop misty-allay', 'Restart misty-allay'])
  expect(found('wallet')[0]).toBe('Wallet PLN')
  expect(found('pln')).toEqual(['Wallet PLN', 'Top up the wallet'])
  expect(found('st mi')[0]).toBe('Stop misty-allay')
})

test('marks and order of words do not matter, and letters may be left out', () => {
  expect(found('los')[0]).toBe('Stary Łoś')
  expect(found('allay stop')).toEqual(['Stop misty-allay'])
  expect(found('lgot')).toEqual(['Log out'])
  expect(found('nothing like it')).toEqual([])
})

test('what it is also called finds it by whole words and their beginnings, behind its own name', () => {
  const screens = [
    { label: 'Plan and payments' },
    { label: 'Wallet PLN', words: 'pay payments money' },
    { label: 'Payments explained', isReading: true },
  ]
  const shown = (typed: string) => rankCommands(screens, typed).map(({ label }) => label)
  expect(shown('payments')).toEqual(['Plan and payments', 'Wallet PLN', 'Payments explained'])
  expect(shown('mon')).toEqual(['Wallet PLN'])
  expect(shown('oney')).toEqual([])
})

test('letters that are scattered over a long text find nothing', () => {
  const pages = [{ label: 'Drivers of clusters share a contract, and engines keep what is known' }]
  for (const typed of ['access', 'payments', 'restart']) expect(rankCommands(pages, typed)).toEqual([])
})

test('the group of the best one comes first', () => {
  expect(groupCommands(rankCommands(commands, 'restart misty')).map(({ group }) => group)).toEqual(['actions'])
  expect(groupCommands(rankCommands(commands, 'wallet')).map(({ group }) => group)).toEqual(['screens'])
  expect(groupCommands(commands).map((group) => group.commands.length)).toEqual([2, 2, 3])
})
