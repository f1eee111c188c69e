/** A files service over a temporary volume, in this process, and requests of it. */
import { generateKeyPairSync, sign } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { type IncomingHttpHeaders, type IncomingMessage, request as httpRequest } from 'node:http'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { FilesConfig } from '@wakestone/protocol/files'
import type { FilesTokenClaims } from '@wakestone/protocol/tokens'
import { onTestFinished } from 'vitest'
import { createService } from '../service.ts'

export const serverId = '5b9ac2a0-1f3f-4c8e-9d2f-2f1f5f3a7c11'
export const keys = generateKeyPairSync('ed25519')
const publicKey = keys.publicKey.export({ type: 'spki', format: 'pem' }).toString()

/** With claims of any kind, also of none that there are. */
export function makeToken(claims: { [Claim in keyof FilesTokenClaims]?: unknown } = {}): string {
  const all = {
    aud: 'files',
    purpose: 'control',
    server: serverId,
    exp: Math.trunc(Date.now() / 1000) + 600,
    ...claims,
  }
  const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const text = `${encode({ alg: 'EdDSA' })}.${encode(all)}`
  return `${text}.${sign(null, Buffer.from(text), keys.privateKey).toString('base64url')}`
}

export type Answer = {
  status: number
  headers: IncomingHttpHeaders
  bytes: Buffer
  text: string
  json: any
  lines: any[]
}
export type Options = { body?: unknown; headers?: Record<string, string>; token?: string }

/** A folder that goes with the test; in it `data` is the volume. */
export function tempFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'wsf-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

export const configOf = (folder: string, more: Partial<FilesConfig> = {}): FilesConfig => ({
  serverId,
  listen: { socket: join(folder, 'files.sock') },
  publicKey,
  volume: join(folder, 'data'),
  diskBytes: 10e9,
  ...more,
})

/** Asks whatever serves on that socket. */
export function createClient(socketPath: string) {
  const standing = makeToken()
  function open(method: string, path: string, { body, headers = {}, token = standing }: Options = {}) {
    return new Promise<IncomingMessage>((resolve, reject) => {
      const isBytes = Buffer.isBuffer(body)
      const sent = body === undefined ? undefined : isBytes ? body : Buffer.from(JSON.stringify(body))
      const request = httpRequest(
        {
          socketPath,
          method,
          path,
          agent: false,
          headers: { authorization: `Bearer ${token}`, ...(sent && { 'content-length': sent.length }), ...headers },
        },
        resolve,
      )
      request.on('error', reject)
      request.end(sent)
    })
  }
  async function ask(method: string, path: string, options?: Options): Promise<Answer> {
    const response = await open(method, path, options)
    const chunks: Buffer[] = []
    for await (const chunk of response) chunks.push(chunk as Buffer)
    const bytes = Buffer.concat(chunks)
    return {
      status: response.statusCode!,
      headers: response.headers,
      bytes,
      get text() {
        return bytes.toString()
      },
      get json() {
        return JSON.parse(bytes.toString())
      },
      get lines() {
        return bytes
          .toString()
          .split('\n')
          .filter((line) => line !== '')
          .map((line) => JSON.parse(line))
      },
    }
  }
  return { ask, open }
}

export type TestService = Awaited<ReturnType<typeof startService>>

export async function startService(more: Partial<FilesConfig> = {}) {
  const folder = tempFolder()
  const data = join(folder, 'data')
  mkdirSync(data)
  const logged: unknown[] = []
  let service = await open()
  onTestFinished(() => service.close())

  async function open() {
    const config = configOf(folder, more)
    const opened = createService(config, (...entry) => void logged.push(entry))
    const socket = (config.listen as { socket: string }).socket
    rmSync(socket, { force: true })
    await new Promise<void>((done) => opened.server.listen(socket, done))
    return opened
  }

  return {
    folder,
    data,
    logged,
    ...createClient(join(folder, 'files.sock')),
    /** Lays files into the volume. */
    lay(files: Record<string, string | Buffer>) {
      for (const [path, content] of Object.entries(files)) {
        mkdirSync(dirname(join(data, path)), { recursive: true })
        writeFileSync(join(data, path), content)
      }
    },
    async restart() {
      await service.close()
      service = await open()
    },
  }
}

export const pathQuery = (path: string) => `path=${encodeURIComponent(path)}`
