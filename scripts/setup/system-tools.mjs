// Programs that come from the operating system: installed by apt where that is possible, otherwise named.
import { spawnSync } from 'node:child_process'
import { accessSync, constants, existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { run, step } from './run.mjs'

/** By name: the packages that bring a tool, the best first, and what tells that it is there. */
const tools = {
  bubblewrap: {
    packages: ['bubblewrap'],
    programs: ['bwrap'],
    without: 'no game server can be started (or unsafely, with ALLOW_UNSANDBOXED=1)',
  },
  nftables: {
    packages: ['nftables'],
    programs: ['nft'],
    without: 'servers have no network of their own, and reach what listens on this machine',
  },
  iproute2: {
    packages: ['iproute2'],
    programs: ['ip'],
    without: 'servers have no network of their own where the product runs as root',
  },
  passt: {
    packages: ['passt', 'slirp4netns'],
    programs: ['pasta', 'slirp4netns'],
    without: 'servers have no network of their own where the product runs as an ordinary user',
  },
  'libarchive-tools': {
    packages: ['libarchive-tools'],
    programs: ['bsdtar'],
    without: 'archives can be neither looked into nor unpacked',
  },
  lzop: {
    packages: ['lzop'],
    programs: ['lzop'],
    without: 'archives of kind tar.lzo cannot be unpacked',
  },
  zstd: {
    packages: ['zstd'],
    programs: ['zstd'],
    without: 'archives of kind tar.zst can be neither made nor unpacked',
  },
  'openssh-sftp-server': {
    packages: ['openssh-sftp-server'],
    programs: ['/usr/lib/openssh/sftp-server', '/usr/libexec/openssh/sftp-server', '/usr/lib/ssh/sftp-server'],
    without: 'there is no SFTP',
  },
  // Without the package that would start one on this machine, and listen there.
  'mariadb-server-core': {
    packages: ['mariadb-server-core'],
    programs: ['/usr/sbin/mariadbd'],
    without: 'servers have no MySQL',
  },
  'mariadb-client': {
    packages: ['mariadb-client'],
    programs: ['/usr/bin/mariadb-dump'],
    without: 'servers have no MySQL',
  },
  pgbouncer: {
    packages: ['pgbouncer'],
    programs: ['/usr/sbin/pgbouncer'],
    without: 'what the product does behind PgBouncer is not tested',
  },
  chromium: {
    packages: ['chromium-headless-shell', 'chromium'], // without a window it loads a page for half the processor's time
    programs: ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome'],
    without: 'the tests in a browser fail',
  },
  nginx: {
    packages: ['nginx'],
    programs: ['nginx'],
    without: 'downloads are measured against nothing',
  },
  'openssh-client': {
    packages: ['openssh-client'],
    programs: ['sftp'],
    without: 'the tests of SFTP fail',
  },
  'openssh-server': {
    packages: ['openssh-server'],
    programs: ['/usr/sbin/sshd'],
    without: 'SFTP is measured against nothing',
  },
  unzip: { packages: ['unzip'], programs: ['unzip'], without: 'unpacking is measured against nothing' },
  lftp: { packages: ['lftp'], programs: ['lftp'], without: 'SFTP is not tried with it' },
  rclone: { packages: ['rclone'], programs: ['rclone'], without: 'SFTP is not tried with it' },
  sshfs: { packages: ['sshfs'], programs: ['sshfs'], without: 'SFTP is not tried with it' },
  wrk: {
    packages: ['wrk'],
    programs: ['wrk'],
    without: 'requests per second are not measured',
  },
}

/** What sandboxes are made with, and what works on files in them. */
export const sandboxTools = [
  'bubblewrap',
  'nftables',
  'iproute2',
  'passt',
  'libarchive-tools',
  'lzop',
  'zstd',
  'openssh-sftp-server',
  'mariadb-server-core',
  'mariadb-client',
]

/** What customers reach their files with. */
export const sftpClients = ['openssh-client', 'lftp', 'rclone', 'sshfs']

/** Sees to the named tools. Never throws: what cannot be installed is named, with what will not work without it. */
export async function installSystemTools(names) {
  const missing = names.filter((name) => !tools[name].programs.some(isOnPath))
  if (missing.length === 0) return
  const apt = aptCommand()
  if (apt) {
    try {
      await step(`installing ${missing.join(', ')} (apt)`, async () => {
        const [command, ...args] = apt
        await run(command, [...args, 'update', '-q'])
        const packages = missing.map((name) => tools[name].packages.find(isPackage) ?? name)
        await run(command, [...args, 'install', '-q', '-y', '--no-install-recommends', ...packages])
      })
      return
    } catch (error) {
      console.error(String(error.message))
    }
  }
  for (const name of missing) {
    console.error(`! ${name} is missing and could not be installed: without it ${tools[name].without}.`)
    console.error(`  Install it with your system's packages (Debian, Ubuntu: apt-get install ${name}).`)
  }
}

function isOnPath(program) {
  if (program.startsWith('/')) return existsSync(program)
  return (process.env.PATH ?? '')
    .split(delimiter)
    .concat('/usr/bin', '/usr/sbin')
    .some((folder) => {
      try {
        accessSync(join(folder, program), constants.X_OK)
        return true
      } catch {
        return false
      }
    })
}

/** Whether apt can bring it. */
function isPackage(name) {
  return spawnSync('apt-cache', ['show', name], { stdio: 'ignore' }).status === 0
}

/** How to call apt-get as root; undefined where there is none, or no right to. */
function aptCommand() {
  if (!isOnPath('apt-get')) return undefined
  const apt = ['env', 'DEBIAN_FRONTEND=noninteractive', 'apt-get', '-o', 'DPkg::Lock::Timeout=120']
  if (process.getuid?.() === 0) return apt
  const asks = spawnSync('sudo', ['-n', 'true'], { stdio: 'ignore' }).status !== 0
  return asks ? undefined : ['sudo', '-n', ...apt]
}
