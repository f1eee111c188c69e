/** The catalogues that engines come from, on one loopback port; they can be told to misbehave. */
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createAdoptium } from './adoptium.ts'
import { createBedrock } from './bedrock.ts'
import { createFabric } from './fabric.ts'
import { createForge } from './forge.ts'
import { createGitHub } from './github.ts'
import { createMojang, json, type Answer, type Service } from './mojang.ts'
import { createNukkit } from './nukkit.ts'
import { createPaper } from './paper.ts'
import { createPurpur } from './purpur.ts'
import { createSpigot } from './spigot.ts'

/** What may go wrong with one answer. */
export type Fault =
  /** One byte is another: the hash no longer holds. */
  | 'altered'
  /** The connection ends halfway. */
  | 'truncated'
  /** Status 500. */
  | 'failing'
  /** Status 404. */
  | 'missing'
  /** No answer at all. */
  | 'silent'
  /** Something that is no JSON. */
  | 'garbage'
  /** Far more than anybody asked for. */
  | 'endless'

export type Upstreams = {
  url: string
  /** Settings that point at these. */
  settings: Record<
    | 'MOJANG_META_URL'
    | 'MOJANG_PROFILES_URL'
    | 'PAPER_FILL_URL'
    | 'PURPUR_URL'
    | 'FABRIC_META_URL'
    | 'QUILT_META_URL'
    | 'FORGE_FILES_URL'
    | 'FORGE_MAVEN_URL'
    | 'NEOFORGE_MAVEN_URL'
    | 'BEDROCK_LINKS_URL'
    | 'SPIGOT_HUB_URL'
    | 'NUKKIT_MAVEN_URL'
    | 'GITHUB_API_URL'
    | 'ADOPTIUM_URL',
    string
  >
  /** Paths asked for, oldest first. */
  requests: string[]
  /** From now on, answers to paths that match go wrong; a later rule goes before an earlier one. */
  misbehave(path: RegExp, fault: Fault): void
  behave(): void
  close(): Promise<void>
}

export async function startUpstreams({ port = 0 }: { port?: number } = {}): Promise<Upstreams> {
  let services: Service[] = []
  let rules: { path: RegExp; fault: Fault }[] = []
  const requests: string[] = []

  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost')
    requests.push(pathname)
    const fault = rules.find(({ path }) => path.test(pathname))?.fault
    send(response, answer(pathname, searchParams, request.headers['user-agent'] ?? ''), fault)
  })

  function answer(path: string, query: URLSearchParams, userAgent: string): Answer {
    // PaperMC turns away clients that do not say who they are and how to reach them.
    if (path.startsWith('/v3/projects/') && !/\(.*@.*\)/.test(userAgent))
      return json({ ok: false, error: 'bad_user_agent' }, 403)
    for (const service of services) {
      const found = service(path, query)
      if (found) return found
    }
    return json({ ok: false, error: 'not_found' }, 404)
  }

  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  services = [
    createMojang(url),
    createPaper(url),
    createPurpur(),
    createFabric(url),
    createForge(),
    createBedrock(url),
    createGitHub(url),
    createNukkit(),
    createSpigot(),
    createAdoptium(url),
  ]

  return {
    url,
    settings: {
      MOJANG_META_URL: `${url}/mc/game/version_manifest_v2.json`,
      MOJANG_PROFILES_URL: `${url}/users/profiles/minecraft`,
      PAPER_FILL_URL: `${url}/v3`,
      PURPUR_URL: `${url}/v2`,
      FABRIC_META_URL: `${url}/v2`,
      QUILT_META_URL: `${url}/v3`,
      FORGE_FILES_URL: url,
      FORGE_MAVEN_URL: url,
      NEOFORGE_MAVEN_URL: url,
      BEDROCK_LINKS_URL: `${url}/api/v1.0/download/links`,
      SPIGOT_HUB_URL: url,
      NUKKIT_MAVEN_URL: `${url}/maven-snapshots`,
      GITHUB_API_URL: url,
      ADOPTIUM_URL: `${url}/v3`,
    },
    requests,
    misbehave: (path, fault) => void rules.unshift({ path, fault }),
    behave: () => void (rules = []),
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

function send(response: ServerResponse, { status, type, body, location }: Answer, fault: Fault | undefined): void {
  if (fault === 'silent') return
  if (fault === 'failing' || fault === 'missing') {
    response.writeHead(fault === 'failing' ? 500 : 404, { 'content-type': 'text/plain' }).end('no')
    return
  }
  if (fault === 'garbage') {
    response.writeHead(200, { 'content-type': 'text/html' }).end('<html>maintenance')
    return
  }
  if (fault === 'endless') {
    response.writeHead(200, { 'content-type': type })
    const more = () => {
      while (response.write(Buffer.alloc(65_536, ' '))) if (response.destroyed) return
    }
    response.on('drain', more)
    more()
    return
  }
  const sent = Buffer.from(body)
  if (fault === 'altered') sent[sent.length >> 1]! ^= 1
  response.writeHead(status, {
    'content-type': type,
    'content-length': sent.length,
    ...(location !== undefined && { location }),
  })
  if (fault === 'truncated') response.write(sent.subarray(0, sent.length >> 1), () => response.destroy())
  else response.end(sent)
}
