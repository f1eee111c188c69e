/** What requests carry, read without a schema library: it would weigh more than the rest of the service. */
import type { IncomingMessage } from 'node:http'
import {
  type OverwriteMode,
  overwriteModes,
  pathsPerRequest,
  splitPath,
  uploadBytes,
} from '@wakestone/protocol/file-values'
import type { UploadRequest } from '@wakestone/protocol/files'
import { FileError } from './errors.ts'

/** Many long paths. */
const MAX_BODY_BYTES = 8 * 1024 * 1024

export type Body = Record<string, unknown>

export async function readBody(request: IncomingMessage): Promise<Body> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > MAX_BODY_BYTES) throw new FileError('request_too_large')
    chunks.push(chunk)
  }
  try {
    const value: unknown = JSON.parse(Buffer.concat(chunks).toString() || '{}')
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Body
  } catch {
    // Answered below, like any other text that is no object.
  }
  throw new FileError('invalid_request', { body: 'invalid' })
}

export const invalid = (field: string) => new FileError('invalid_request', { [field]: 'invalid' })

/** A path, by its shape alone. */
export function takePath(body: Body, field: string): string {
  const path = body[field]
  if (typeof path !== 'string') throw invalid(field)
  if (splitPath(path) === undefined) throw new FileError('unknown_file_name')
  return path
}

export function takeTexts(body: Body, field: string): string[] {
  const texts = body[field]
  if (!Array.isArray(texts) || texts.length === 0 || texts.length > pathsPerRequest) throw invalid(field)
  if (!texts.every((text) => typeof text === 'string')) throw invalid(field)
  return texts as string[]
}

export function takePaths(body: Body, field: string): string[] {
  const paths = takeTexts(body, field)
  if (paths.some((path) => splitPath(path) === undefined)) throw new FileError('unknown_file_name')
  return [...new Set(paths)]
}

export function takeOverwrite(body: Body): OverwriteMode {
  const { overwrite = 'fail' } = body
  if (!overwriteModes.includes(overwrite as OverwriteMode)) throw invalid('overwrite')
  return overwrite as OverwriteMode
}

export function takeWhole(body: Body, field: string, { from = 0, to }: { from?: number; to: number }): number {
  const value = body[field]
  if (!Number.isInteger(value) || (value as number) < from || (value as number) > to) throw invalid(field)
  return value as number
}

export function takeOption<Option extends string>(body: Body, field: string, options: readonly Option[]): Option {
  if (!options.includes(body[field] as Option)) throw invalid(field)
  return body[field] as Option
}

export function readUpload(body: Body): UploadRequest {
  const { mtime, sha256, fingerprint, overwrite } = body
  if (sha256 !== undefined && !(typeof sha256 === 'string' && /^[0-9a-f]{64}$/.test(sha256))) throw invalid('sha256')
  if (fingerprint !== undefined && !(typeof fingerprint === 'string' && fingerprint.length <= 200))
    throw invalid('fingerprint')
  return {
    path: takePath(body, 'path'),
    size: takeWhole(body, 'size', { to: uploadBytes }),
    ...(mtime !== undefined && { mtime: takeWhole(body, 'mtime', { to: 8.64e15 }) }),
    ...(sha256 !== undefined && { sha256 }),
    ...(fingerprint !== undefined && { fingerprint }),
    ...(overwrite !== undefined && { overwrite: takeOverwrite(body) }),
  }
}
