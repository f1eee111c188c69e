/**
 * A Podman of a test's own: its storage, its networks and its API in a folder, with an image that is built once for this
 * machine and kept in `.cache`. What such a machine lacks is passed by: see `begin`.
 */
import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { createReadStream, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { repoRoot } from '../../test-support/game-bench.ts'
import { waitUntil } from '../../process/processes.ts'
import { createEngine, type Engine } from '../engine.ts'
import { imageName } from '../image.ts'
import { label, type Names } from '../names.ts'

const tar = join(repoRoot, '.cache', `${imageName.replace(':', '-')}-${process.versions.node}.tar`)

/** An engine that is there already, with the image, instead of a Podman of the test's own: `unix:///path`. */
const given = process.env['TEST_ENGINE']

/** Why none can be had here; undefined where one can. */
export function findPodmanFault(): string | undefined {
  if (given !== undefined) return undefined
  if (process.getuid?.() !== 0) return 'the tests do not run as root'
  const more = [...(needsRunc ? ['runc'] : []), ...(existsSync(tar) ? [] : ['mmdebstrap'])]
  const programs = ['podman', 'netavark', 'iptables', ...more]
  const missing = programs.filter((program) => !hasProgram(program))
  return missing.length === 0 ? undefined : `${missing.join(', ')} not installed (apt-get install ${missing.join(' ')})`
}
/** Where cgroups are of the first version. */
const needsRunc = !existsSync('/sys/fs/cgroup/cgroup.controllers')
const hasProgram = (name: string) =>
  existsSync(`/usr/lib/podman/${name}`) || spawnSync('/bin/sh', ['-c', `command -v ${name}`]).status === 0

/**
 * Cgroups of both versions side by side are more than its runtimes can do; runc is content with the first. What is mounted
 * for containers stays there while the service is away.
 */
const hold = 'umount /sys/fs/cgroup/unified 2> /dev/null; echo ready; exec sleep infinity'

/** Open files, and processes, of a container that says nothing else. */
const MOST = 16_384

export type TestEngine = {
  url: string
  /** Not through what `stop` takes away, where that is not the engine itself. */
  engine: Engine
  start(): Promise<void>
  /** Nobody answers there any more; its containers go on. */
  stop(): Promise<void>
  close(): Promise<void>
}

/** Takes away what a cluster has left on an engine, and nothing of others'. */
export async function clean(engine: Engine, { mark, network }: Pick<Names, 'mark' | 'network'>): Promise<void> {
  const filters = JSON.stringify({ label: [`${label.cluster}=${mark}`] })
  const { body: all } = await engine.call('GET', '/containers/json', { query: { all: true, filters } })
  // Networks of guards are used by others until those are gone.
  const roles = ['guard', 'content', 'server', 'box']
  const found = (all as { Id: string; Labels: Record<string, string> }[]).toSorted(
    (one, other) => roles.indexOf(other.Labels[label.role] ?? '') - roles.indexOf(one.Labels[label.role] ?? ''),
  )
  for (const { Id } of found)
    await engine.call('DELETE', `/containers/${Id}`, { query: { force: true, v: true }, accepts: [404] })
  const { body } = await engine.call('GET', '/volumes', { query: { filters } })
  for (const { Name } of (body as { Volumes: { Name: string }[] | null }).Volumes ?? [])
    await engine.call('DELETE', `/volumes/${Name}`, { accepts: [404, 409] })
  await engine.call('DELETE', `/networks/${network}`, { accepts: [404] })
}

export const openPodman = (): Promise<TestEngine> => (given === undefined ? startPodman() : passOn(given))

/** Passes an engine on that is not the test's own, so that it can be away for the test alone. */
async function passOn(url: string): Promise<TestEngine> {
  const folder = mkdtempSync(join(tmpdir(), 'wspod-'))
  const socket = join(folder, 'api.sock')
  const open = new Set<Socket>()
  let server: Server | undefined
  async function start() {
    server = createServer({ allowHalfOpen: true }, (from) => {
      const to = connect({ path: new URL(url).pathname, allowHalfOpen: true })
      for (const one of [from, to]) {
        open.add(one)
        one
          .on('error', () => {})
          .on('close', () => {
            open.delete(one)
            ;(one === from ? to : from).destroy()
          })
      }
      from.pipe(to).pipe(from)
    })
    await new Promise<void>((done) => server?.listen(socket, done))
  }
  async function stop() {
    server?.close()
    for (const one of open) one.destroy()
    rmSync(socket, { force: true })
  }
  await start()
  return {
    url: `unix://${socket}`,
    engine: createEngine({ url }),
    start,
    stop,
    async close() {
      await stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** A Podman that keeps what it has in a folder, and speaks at `url` while it is started. */
export type PodmanService = {
  url: string
  engine: Engine
  /** How its program is called on the same storage, as `[command, ...arguments]`. */
  command: (...args: string[]) => [string, ...string[]]
  env: NodeJS.ProcessEnv
  start(): Promise<void>
  /** Its containers go on. */
  stop(): Promise<void>
  /** What was mounted for it is gone then. */
  close(): Promise<void>
}

/** @param storage the folder of images, containers and volumes, if they are to outlive `home` */
export async function openPodmanService(home: string, storage = join(home, 'root')): Promise<PodmanService> {
  const socket = join(home, 'api.sock')
  const conf = join(home, 'containers.conf')
  // More than it has itself Podman may not give where it lacks the capability for that.
  const limits = ['nofile', 'nproc'].map((name) => `"${name}=${MOST}:${MOST}"`)
  writeFileSync(
    conf,
    `[network]\nnetwork_backend = "netavark"\n[containers]\ndefault_ulimits = [${limits.join(', ')}]\n`,
  )
  const options = [
    `--root=${storage}`,
    `--runroot=${join(home, 'run')}`,
    `--tmpdir=${join(home, 'libpod')}`,
    `--network-config-dir=${join(home, 'net')}`,
    '--cgroup-manager=cgroupfs',
    '--events-backend=file',
    ...(needsRunc ? ['--runtime=runc'] : []),
  ]
  const url = `unix://${socket}`
  const engine = createEngine({ url })
  // Without systemd nobody would look after the health of containers, and Podman refuses to begin them.
  const env = { ...process.env, CONTAINERS_CONF: conf, DISABLE_HC_SYSTEMD: 'true' }
  const holder = spawn('unshare', ['-m', '--propagation', 'private', '/bin/sh', '-c', hold])
  await once(holder.stdout, 'data')
  const command = (...args: string[]): [string, ...string[]] => [
    'nsenter',
    `--mount=/proc/${holder.pid}/ns/mnt`,
    '--',
    'podman',
    ...options,
    ...args,
  ]
  let service: ChildProcess | undefined

  async function start() {
    rmSync(socket, { force: true })
    const [program, ...args] = command('system', 'service', '--time', '0', url)
    service = spawn(program, args, { stdio: 'ignore', env })
    const isUp = () =>
      engine.call('GET', '/_ping').then(
        () => true,
        () => false,
      )
    if (!(await waitUntil(isUp, 20_000))) throw new Error('Podman does not start')
  }
  async function stop() {
    service?.kill('SIGKILL')
    await waitUntil(() => service?.exitCode !== null || service?.signalCode !== null, 5_000)
    rmSync(socket, { force: true })
  }
  return {
    url,
    engine,
    command,
    env,
    start,
    stop,
    async close() {
      await stop()
      holder.kill('SIGKILL')
    },
  }
}

async function startPodman(): Promise<TestEngine> {
  buildImage()
  const home = mkdtempSync(join(tmpdir(), 'wspod-'))
  const service = await openPodmanService(home)
  const { url, engine, start, stop } = service
  await start()
  const [repo, tag] = imageName.split(':') as [string, string]
  const bytes = createReadStream(tar)
  const query = { fromSrc: '-', repo, tag }
  const { body } = await engine.call('POST', '/images/create', {
    query,
    bytes,
    type: 'application/x-tar',
    patience: 300_000,
  })
  const id = /sha256:[0-9a-f]{64}/.exec(JSON.stringify(body))?.[0] as string
  await engine.call('POST', `/images/${id}/tag`, { query: { repo, tag } })
  return {
    url,
    engine,
    start,
    stop,
    async close() {
      // What was mounted in its own view only is gone with it.
      await service.close()
      rmSync(home, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}

function buildImage() {
  if (existsSync(tar)) return
  mkdirSync(join(repoRoot, '.cache'), { recursive: true })
  const draft = `${tar}.${process.pid}`
  const script = join(repoRoot, 'scripts/image-supervisor.mjs')
  execFileSync(process.execPath, ['--no-warnings', script, '--out', draft], { stdio: 'inherit' })
  renameSync(draft, tar)
}
