/** Modrinth, Hangar and CurseForge on one loopback port, with the habits of the real ones; they can be told to misbehave. */
import { createHash } from 'node:crypto'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Catalogue, CatalogueAnswer } from './catalogue.ts'
import { createCurseForge } from './curseforge.ts'
import { createHangar } from './hangar.ts'
import { createModrinth } from './modrinth.ts'

export type Catalogues = {
  url: string
  /** Settings that point at these. */
  settings: Record<'PACKAGE_SOURCES' | 'MODRINTH_URL' | 'HANGAR_URL' | 'CURSEFORGE_URL' | 'CURSEFORGE_API_KEY', string>
  /** Paths with their queries, oldest first. */
  requests: string[]
  /** From now on, what is asked by paths that match is answered so; a later rule goes before an earlier one. */
  misbehave(path: RegExp, answer: CatalogueAnswer | 'silent'): void
  behave(): void
  close(): Promise<void>
}

export const catalogueKey = 'catalogue-key'

export async function startCatalogues({ port = 0 }: { port?: number } = {}): Promise<Catalogues> {
  let services: Catalogue[] = []
  let rules: { path: RegExp; answer: CatalogueAnswer | 'silent' }[] = []
  const requests: string[] = []

  const server = createServer(async (request, response) => {
    const url = new URL(request.url ?? '/', 'http://localhost')
    requests.push(url.pathname + url.search)
    let body = ''
    for await (const part of request) body += String(part)
    const rule = rules.find(({ path }) => path.test(url.pathname))?.answer
    if (rule === 'silent') return
    const asked = {
      method: request.method ?? 'GET',
      path: url.pathname,
      query: url.searchParams,
      headers: request.headers,
      body,
    }
    const found = services.map((service) => service(asked)).find((answer) => answer !== undefined)
    send(response, rule ?? found ?? { status: 404 }, request.headers['if-none-match'])
  })
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  services = [createModrinth(url), createHangar(url), createCurseForge(url, catalogueKey)]

  return {
    url,
    settings: {
      PACKAGE_SOURCES: 'modrinth,hangar,curseforge',
      MODRINTH_URL: `${url}/modrinth/v2`,
      HANGAR_URL: `${url}/hangar/api/v1`,
      CURSEFORGE_URL: `${url}/curseforge`,
      CURSEFORGE_API_KEY: catalogueKey,
    },
    requests,
    misbehave: (path, answer) => void rules.unshift({ path, answer }),
    behave: () => void (rules = []),
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

function send(response: ServerResponse, answer: CatalogueAnswer, known: string | undefined): void {
  const { status = 200, headers = {}, body } = answer
  if (body === undefined) return void response.writeHead(status, headers).end()
  const isBytes = Buffer.isBuffer(body) || typeof body === 'string'
  const bytes = isBytes ? body : JSON.stringify(body)
  const etag = `"${createHash('sha1').update(bytes).digest('hex')}"`
  if (status === 200 && known === etag) return void response.writeHead(304, { etag }).end()
  const type = isBytes ? 'application/octet-stream' : 'application/json'
  response.writeHead(status, { 'content-type': type, etag, ...headers }).end(bytes)
}
