/**
 * Forms with files, where a route takes them: `payload_json` and whatever else, read only once it is known who calls.
 * Files lie in a folder of their own until the answer is sent.
 */
import { createWriteStream, mkdirSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { Busboy } from '@fastify/busboy'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { DomainError } from '@wakestone/contract/errors'
import { projectLimits } from '@wakestone/contract/marketplace/values'
import type { RouteSpec } from '@wakestone/contract/route'
import type { Settings } from '@wakestone/kit/settings'

/** What a browser called the file counts for nothing. */
export type FormFile = { field: string; path: string; size: number }
export type Form = { payload: unknown; files: FormFile[]; remove: () => Promise<void> }

const payloadBytes = 512 * 1024
const { videoBytes, imageBytes, images, videos } = projectLimits
const ofProjects = {
  files: images + videos + 2,
  bytes: videoBytes,
  allBytes: videos * videoBytes + (images + 2) * imageBytes,
}

/** Bodies of forms are left as they come: who reads them knows who sent them. */
export function leaveForms(app: FastifyInstance): void {
  app.addContentTypeParser('multipart/form-data', (_request, payload, done) => done(null, payload))
}

export const isForm = ({ headers }: FastifyRequest): boolean =>
  /^multipart\/form-data\s*;/i.test(headers['content-type'] ?? '')

/** @throws DomainError `request_too_large`, `file_is_too_large`, `invalid_request`. */
export async function readForm(
  request: FastifyRequest,
  { DATA_DIR }: Pick<Settings, 'DATA_DIR'>,
  given?: NonNullable<RouteSpec['fileLimits']>,
): Promise<Form> {
  const limits = given === undefined ? ofProjects : { ...given, allBytes: given.files * given.bytes + 2 * payloadBytes }
  const home = join(resolve(DATA_DIR), 'marketplace', 'incoming')
  mkdirSync(home, { recursive: true, mode: 0o700 })
  if (Number(request.headers['content-length'] ?? 0) > limits.allBytes) throw new DomainError('request_too_large')
  const folder = await mkdtemp(join(home, 'form-'))
  const remove = () => rm(folder, { recursive: true, force: true })
  try {
    return { ...(await readParts(request, folder, limits)), remove }
  } catch (error) {
    await remove()
    throw error
  }
}

async function readParts(
  request: FastifyRequest,
  folder: string,
  { files: mostFiles, bytes: mostBytes, allBytes }: typeof ofProjects,
): Promise<Pick<Form, 'payload' | 'files'>> {
  const files: FormFile[] = []
  const writing: Promise<void>[] = []
  let text: string | undefined
  let fault: DomainError | undefined
  let sum = 0
  let busboy: Busboy
  try {
    busboy = new Busboy({
      headers: request.headers as { 'content-type': string },
      limits: { fields: 4, fieldSize: payloadBytes, files: mostFiles, fileSize: mostBytes, parts: 40 },
    })
  } catch {
    throw new DomainError('invalid_request', { 'Content-Type': 'multipart/form-data' })
  }
  busboy.on('field', (name: string, value: string, _short: boolean, isCut: boolean) => {
    if (isCut) fault ??= new DomainError('request_too_large')
    if (name === 'payload_json') text = value
  })
  busboy.on('file', (field: string, stream: Readable & { truncated: boolean }) => {
    const file = { field, path: join(folder, String(files.length)), size: 0 }
    files.push(file)
    stream.on('data', (part: Buffer) => {
      file.size += part.length
      sum += part.length
      if (sum > allBytes) fault ??= new DomainError('request_too_large')
    })
    stream.once('limit', () => (fault ??= new DomainError('file_is_too_large', { resource: 'file', limit: mostBytes })))
    const written = pipeline(stream, createWriteStream(file.path, { mode: 0o644 }))
    written.catch(() => {}) // awaited below
    writing.push(written)
  })
  for (const limit of ['partsLimit', 'filesLimit', 'fieldsLimit'] as const)
    busboy.on(limit, () => (fault ??= new DomainError('request_too_large')))
  try {
    await pipeline(request.body as Readable, busboy)
    await Promise.all(writing)
  } catch {
    throw fault ?? new DomainError('invalid_request', { body: 'multipart/form-data' })
  }
  if (fault !== undefined) throw fault
  try {
    return { payload: text === undefined ? {} : (JSON.parse(text) as unknown), files }
  } catch {
    throw new DomainError('invalid_request', { payload_json: 'JSON' })
  }
}
