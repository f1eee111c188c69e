/**
 * Files of ours on an engine: each set is a volume that is named by what it holds and never changes. An engine removes no
 * volume that somebody uses, so what still runs an old supervisor keeps it.
 */
import { createHash } from 'node:crypto'
import { existsSync, lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { basename, join } from 'node:path'
import { PassThrough } from 'node:stream'
import { create } from 'tar'
import { describeContainer } from './containers.ts'
import type { Host } from './host.ts'
import { label, type Names } from './names.ts'

type Content = {
  /** Told apart by this. */
  hash: string
  /** Name within → file or folder of this machine. */
  files: Record<string, string>
}

/** Read anew whenever it is asked for: what lies at a path may have changed. */
export function contentOf(files: Record<string, string>): Content {
  const hash = createHash('sha256')
  const add = (path: string, name: string) => {
    const found = lstatSync(path)
    if (found.isDirectory()) for (const entry of readdirSync(path).sort()) add(join(path, entry), `${name}/${entry}`)
    else if (found.isSymbolicLink()) hash.update(`${name} -> ${readlinkSync(path)}\n`)
    else hash.update(`${name} ${found.mode & 0o777} ${found.size}\n`).update(readFileSync(path))
  }
  for (const name of Object.keys(files).sort()) add(files[name] as string, name)
  return { hash: hash.digest('hex').slice(0, 32), files }
}

/**
 * Sees to it that it is there. @returns the volume's name
 *
 * It is filled through a container that is made and never started: only once that has gone well is it marked as whole, by
 * the container that is left with it.
 */
export async function provideContent(host: Host, names: Names, image: string, content: Content): Promise<string> {
  const volume = names.content(content.hash)
  if (await isWhole(host, volume)) return volume
  const draft = `${volume}-draft-${process.pid}-${Math.random().toString(36).slice(2, 8)}`
  await host.makeVolume(volume, 'content')
  await host.create(draft, holder(names, image, volume))
  try {
    for (const [name, path] of Object.entries(content.files)) {
      const isFolder = lstatSync(path).isDirectory()
      const from = isFolder ? { cwd: path, prefix: name } : { cwd: join(path, '..'), prefix: '' }
      const inputs = isFolder ? readdirSync(path) : [basename(path)]
      await putFiles(host, draft, { ...from, inputs, rename: isFolder ? undefined : name })
    }
    await host.create(volume, holder(names, image, volume)) // its name says that it is whole
  } finally {
    await host.remove(draft)
  }
  return volume
}

const isWhole = async (host: Host, volume: string) => (await host.look(volume)) !== undefined

const holder = (names: Names, image: string, volume: string) =>
  describeContainer({
    image,
    labels: names.labels('content'),
    env: {},
    command: ['/bin/true'],
    network: 'none',
    capabilities: [],
    memoryBytes: 32 * 1024 ** 2,
    scratch: false,
    mounts: [{ source: volume, target: '/mnt', write: true }],
  })

/** Brings files of this machine into the volume that a container shows at `/mnt`. */
async function putFiles(
  host: Host,
  container: string,
  { cwd, prefix, inputs, rename }: { cwd: string; prefix: string; inputs: string[]; rename?: string | undefined },
): Promise<void> {
  if (inputs.length === 0) return
  const onWriteEntry = (entry: { path: string }) => void (rename !== undefined && (entry.path = rename))
  const bytes = new PassThrough()
  create({ cwd, prefix, portable: true, follow: false, onWriteEntry }, inputs).pipe(bytes)
  const query = { path: '/mnt' }
  await host.engine.call('PUT', `/containers/${container}/archive`, {
    query,
    bytes,
    type: 'application/x-tar',
    patience: 600_000,
  })
}

/** Brings a fetched file to where all servers of the machine can read it, unless it is there. */
export async function putDownload(
  host: Host,
  names: Names,
  image: string,
  { folder, name }: { folder: string; name: string },
): Promise<void> {
  if (!existsSync(join(folder, name))) return // servers can fetch it themselves
  if ((await host.look(names.downloads)) === undefined) {
    await host.makeVolume(names.downloads, 'content')
    await host.create(names.downloads, holder(names, image, names.downloads))
  }
  const query = { path: `/mnt/${name}` }
  const { status } = await host.engine.call('HEAD', `/containers/${names.downloads}/archive`, { query, accepts: [404] })
  if (status === 404) await putFiles(host, names.downloads, { cwd: folder, prefix: '', inputs: [name] })
}

/** Takes away what nobody has and nobody will be given next. To be called while nobody is being given any. */
export async function removeUnusedContent(host: Host, kept: ReadonlySet<string>): Promise<void> {
  const all = await host.list()
  const used = new Set(all.flatMap(({ labels }) => (labels[label.content] ?? '').split(',')))
  for (const { name, labels } of all) {
    if (labels[label.role] !== 'content' || used.has(name) || kept.has(name)) continue
    await host.remove(name)
    await host.removeVolume(name)
  }
}
