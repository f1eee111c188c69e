/** Containers of the simulated machine: real processes in bubblewrap, as their user, with their mounts and a network of the Pod. */
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { existsSync, realpathSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Readable } from 'node:stream'
import { promisify } from 'node:util'

const exec = promisify(execFile)
const LOG_BYTES = 64 * 1024

export type ContainerSpec = {
  name: string
  command: string[]
  env: Record<string, string>
  user: number
  group: number
  mounts: { source: string; target: string; readOnly: boolean }[]
  network: string
  stdin: boolean
}
export type Container = {
  child: ChildProcess
  /** The first process inside, as this machine numbers it. */
  pid: number
  startedAt: string
  log(): string
  exit: Promise<number>
}

const FILES = ['ssl/certs', 'ld.so.cache', 'alternatives', 'nsswitch.conf', 'passwd', 'hosts']
const system = (): string[][] => [
  ['--ro-bind', '/usr', '/usr'],
  ...['bin', 'sbin', 'lib', 'lib32', 'lib64']
    .filter((name) => existsSync(`/${name}`) && realpathSync(`/${name}`).startsWith('/usr/'))
    .map((name) => ['--symlink', `usr/${name}`, `/${name}`]),
  ...FILES.map((name) => ['--ro-bind-try', `/etc/${name}`, `/etc/${name}`]),
]

/** On the way to what is shown, for every user: bubblewrap would make them for root alone. */
function foldersOn(targets: string[]): string[] {
  const folders = new Set(['/etc', '/etc/ssl', '/opt', '/opt/wakestone', '/opt/wakestone/bin'])
  for (const target of targets)
    for (let at = dirname(target); at !== '/' && !targets.includes(at); at = dirname(at)) folders.add(at)
  return [...folders].sort()
}

export async function startContainer(spec: ContainerSpec): Promise<Container> {
  const drop = ['--clear-groups', '--bounding-set=-all', '--inh-caps=-all', '--no-new-privs']
  const folders = foldersOn(spec.mounts.map(({ target }) => target))
  const args = [
    [`--net=/run/netns/${spec.network}`, '--', 'bwrap'],
    ['--unshare-pid', '--unshare-ipc', '--unshare-uts', '--hostname', 'server', '--die-with-parent', '--new-session'],
    ['--clearenv', '--info-fd', '3', '--proc', '/proc', '--dev', '/dev'],
    ...folders.map((path) => ['--perms', '755', '--dir', path]),
    ...system(),
    ['--ro-bind', process.execPath, '/opt/wakestone/bin/node'],
    ...spec.mounts.map(({ source, target, readOnly }) => [readOnly ? '--ro-bind' : '--bind', source, target]),
    ['--remount-ro', '/', '--chdir', '/'],
    ...Object.entries(spec.env).map(([name, value]) => ['--setenv', name, value]),
    ['--as-pid-1', '--', '/usr/bin/setpriv', `--reuid=${spec.user}`, `--regid=${spec.group}`, ...drop, '--'],
    spec.command,
  ].flat()
  const child = spawn('nsenter', args, { stdio: [spec.stdin ? 'pipe' : 'ignore', 'pipe', 'pipe', 'pipe'] })
  let kept = ''
  for (const stream of [child.stdout, child.stderr] as Readable[])
    stream.on('data', (chunk: Buffer) => (kept = `${kept}${chunk.toString()}`.slice(-LOG_BYTES)))
  child.stdin?.on('error', () => {})
  const exit = new Promise<number>((resolve) => {
    child.once('close', (code, signal) => resolve(code ?? (signal === 'SIGKILL' ? 137 : 143)))
    child.once('error', () => resolve(128))
  })
  const pid = await new Promise<number>((resolve) => {
    let text = ''
    ;(child.stdio[3] as Readable).on('data', (chunk: Buffer) => {
      text += chunk.toString()
      const found = /"child-pid": (\d+)/.exec(text)
      if (found) resolve(Number(found[1]))
    })
    void exit.then(() => resolve(0))
  })
  return { child, pid, startedAt: new Date().toISOString(), log: () => kept, exit }
}

/** A further process in a container that runs, as its machine starts one: no child of anything inside. */
export function startInside({ pid }: Container, { user, group, env }: ContainerSpec, command: string[]): ChildProcess {
  const drop = ['--clear-groups', '--bounding-set=-all', '--inh-caps=-all', '--no-new-privs']
  const args = ['-t', String(pid), '-m', '-p', '-n', '-i', '-u', '--', '/usr/bin/setpriv']
  return spawn('nsenter', [...args, `--reuid=${user}`, `--regid=${group}`, ...drop, '--', ...command], {
    stdio: ['pipe', 'pipe', 'pipe'],
    env: { PATH: '/usr/local/bin:/usr/bin:/bin', ...env },
  })
}

let links = 0
let range: Promise<string> | undefined

/** Addresses of this process, which lead nowhere while no Pod has them. */
async function takeRange(): Promise<string> {
  const own = process.pid % 4096
  // Those that providers keep for their own use.
  const prefix = `100.${64 + (own >> 8)}.${own & 255}`
  await exec('ip', ['route', 'replace', 'unreachable', `${prefix}.0/24`])
  return prefix
}

export async function giveRangeBack(): Promise<void> {
  const prefix = await range
  range = undefined
  if (prefix !== undefined) await exec('ip', ['route', 'del', 'unreachable', `${prefix}.0/24`]).catch(() => undefined)
}

/** A network for one Pod, which leads to this machine and nowhere else. @returns its address */
export async function makeNetwork(name: string): Promise<string> {
  const prefix = await (range ??= takeRange())
  const number = links++ % 120
  const [here, there] = [`${prefix}.${2 * number}`, `${prefix}.${2 * number + 1}`]
  const link = `wsk${process.pid.toString(36)}n${number}`
  await exec('ip', ['netns', 'add', name])
  await exec('ip', ['link', 'add', link, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', name])
  await exec('ip', ['addr', 'add', `${here}/31`, 'dev', link])
  await exec('ip', ['link', 'set', link, 'up'])
  await exec('ip', ['-n', name, 'link', 'set', 'lo', 'up'])
  await exec('ip', ['-n', name, 'addr', 'add', `${there}/31`, 'dev', 'eth0'])
  await exec('ip', ['-n', name, 'link', 'set', 'eth0', 'up'])
  return there
}

export const removeNetwork = (name: string) => exec('ip', ['netns', 'del', name]).catch(() => undefined)
