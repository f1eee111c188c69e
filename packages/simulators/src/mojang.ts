/** Mojang's version manifest v2, version documents and server jars. */
import { createHash } from 'node:crypto'
import { makeServerJar, type StandIn } from './stand-ins.ts'

/** `location`: where somebody who asks is led. */
export type Answer = { status: number; type: string; body: Buffer; location?: string }
/** @returns null for a path that is not of this service */
export type Service = (path: string, query: URLSearchParams) => Answer | null

export function json(value: unknown, status = 200): Answer {
  return { status, type: 'application/json', body: Buffer.from(JSON.stringify(value)) }
}

export function file(standIn: StandIn): Answer {
  return { status: 200, type: 'application/octet-stream', body: standIn.content }
}

type Version = { id: string; type: string; protocol: number; java?: number; hasServer?: boolean }

/** Of every kind that the real list has: with and without Java stated, without a server, no releases. */
const versions: Version[] = [
  { id: '26.3-snapshot-9', type: 'snapshot', protocol: 0x40000009, java: 25 },
  { id: '26.2', type: 'release', protocol: 776, java: 25 },
  { id: '26.1.2', type: 'release', protocol: 775, java: 25 },
  { id: '1.21.11', type: 'release', protocol: 774, java: 21 },
  { id: '1.21.4', type: 'release', protocol: 769, java: 21 },
  { id: '1.20.4', type: 'release', protocol: 765, java: 17 },
  { id: '1.18', type: 'release', protocol: 757, java: 17 },
  { id: '1.17.1', type: 'release', protocol: 756, java: 16 },
  { id: '1.16.5', type: 'release', protocol: 754 },
  { id: '1.12.2', type: 'release', protocol: 340 },
  { id: '1.12.1', type: 'release', protocol: 338, hasServer: false },
  { id: '1.8.9', type: 'release', protocol: 47 },
  { id: '13w47a', type: 'snapshot', protocol: 0 },
  { id: 'rd-132211', type: 'old_alpha', protocol: 0, hasServer: false },
]

/** @param base address under which the service is reached, without a trailing slash */
export function createMojang(base: string): Service {
  const documents = new Map<string, Answer>()
  const entries = versions.map(({ id, type, protocol, java, hasServer = true }) => {
    const jar = makeServerJar({ engine: 'vanilla', version: id, protocol })
    const jarPath = `/v1/objects/${jar.sha1}/server.jar`
    const document = json({
      id,
      type,
      ...(java === undefined ? {} : { javaVersion: { component: 'java-runtime', majorVersion: java } }),
      downloads: {
        client: { sha1: jar.sha1, size: 1, url: `${base}/v1/objects/client.jar` },
        ...(hasServer ? { server: { sha1: jar.sha1, size: jar.size, url: `${base}${jarPath}` } } : {}),
      },
      mainClass: 'net.minecraft.client.main.Main',
    })
    const sha1 = createHash('sha1').update(document.body).digest('hex')
    documents.set(`/v1/packages/${sha1}/${id}.json`, document)
    if (hasServer) documents.set(jarPath, file(jar))
    const time = '2026-08-18T12:00:00+00:00'
    return {
      id,
      type,
      url: `${base}/v1/packages/${sha1}/${id}.json`,
      time,
      releaseTime: time,
      sha1,
      complianceLevel: 1,
    }
  })
  documents.set(
    '/mc/game/version_manifest_v2.json',
    json({ latest: { release: '26.2', snapshot: '26.3-snapshot-9' }, versions: entries }),
  )
  return (path) => documents.get(path) ?? profileOf(path)
}

/** Accounts: of every name there is one, but of those that begin with `Nobody`. */
function profileOf(path: string): Answer | null {
  const name = /^\/users\/profiles\/minecraft\/(\w{1,16})$/.exec(path)?.[1]
  if (name === undefined) return null
  if (name.startsWith('Nobody')) return json({ errorMessage: `Couldn't find any profile with name ${name}` }, 404)
  return json({ id: createHash('md5').update(`account ${name.toLowerCase()}`).digest('hex'), name })
}
