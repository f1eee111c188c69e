/** Streams of a container, by WebSocket: what it writes, and what is written to it. */
import type { Duplex } from 'node:stream'
import { PassThrough } from 'node:stream'
import { WebSocket, type ClientOptions } from 'ws'
import { type Api, ApiRefusal, ApiUnreached } from './api.ts'

const PATIENCE_MS = 20_000
const MOST_MESSAGE_BYTES = 16 * 1024 ** 2
/** What a server may not have read yet before more is written. */
const HIGH_BYTES = 4 * 1024 ** 2
const PROTOCOLS = ['v5.channel.k8s.io', 'v4.channel.k8s.io']
const channel = { stdin: 0, stdout: 1, stderr: 2, status: 3 }

export type Way = {
  out: PassThrough
  err: PassThrough
  /** Waits while too much is on its way. */
  write(bytes: Buffer | string): Promise<void>
  /** With what it ended, as the API tells: null where it has not told. */
  ended: Promise<number | null>
  close(): void
}

type Where = { pod: string; container: string }

export const attach = (api: Api, { pod, container }: Where): Promise<Way> =>
  open(api, `pods/${pod}/attach`, { container, stdin: 'true', stdout: 'true', stderr: 'true' })

/** Runs a command to its end in a container that is up. */
export async function exec(
  api: Api,
  { pod, container }: Where,
  command: string[],
  { input, patience = PATIENCE_MS }: { input?: AsyncIterable<Buffer> | undefined; patience?: number } = {},
): Promise<{ code: number | null; out: string }> {
  const query = { container, stdin: String(input !== undefined), stdout: 'true', stderr: 'true' }
  const way = await open(api, `pods/${pod}/exec`, query, command)
  const timer = setTimeout(() => way.close(), patience)
  let out = ''
  way.out.on('data', (chunk: Buffer) => void (out.length < 64 * 1024 && (out += chunk.toString())))
  way.err.resume()
  try {
    if (input !== undefined) for await (const chunk of input) await way.write(chunk)
    return { code: await way.ended, out }
  } finally {
    clearTimeout(timer)
    way.close()
  }
}

async function open(api: Api, path: string, query: Record<string, string>, command: string[] = []): Promise<Way> {
  const { config, server, namespace } = api
  const words = new URLSearchParams(query)
  for (const word of command) words.append('command', word)
  const url = new URL(`${server.replace(/\/$/, '')}/api/v1/namespaces/${namespace}/${path}?${words.toString()}`)
  url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:'
  const options: ClientOptions = { handshakeTimeout: PATIENCE_MS, maxPayload: MOST_MESSAGE_BYTES }
  await config.applyToHTTPSOptions(options)
  const socket = new WebSocket(url, PROTOCOLS, options)
  await new Promise<void>((resolve, reject) => {
    socket.once('open', () => resolve())
    socket.once('error', (error) => reject(new ApiUnreached(`not attached: ${error.message}`, { cause: error })))
    socket.once('unexpected-response', (_request, response) => {
      response.resume()
      reject(new ApiRefusal(response.statusCode ?? 0, `not attached: the API answers ${response.statusCode}`))
      socket.terminate()
    })
  })
  const [out, err] = [new PassThrough(), new PassThrough()]
  const stream = (socket as unknown as { _socket?: Duplex })._socket
  socket.on('error', () => {}) // followed by its close
  let code: number | null = null
  socket.on('message', (data: Buffer) => {
    const bytes = Buffer.isBuffer(data) ? data : Buffer.from(data as unknown as ArrayBuffer)
    const [number, rest] = [bytes[0], bytes.subarray(1)]
    if (number === channel.status) code = readStatus(rest.toString())
    else if (number === channel.stdout || number === channel.stderr) {
      const to = number === channel.stdout ? out : err
      // Whoever reads slowly is waited for.
      if (!to.write(rest) && stream !== undefined && !stream.isPaused()) {
        stream.pause()
        to.once('drain', () => stream.resume())
      }
    }
  })
  const ended = new Promise<number | null>((resolve) =>
    socket.once('close', () => {
      out.end()
      err.end()
      resolve(code)
    }),
  )
  return {
    out,
    err,
    async write(bytes) {
      if (socket.readyState !== WebSocket.OPEN) return
      const text = Buffer.from(bytes)
      // Servers take messages of a limited size.
      for (let at = 0; at < text.length; at += 32 * 1024) {
        const part = Buffer.concat([Buffer.from([channel.stdin]), text.subarray(at, at + 32 * 1024)])
        if (socket.bufferedAmount > HIGH_BYTES) await new Promise<void>((resolve) => socket.send(part, () => resolve()))
        else socket.send(part, () => {})
      }
    },
    ended,
    close: () => socket.terminate(),
  }
}

/** Null for what cannot be read, or says nothing of a code. */
function readStatus(text: string): number | null {
  try {
    const status = JSON.parse(text) as {
      status?: string
      details?: { causes?: { reason?: string; message?: string }[] }
    }
    if (status.status === 'Success') return 0
    const code = Number(status.details?.causes?.find(({ reason }) => reason === 'ExitCode')?.message)
    return Number.isInteger(code) ? code : null
  } catch {
    return null
  }
}
