/** How the simulated machine speaks to an API server, be it the simulated one or a real one. */
import { request as requestHttp, type IncomingMessage } from 'node:http'
import { request as requestHttps } from 'node:https'
import { setTimeout as delay } from 'node:timers/promises'
import type { KubeObject } from './kinds.ts'

export type ApiAddress = { url: string; token: string; ca?: string | undefined }
export type Client = ReturnType<typeof createClient>

export class Refused extends Error {
  readonly status: number
  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

export function createClient({ url, token, ca }: ApiAddress) {
  function begin(method: string, path: string, body?: unknown, type = 'application/json', signal?: AbortSignal) {
    const text = body === undefined ? undefined : JSON.stringify(body)
    const headers = {
      authorization: `Bearer ${token}`,
      ...(text !== undefined && { 'content-type': type, 'content-length': Buffer.byteLength(text) }),
    }
    const send = url.startsWith('https:') ? requestHttps : requestHttp
    return new Promise<IncomingMessage>((resolve, reject) => {
      const sent = send(
        new URL(path, url),
        { method, headers, agent: false, ...(ca && { ca }), ...(signal && { signal }) },
        resolve,
      )
      sent.on('error', reject)
      sent.end(text)
    })
  }

  async function call(method: string, path: string, body?: unknown, type?: string): Promise<KubeObject> {
    const response = await begin(method, path, body, type)
    const chunks: Buffer[] = []
    for await (const chunk of response) chunks.push(chunk as Buffer)
    const text = Buffer.concat(chunks).toString()
    const status = response.statusCode ?? 0
    if (status >= 300) throw new Refused(status, `${method} ${path}: ${status} ${text.slice(0, 500)}`)
    return JSON.parse(text) as KubeObject
  }

  return {
    call,
    merge: (path: string, change: unknown) => call('PATCH', path, change, 'application/merge-patch+json'),
    /** Keeps what is there at a path, by name, and tells of each change. */
    follow(path: string, onChange: () => void, signal: AbortSignal) {
      const objects = new Map<string, KubeObject>()
      const keyOf = ({ metadata }: KubeObject) => `${metadata.namespace ?? ''}/${metadata.name}`
      async function once() {
        const all = await call('GET', path)
        objects.clear()
        for (const object of (all['items'] ?? []) as KubeObject[]) objects.set(keyOf(object), object)
        onChange()
        const query = `watch=true&resourceVersion=${all.metadata.resourceVersion}`
        const stream = await begin('GET', `${path}?${query}`, undefined, undefined, signal)
        let rest = ''
        for await (const chunk of stream as AsyncIterable<Buffer>) {
          const lines = (rest + chunk.toString()).split('\n')
          rest = lines.pop() ?? ''
          for (const line of lines.filter((one) => one !== '')) {
            const { type, object } = JSON.parse(line) as { type: string; object: KubeObject }
            if (type === 'ERROR') return
            if (type === 'DELETED') objects.delete(keyOf(object))
            else objects.set(keyOf(object), object)
          }
          onChange()
        }
      }
      void (async () => {
        while (!signal.aborted) {
          await once().catch(() => undefined)
          await delay(50, undefined, { signal }).catch(() => undefined)
        }
      })()
      return objects
    },
  }
}
