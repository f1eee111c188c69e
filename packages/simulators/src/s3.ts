/**
 * An S3 storage of one bucket, in memory: objects are put, read in ranges, listed and deleted, and each request has to be
 * signed by Signature Version 4.
 */
import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export type S3Simulator = {
  /** With the bucket. */
  url: string
  accessKey: string
  secretKey: string
  objects: Map<string, Buffer>
  /** Requests whose signature was not right. */
  refused: number
  close(): Promise<void>
}

const bucket = 'backups'
const pageSize = 50
const sha256 = (data: string | Buffer) => createHash('sha256').update(data).digest('hex')
const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest()
const escapeXml = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')

export async function startS3Simulator(): Promise<S3Simulator> {
  const server = createServer((request, response) => {
    handle(request, response).catch((error: Error) => fail(response, 500, error.message))
  })

  async function handle(request: IncomingMessage, response: ServerResponse) {
    const body = await readAll(request)
    if (!isSigned(request, body, simulator)) {
      simulator.refused++
      return fail(response, 403, 'SignatureDoesNotMatch')
    }
    const url = new URL(request.url ?? '/', 'http://s3')
    const [, found, key = ''] = /^\/([^/]+)\/?(.*)$/.exec(decodeURIComponent(url.pathname)) ?? []
    if (found !== bucket) return fail(response, 404, 'NoSuchBucket')
    if (key === '') return ofBucket(request, response, url.searchParams)
    const content = String(request.headers['x-amz-content-sha256']).startsWith('STREAMING-') ? unchunk(body) : body
    return ofObject(request, response, { key, content })
  }

  function ofBucket({ method }: IncomingMessage, response: ServerResponse, query: URLSearchParams) {
    if (method !== 'GET') return response.writeHead(200).end()
    if (query.has('location')) return sendXml(response, '<LocationConstraint></LocationConstraint>')
    const prefix = query.get('prefix') ?? ''
    const delimiter = query.get('delimiter') ?? ''
    const after = query.get('continuation-token') ?? query.get('start-after') ?? ''
    const entries = new Map<string, Buffer | undefined>()
    for (const key of [...simulator.objects.keys()].sort()) {
      if (!key.startsWith(prefix)) continue
      const end = delimiter === '' ? -1 : key.indexOf(delimiter, prefix.length)
      const name = end < 0 ? key : key.slice(0, end + 1)
      if (name > after) entries.set(name, end < 0 ? simulator.objects.get(key) : undefined)
    }
    const page = [...entries].slice(0, pageSize)
    const items = page.map(([name, content]) =>
      content === undefined
        ? `<CommonPrefixes><Prefix>${escapeXml(name)}</Prefix></CommonPrefixes>`
        : `<Contents><Key>${escapeXml(name)}</Key><LastModified>${new Date().toISOString()}</LastModified><Size>${content.length}</Size></Contents>`,
    )
    const isCut = entries.size > page.length
    const next = isCut ? `<NextContinuationToken>${escapeXml(page.at(-1)![0])}</NextContinuationToken>` : ''
    sendXml(
      response,
      `<ListBucketResult><Name>${bucket}</Name><IsTruncated>${isCut}</IsTruncated>${next}${items.join('')}</ListBucketResult>`,
    )
  }

  function ofObject(
    { method, headers }: IncomingMessage,
    response: ServerResponse,
    { key, content }: { key: string; content: Buffer },
  ) {
    if (method === 'PUT') {
      simulator.objects.set(key, content)
      return response.writeHead(200, { etag: `"${createHash('md5').update(content).digest('hex')}"` }).end()
    }
    if (method === 'DELETE') {
      simulator.objects.delete(key)
      return response.writeHead(204).end()
    }
    const found = simulator.objects.get(key)
    if (found === undefined) return fail(response, 404, 'NoSuchKey')
    const [, first = '0', last = ''] = /^bytes=(\d+)-(\d*)$/.exec(headers.range ?? '') ?? []
    const part = found.subarray(Number(first), last === '' ? undefined : Number(last) + 1)
    response.writeHead(headers.range === undefined ? 200 : 206, {
      'content-length': part.length,
      'last-modified': new Date().toUTCString(),
      etag: `"${createHash('md5').update(found).digest('hex')}"`,
      ...(headers.range !== undefined && {
        'content-range': `bytes ${first}-${Number(first) + part.length - 1}/${found.length}`,
      }),
    })
    return response.end(method === 'HEAD' ? undefined : part)
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const simulator: S3Simulator = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/${bucket}`,
    accessKey: 'AKIASIMULATOR',
    secretKey: 'a secret of the simulator',
    objects: new Map(),
    refused: 0,
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  return simulator
}

/** As of «Authenticating Requests (AWS Signature Version 4)»; of a body in signed chunks only the head is looked at. */
function isSigned(
  { method, url = '', headers }: IncomingMessage,
  body: Buffer,
  { accessKey, secretKey }: S3Simulator,
): boolean {
  const [, key, scope = '', names = '', signature = ''] =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/([^,]+), ?SignedHeaders=([^,]+), ?Signature=([0-9a-f]{64})$/.exec(
      headers.authorization ?? '',
    ) ?? []
  if (key !== accessKey) return false
  const told = String(headers['x-amz-content-sha256'])
  if (/^[0-9a-f]{64}$/.test(told) && told !== sha256(body)) return false
  const [path = '', query = ''] = url.split('?')
  const sorted = query.split('&').sort()
  const canonical = [
    method,
    path,
    sorted.map((pair) => (pair === '' || pair.includes('=') ? pair : `${pair}=`)).join('&'),
    ...names.split(';').map((name) => `${name}:${String(headers[name] ?? '').trim()}`),
    '',
    names,
    told,
  ].join('\n')
  const [day = '', region = '', service = '', end = ''] = scope.split('/')
  const text = ['AWS4-HMAC-SHA256', String(headers['x-amz-date']), scope, sha256(canonical)].join('\n')
  const signing = hmac(hmac(hmac(hmac(`AWS4${secretKey}`, day), region), service), end)
  return timingSafeEqual(hmac(signing, text), Buffer.from(signature, 'hex'))
}

/** A body of `size;chunk-signature=…` and its bytes, until a size of zero. */
function unchunk(body: Buffer): Buffer {
  const parts: Buffer[] = []
  for (let at = 0; ;) {
    const lineEnd = body.indexOf('\r\n', at)
    const size = Number.parseInt(body.subarray(at, lineEnd).toString(), 16)
    if (lineEnd < 0 || !(size > 0)) return Buffer.concat(parts)
    parts.push(body.subarray(lineEnd + 2, lineEnd + 2 + size))
    at = lineEnd + 2 + size + 2
  }
}

async function readAll(request: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = []
  for await (const part of request as AsyncIterable<Buffer>) parts.push(part)
  return Buffer.concat(parts)
}

const sendXml = (response: ServerResponse, body: string) =>
  void response
    .writeHead(200, { 'content-type': 'application/xml' })
    .end(`<?xml version="1.0" encoding="UTF-8"?>\n${body}`)
const fail = (response: ServerResponse, status: number, code: string) =>
  void response
    .writeHead(status, { 'content-type': 'application/xml' })
    .end(`<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>${code}</Code></Error>`)
