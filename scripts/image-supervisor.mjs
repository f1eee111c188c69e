// Builds the image in which docker clusters run servers, without a hub, and gives it to an engine or writes it to a file:
//
//   npm run image:supervisor -- --engine unix:///run/podman/podman.sock
//   npm run image:supervisor -- --engine tcp://10.0.0.5:2376 --ca ca.pem --cert cert.pem --key key.pem
//   npm run image:supervisor -- --out wakestone-box.tar        then: docker import wakestone-box.tar wakestone-box:1
//
// It holds a small Debian and Node; the supervisor itself is no part of it, so that an upgrade of the product needs no
// other image. `--java` adds the system's Java, which no package of ours needs. Takes root, mmdebstrap and a mirror.
import { createReadStream, readFileSync } from 'node:fs'
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { createEngine } from '../apps/server/src/adapters/clusters/docker/engine.ts'
import { imageName, imageVersion } from '../apps/server/src/adapters/clusters/docker/image.ts'
import { run } from './setup/run.mjs'

const { values: options } = parseArgs({
  options: {
    engine: { type: 'string' },
    ca: { type: 'string' },
    cert: { type: 'string' },
    key: { type: 'string' },
    out: { type: 'string' },
    suite: { type: 'string', default: 'bookworm' },
    mirror: { type: 'string', default: 'http://deb.debian.org/debian' },
    java: { type: 'boolean', default: false },
  },
})
if ((options.engine === undefined) === (options.out === undefined)) {
  console.error('Say where to: --engine unix:///…/podman.sock, --engine tcp://host:2376, or --out file.tar')
  process.exit(2)
}

/** What supervisors, files services and tasks call. */
const packages = [
  'ca-certificates',
  'libarchive-tools',
  'libatomic1',
  'libnss-extrausers',
  'lzop',
  'mariadb-client',
  'mariadb-server-core',
  'nftables',
  'openssh-client',
  'openssh-sftp-server',
  'zstd',
  ...(options.java ? ['default-jre-headless'] : []),
]
/** Nobody reads documentation there. */
const leftOut = ['/usr/share/doc/*', '/usr/share/man/*', '/usr/share/locale/*', '/usr/share/info/*']

const folder = await mkdtemp(join(tmpdir(), 'wakestone-image-'))
try {
  const extra = join(folder, 'extra')
  await mkdir(join(extra, 'opt/wakestone/bin'), { recursive: true })
  await mkdir(join(extra, 'opt/wakestone/tools'), { recursive: true })
  await mkdir(join(extra, 'run/wakestone'), { recursive: true })
  await mkdir(join(extra, 'run/downloads'), { recursive: true })
  await mkdir(join(extra, 'data'), { recursive: true })
  await cp(process.execPath, join(extra, 'opt/wakestone/bin/node'))
  // Each server's programs have a user of their own, of whom systems are told where nothing of the image is changed.
  await writeFile(join(extra, 'run/wakestone/passwd'), '')
  const tar = options.out === undefined ? join(folder, 'image.tar') : resolve(options.out)
  console.log(`building ${imageName} (${options.suite}, Node ${process.versions.node})`)
  await run('mmdebstrap', [
    '--variant=minbase',
    '--format=tar', // whatever the file is called
    '--quiet',
    `--include=${packages.join(',')}`,
    ...leftOut.map((path) => `--dpkgopt=path-exclude=${path}`),
    `--customize-hook=cp -a "${extra}/." "$1"`,
    '--customize-hook=rm -rf "$1/var/lib/extrausers"; ln -s /run/wakestone "$1/var/lib/extrausers"',
    '--customize-hook=sed -i "s/^passwd:.*/passwd: files extrausers/" "$1/etc/nsswitch.conf"',
    '--customize-hook=rm -rf "$1/var/lib/apt/lists" "$1/var/cache/apt"; mkdir -p "$1/var/lib/apt/lists"',
    options.suite,
    tar,
    options.mirror,
  ])
  if (options.engine !== undefined) await give(tar)
  console.log(options.engine === undefined ? `written: ${tar}` : `${imageName} is at ${options.engine}`)
} finally {
  await rm(folder, { recursive: true, force: true })
}

async function give(tar) {
  const read = (path) => (path === undefined ? undefined : readFileSync(path, 'utf8'))
  const [ca, cert, key] = [options.ca, options.cert, options.key].map(read)
  const engine = createEngine({ url: options.engine, ...(key && { tls: { ca, cert, key } }) })
  const [repo, tag] = imageName.split(':')
  const { body } = await engine.call('POST', '/images/create', {
    query: { fromSrc: '-', repo, tag, message: `wakestone ${imageVersion}` },
    bytes: createReadStream(tar),
    type: 'application/x-tar',
    patience: 600_000,
  })
  // Podman 4 forgets the tag.
  const id = /sha256:[0-9a-f]{64}/.exec(typeof body === 'string' ? body : JSON.stringify(body))?.[0]
  if (id !== undefined) await engine.call('POST', `/images/${id}/tag`, { query: { repo, tag } })
}
