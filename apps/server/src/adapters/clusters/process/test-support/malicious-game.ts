/**
 * A customer's script that looks for a way out of its sandbox. Prints one JSON line per attempt:
 * `{attempt, got}`, where `got` is what it laid hands on, or null.
 */
import { execFileSync } from 'node:child_process'
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { connect } from 'node:net'

/** Paths of the host that the test knows to exist. */
const targets = JSON.parse(readFileSync('/data/targets.json', 'utf8')) as {
  paths: string[]
  sockets: string[]
  /** Names and numbers of system calls. */
  refused: Record<string, number>
  /** Whether the supervisor is another user. */
  twoUsers: boolean
}

async function attempt(name: string, action: () => unknown) {
  let got: unknown = null
  try {
    got = (await action()) ?? null
  } catch {
    // What is refused gives nothing.
  }
  process.stdout.write(`${JSON.stringify({ attempt: name, got })}\n`)
}
const read = (path: string) => readFileSync(path, 'utf8').slice(0, 200)
const list = (path: string) => readdirSync(path).slice(0, 20)
const look = (path: string) => (existsSync(path) ? path : null)
/** Writes, and says so when no error came of it. */
const write = (path: string) => {
  appendFileSync(path, 'x')
  return path
}

for (const path of targets.paths) {
  await attempt(`look at ${path}`, () => look(path))
  await attempt(`read ${path}`, () => read(path))
  await attempt(`list ${path}`, () => list(path))
  await attempt(`look at ${path} by a link`, () => {
    symlinkSync(path, `/data/link-${Math.random()}`)
    const link = readdirSync('/data').findLast((name) => name.startsWith('link-')) as string
    return look(`/data/${link}`)
  })
  await attempt(`look at ${path} through the root of another process`, () =>
    readdirSync('/proc')
      .filter((pid) => /^\d+$/.test(pid))
      .find((pid) => look(`/proc/${pid}/root${path}`)),
  )
  await attempt(`climb to ${path}`, () => look(`/data/../../../..${path}`))
}
for (const path of ['/etc/shadow', '/etc/ssl/private', '/root', '/home', '/sys', '/boot', '/var', '/srv', '/mnt']) {
  await attempt(`look at ${path}`, () => look(path))
}
await attempt('secrets of the repository', () =>
  list('/opt/wakestone').find((name) => name !== 'bin' && !/^[0-9a-f]{16}$/.test(name)),
)
await attempt('more than the supervisor itself', () =>
  list('/opt/wakestone')
    .filter((name) => name !== 'bin')
    .flatMap((name) => list(`/opt/wakestone/${name}`))
    .find((name) => !['supervisor.mjs', 'cache'].includes(name)),
)
await attempt('other sockets', () =>
  list('/run/wakestone').find((name) => !['config.json', 'supervisor.sock'].includes(name)),
)
for (const [name, number] of Object.entries(targets.refused)) {
  await attempt(`system call ${name}`, () => {
    const script = 'use Errno; syscall($ARGV[0] + 0, 0, 0, 0, 0, 0, 0) == -1 and ($!{EPERM} or $!{ENOSYS}) and exit 1'
    execFileSync('perl', ['-e', script, String(number)], { stdio: 'ignore' })
    return name
  })
}
if (targets.twoUsers) {
  for (const pid of ['1', '2']) {
    await attempt(`environment of process ${pid}`, () => read(`/proc/${pid}/environ`))
    await attempt(`open files of process ${pid}`, () => list(`/proc/${pid}/fd`)[0])
    await attempt(`memory of process ${pid}`, () => openSync(`/proc/${pid}/mem`, 'r'))
    for (const signal of ['SIGTERM', 'SIGSTOP', 'SIGKILL'] as const)
      await attempt(`${signal} to process ${pid}`, () => process.kill(Number(pid), signal))
  }
  await attempt('the supervisor’s socket', () => rmSync('/run/wakestone/supervisor.sock') ?? 'removed')
  await attempt('the folder of the socket', () => write('/run/wakestone/x'))
  await attempt('the supervisor’s configuration', () => read('/run/wakestone/config.json'))
  for (const path of ['events/spool.ndjson', 'installed.json', 'run-state.json', 'console/current.ndjson', 'x'])
    await attempt(`write the supervisor’s ${path}`, () => write(`/data/.wakestone/${path}`))
  await attempt('the supervisor’s folder', () => renameSync('/data/.wakestone', '/data/other') ?? 'moved')
  await attempt('the events', () => read('/data/.wakestone/events/spool.ndjson'))
  await attempt('the program that it runs', () => write(process.argv[1] as string))
}

