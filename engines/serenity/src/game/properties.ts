/** `server.properties` as Bedrock Dedicated Server reads it: plain `key=value`, without escapes. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'

const defaults = {
  'server-name': 'Dedicated Server',
  gamemode: 'creative',
  difficulty: 'easy',
  'allow-list': 'false',
  'max-players': '10',
  'server-port': '19132',
}
export type Properties = Record<keyof typeof defaults, string>

/** Reads the file; one that is missing is written with the defaults. */
export function readProperties(path: string): Properties {
  if (!existsSync(path)) {
    const lines = Object.entries(defaults).map(([key, value]) => `${key}=${value}\n`)
    writeFileSync(path, lines.join(''))
  }
  const pairs = readFileSync(path, 'utf8')
    .split(/\r?\n/)
    .map((line) => /^\s*([^#=\s][^=]*?)\s*=(.*)$/.exec(line))
    .filter((match) => match !== null)
    .map(([, key, value]) => [key, value!.trim()])
  return { ...defaults, ...Object.fromEntries(pairs) }
}

/** A whole number in bounds; anything else gives the fallback. */
export function readNumber(value: string, bounds: { least: number; most: number; fallback: number }): number {
  const number = Number(value)
  if (value === '' || !Number.isInteger(number)) return bounds.fallback
  return Math.min(bounds.most, Math.max(bounds.least, number))
}
