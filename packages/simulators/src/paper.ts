/** PaperMC's Fill API, version 3, and the grave of version 2. */
import { file, json, type Answer, type Service } from './mojang.ts'
import { makeServerJar } from './stand-ins.ts'

type Channel = 'ALPHA' | 'BETA' | 'STABLE' | 'RECOMMENDED'
type Version = { id: string; protocol: number; java: number; status: string; builds: [number, Channel][] }

/** Builds oldest first. The newest Minecraft has early builds only, as it is for weeks after each release. */
const versions: Version[] = [
  {
    id: '26.2',
    protocol: 776,
    java: 25,
    status: 'SUPPORTED',
    builds: [
      [3, 'ALPHA'],
      [4, 'ALPHA'],
    ],
  },
  {
    id: '26.1.2',
    protocol: 775,
    java: 25,
    status: 'SUPPORTED',
    builds: [
      [11, 'BETA'],
      [12, 'STABLE'],
      [13, 'BETA'],
    ],
  },
  {
    id: '1.21.4',
    protocol: 769,
    java: 21,
    status: 'UNSUPPORTED',
    builds: [
      [231, 'STABLE'],
      [232, 'STABLE'],
    ],
  },
  { id: '1.20.4', protocol: 765, java: 17, status: 'UNSUPPORTED', builds: [[499, 'RECOMMENDED']] },
  { id: '1.16.5', protocol: 754, java: 8, status: 'UNSUPPORTED', builds: [[794, 'STABLE']] },
  { id: '1.13-pre7', protocol: 0, java: 8, status: 'UNSUPPORTED', builds: [[5, 'ALPHA']] },
]

/** The proxy counts its own versions; those of today are called snapshots for good. */
const proxies: Version[] = [
  {
    id: '3.5.0-SNAPSHOT',
    protocol: 776,
    java: 21,
    status: 'SUPPORTED',
    builds: [
      [560, 'STABLE'],
      [561, 'BETA'],
    ],
  },
  { id: '3.4.0-SNAPSHOT', protocol: 772, java: 17, status: 'SUPPORTED', builds: [[522, 'STABLE']] },
  { id: '1.1.9', protocol: 754, java: 8, status: 'UNSUPPORTED', builds: [[99, 'STABLE']] },
]

/** @param base address under which the service is reached, without a trailing slash */
export function createPaper(base: string): Service {
  const documents = new Map<string, Answer>()
  addProject(documents, { base, name: 'paper', versions })
  // Folia follows Paper, and not in every version.
  const followed = versions.filter(({ id }) => ['26.1.2', '1.21.4'].includes(id))
  addProject(documents, { base, name: 'folia', versions: followed })

  addProject(documents, { base, name: 'velocity', versions: proxies })

  return (path) => {
    if (path.startsWith('/v2/projects')) return json({ ok: false, error: 'sunset' }, 410)
    return documents.get(path) ?? null
  }
}

function addProject(
  documents: Map<string, Answer>,
  { base, name, versions: offered }: { base: string; name: string; versions: Version[] },
): void {
  const project = `/v3/projects/${name}`
  for (const { id, protocol, builds } of offered) {
    const jar = makeServerJar({ engine: name === 'velocity' ? 'velocity' : 'paper', version: id, protocol })
    const described = builds.toReversed().map(([build, channel]) => {
      const path = `/v1/objects/${jar.sha256}/${name}-${id}-${build}.jar`
      documents.set(path, file(jar))
      const download = {
        name: `${name}-${id}-${build}.jar`,
        checksums: { sha256: jar.sha256 },
        size: jar.size,
        url: `${base}${path}`,
      }
      const answer = {
        id: build,
        time: '2026-08-18T12:00:00Z',
        channel,
        commits: [],
        downloads: { 'server:default': download },
      }
      documents.set(`${project}/versions/${id}/builds/${build}`, json(answer))
      return answer
    })
    documents.set(`${project}/versions/${id}/builds`, json(described))
    documents.set(`${project}/versions/${id}/builds/latest`, json(described[0]))
  }
  const list = offered.map(({ id, java, status, builds }) => ({
    version: { id, support: { status, end: null }, java: { version: { minimum: java }, flags: { recommended: [] } } },
    builds: builds.map(([build]) => build).toReversed(),
  }))
  documents.set(project, json({ project: { id: name, name }, versions: { all: offered.map(({ id }) => id) } }))
  documents.set(`${project}/versions`, json({ versions: list }))
}
