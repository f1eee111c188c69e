/**
 * Worlds are read by a process of its own, with little memory: whoever runs a game can make such a file do harm to what
 * reads it.
 */
import { join } from 'node:path'
import { fileErrors, type FileErrorCode, type FileErrorFields } from '@wakestone/protocol/file-values'
import { FileError } from '../errors.ts'
import { startTool } from '../tool.ts'
import type { WorldOrder } from './order.ts'

const NODE_FLAGS = ['--max-semi-space-size=2', '--max-old-space-size=192', '--no-warnings']
const LONGEST_LINE = 4 * 1024 * 1024

/**
 * Each line that it tells.
 * @throws FileError for what it refuses, and `invalid_file` where it was ended
 */
export async function* askWorlds(order: WorldOrder, signal?: AbortSignal): AsyncGenerator<unknown> {
  // Of the bundle, which is one file, or of the sources.
  const isBundle = import.meta.filename.endsWith('.mjs')
  const program = isBundle ? import.meta.filename : join(import.meta.dirname, '../main.ts')
  const parameters = [...NODE_FLAGS, program, '--worlds', JSON.stringify(order)]
  const { out, ended, end } = startTool(process.execPath, parameters, { ...(signal && { signal }), nice: 10 })
  try {
    let rest = ''
    for await (const chunk of out.setEncoding('utf8') as AsyncIterable<string>) {
      const lines = (rest + chunk).split('\n')
      rest = lines.pop() ?? ''
      if (rest.length > LONGEST_LINE) throw new FileError('invalid_file', { reason: 'size' })
      for (const line of lines) yield readLine(line)
    }
    const { code } = await ended
    signal?.throwIfAborted()
    if (code !== 0) throw new FileError('invalid_file', { reason: code === null ? 'memory' : 'damaged' })
  } finally {
    end()
  }
}

/** The only line of an order that has one. */
export async function askWorldsOnce<Told>(order: WorldOrder, signal?: AbortSignal): Promise<Told> {
  for await (const line of askWorlds(order, signal)) return line as Told
  throw new FileError('invalid_file', { reason: 'damaged' })
}

function readLine(line: string): unknown {
  const told = JSON.parse(line) as { refused?: FileErrorCode; fields?: FileErrorFields }
  if (told.refused !== undefined && Object.hasOwn(fileErrors, told.refused))
    throw new FileError(told.refused, told.fields)
  return told
}