await attempt('sockets of others', () =>
  list('/run').find((name) => !['wakestone', 'cgroup', 'downloads'].includes(name)),
)
await attempt(
  'secrets in the configuration',
  () => /PRIVATE|secret|password/i.exec(read('/run/wakestone/config.json'))?.[0],
)
await attempt('change of the configuration', () => write('/run/wakestone/config.json'))
await attempt('processes of the host', () => {
  const own = /^(?:bwrap|node|MainThread|sh|ss|du)$/
  return readdirSync('/proc')
    .filter((pid) => /^\d+$/.test(pid))
    .map((pid) => `${pid} ${read(`/proc/${pid}/comm`).trim()}`)
    .find((entry) => Number.parseInt(entry, 10) > 500 || !own.test(entry.split(' ')[1] as string))
})
await attempt('environment', () =>
  Object.keys(process.env).find((name) => !/^(PATH|HOME|LANG|TZ|PWD|SHLVL|_)$/.test(name)),
)
await attempt('environment of the supervisor', () => {
  const names = readdirSync('/proc')
    .filter((pid) => /^\d+$/.test(pid))
    .flatMap((pid) => {
      try {
        return readFileSync(`/proc/${pid}/environ`, 'utf8')
          .split('\0')
          .map((entry) => entry.split('=')[0])
      } catch {
        return []
      }
    })
  return names.find(
    (name) => name !== '' && !/^(PATH|HOME|LANG|TZ|PWD|NODE_COMPILE_CACHE|SHLVL|_)$/.test(name as string),
  )
})
await attempt('open files of the supervisor', () => {
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      for (const fd of readdirSync(`/proc/${pid}/fd`)) {
        const target = readlinkSync(`/proc/${pid}/fd/${fd}`)
        if (/secrets|postgres|placement|\/servers\/(?!.*supervisor\.log)/.test(target)) return target
      }
    } catch {
      // Not to be seen.
    }
  }
  return null
})
for (const path of [
  '/usr/bin/x',
  '/bin/sh',
  '/etc/passwd',
  '/etc/x',
  '/x',
  '/opt/wakestone/x',
  ...list('/opt/wakestone').flatMap((name) =>
    ['supervisor.mjs', 'cache/x'].map((file) => `/opt/wakestone/${name}/${file}`),
  ),
  '/opt/wakestone/bin/node',
  '/dev/x',
  '/run/cgroup/x',
  '/run/x',
  '/run/downloads/x',
  '/run/cgroup/memory/cgroup.procs',
  '/run/cgroup/memory/memory.limit_in_bytes',
  '/run/cgroup/memory/supervisor/cgroup.procs',
  '/run/cgroup/memory/game/memory.limit_in_bytes',
  '/run/cgroup/supervisor/cgroup.procs',
  '/run/cgroup/game/memory.max',
  '/run/cgroup/memory.max',
]) {
  await attempt(`write ${path}`, () => write(path))
}
for (const path of [
  '/proc/sys/kernel/core_pattern',
  '/proc/sys/kernel/hostname',
  '/proc/sys/vm/drop_caches',
  '/proc/sysrq-trigger',
  '/proc/self/uid_map',
  '/proc/sys/user/max_user_namespaces',
]) {
  await attempt(`open ${path} for writing`, () => writeFileSync(path, '') ?? path)
}
for (const program of [
  ['unshare', '--user', '--map-root-user', 'true'],
  ['unshare', '--mount', 'true'],
  ['mount', '-t', 'tmpfs', 'x', '/tmp'],
  ['chroot', '/data', '/bin/true'],
  ['mknod', '/data/disk', 'b', '254', '0'],
  ['hostname', 'evil'],
  ['mount', '-o', 'remount,rw', '/usr'],
  ['nice', '-n', '-5', 'sh', '-c', 'exit $(( $(nice) < 0 ? 0 : 1 ))'],
]) {
  await attempt(
    `run ${program.join(' ')}`,
    () => execFileSync(program[0] as string, program.slice(1), { stdio: 'ignore' }) && program[0],
  )
}
await attempt(
  'capabilities',
  () => /^Cap(?:Eff|Prm|Bnd|Amb):\s*0*[1-9a-f]/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[0],
)
await attempt('a set-uid program', () =>
  execFileSync('/bin/sh', ['-c', 'su -c id root </dev/null'], { stdio: ['ignore', 'pipe', 'ignore'] }).toString(),
)
for (const path of targets.sockets) {
  await attempt(
    `connect to ${path}`,
    () =>
      new Promise((resolve, reject) => {
        const socket = connect(path)
        socket.on('connect', () => resolve(path))
        socket.on('error', reject)
      }),
  )
}
await attempt('writing beside the volume', () => {
  mkdirSync('/data/../data2')
  return 'made'
})
process.stdout.write('done\n')
setInterval(() => {}, 1e6)
