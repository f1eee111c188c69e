/** `server.properties`: the settings of a server, in the format every Minecraft server uses. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'

const defaults = {
  'server-ip': '127.0.0.1',
  'server-port': '25565',
  motd: 'A Minecraft Server',
  'max-players': '20',
  gamemode: 'creative',
  difficulty: 'easy',
  'level-name': 'world',
  'level-type': 'minecraft:flat',
  'level-seed': '',
  'view-distance': '8',
  'white-list': 'false',
}
export type Properties = Record<keyof typeof defaults, string>

/** Reads the file; one that is missing is written with the defaults. */
export function readProperties(path: string): Properties {
  if (!existsSync(path)) {
    const lines = Object.entries(defaults).map(([key, value]) => `${key}=${escapeValue(value)}\n`)
    writeFileSync(path, `#Minecraft server properties\n${lines.join('')}`)
    return { ...defaults }
  }
  return { ...defaults, ...parseProperties(readFileSync(path, 'utf8')) }
}

/** Changes one line, or adds it; all else stays. */
export function setProperty(path: string, key: string, value: string): void {
  const text = existsSync(path) ? readFileSync(path, 'utf8') : ''
  const line = new RegExp(`^\\s*${key}\\s*[=:].*$`, 'm')
  const next = `${key}=${value}`
  writeFileSync(path, line.test(text) ? text.replace(line, next) : `${text.replace(/\n?$/, '\n')}${next}\n`)
}

/** Java's properties format: `\n`, `\uXXXX` and `\` before anything else. */
export function parseProperties(text: string): Record<string, string> {
  const found: Record<string, string> = {}
  for (const line of text.split(/\r?\n/)) {
    if (/^\s*([#!]|$)/.test(line)) continue
    const match = /^\s*((?:\\.|[^\\=:\s])+)\s*[=:]?\s*(.*)$/.exec(line)
    if (match) found[unescapeValue(match[1]!)] = unescapeValue(match[2]!)
  }
  return found
}

function unescapeValue(value: string): string {
  return value.replace(/\\(u[0-9a-fA-F]{4}|.)/g, (_, code: string) => {
    if (code.startsWith('u') && code.length === 5) return String.fromCharCode(Number.parseInt(code.slice(1), 16))
    return { n: '\n', r: '\r', t: '\t' }[code] ?? code
  })
}

function escapeValue(value: string): string {
  return value.replace(/[\\:=]/g, (character) => `\\${character}`)
}

/** A whole number in bounds; anything else gives the fallback. */
export function readNumber(value: string, bounds: { least: number; most: number; fallback: number }): number {
  const number = Number(value)
  if (!Number.isInteger(number)) return bounds.fallback
  return Math.min(bounds.most, Math.max(bounds.least, number))
}

/** Index of a name in a list; the number itself is taken too, as old files have it. */
export function readChoice(value: string, names: string[], fallback: number): number {
  const index = names.indexOf(value.toLowerCase())
  if (index >= 0) return index
  return /^\d$/.test(value) && Number(value) < names.length ? Number(value) : fallback
}

/** A seed as Minecraft takes it: a number, or the hash that Java gives a text. Empty: by chance. */
export function readSeed(value: string): number {
  if (value === '') return Math.floor(Math.random() * 2 ** 31)
  if (/^-?\d{1,15}$/.test(value)) return Math.abs(Number(value)) % 2 ** 31
  let hash = 0
  for (let index = 0; index < value.length; index += 1) hash = (Math.imul(31, hash) + value.charCodeAt(index)) | 0
  return Math.abs(hash) % 2 ** 31
}
