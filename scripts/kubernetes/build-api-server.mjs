/**
 * Builds the API server of Kubernetes from Debian's source package, for the tests that ask a real one: no package of ours and
 * none of Debian's has it as a program.
 *
 *     npm run build:kubernetes               # into .cache/kubernetes, half an hour of one core
 *     npm run build:kubernetes -- --into DIR
 */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { parseArgs } from 'node:util'

const root = resolve(import.meta.dirname, '../..')
const { values } = parseArgs({
  options: {
    into: { type: 'string', default: join(root, '.cache', 'kubernetes') },
    mirror: { type: 'string', default: 'http://deb.debian.org/debian' },
    suite: { type: 'string', default: 'bookworm' },
  },
})
const folder = resolve(values.into)
const program = join(folder, 'kube-apiserver')
const go = '/usr/lib/go-1.19/bin/go'

if (existsSync(program)) {
  console.log(`${program} is there`)
  process.exit(0)
}
const missing = [
  [go, 'golang-1.19-go'],
  ['/usr/bin/dpkg-source', 'dpkg-dev'],
  ['/usr/bin/etcd', 'etcd-server'],
].flatMap(([path, name]) => (existsSync(path) ? [] : name))
if (missing.length > 0) {
  console.error(`apt-get install --no-install-recommends ${missing.join(' ')}`)
  process.exit(1)
}
mkdirSync(folder, { recursive: true })

const workspace = join(folder, 'go')
const source = join(workspace, 'src', 'k8s.io', 'kubernetes')
if (!existsSync(source)) fetchSource()
const version = /^ *Version: .*really([\d.]+)/m.exec(readFileSync(findFile('.dsc'), 'utf8'))?.[1] ?? '1.20.2'
generateSchemas()
run('the API server', go, [
  'build',
  '-p',
  process.env.GOMAXPROCS ?? '2',
  '-ldflags',
  `-s -w ${stamps(version)}`,
  '-o',
  `${program}.new`,
  'k8s.io/kubernetes/cmd/kube-apiserver',
])
renameSync(`${program}.new`, program)
rmSync(workspace, { recursive: true, force: true })
rmSync(join(folder, 'go-cache'), { recursive: true, force: true })
console.log(`${program} is built`)

function fetchSource() {
  const lists = join(folder, 'lists')
  mkdirSync(join(lists, 'partial'), { recursive: true })
  const sources = join(folder, 'sources.list')
  writeFileSync(sources, `deb-src ${values.mirror} ${values.suite} main\n`)
  const options = [`Dir::Etc::SourceList=${sources}`, 'Dir::Etc::SourceParts=/dev/null', `Dir::State::Lists=${lists}`]
  const flags = [...options, 'APT::Sandbox::User=root'].flatMap((option) => ['-o', option])
  run('lists of sources', 'apt-get', [...flags, 'update'])
  run('the source', 'apt-get', [...flags, '--download-only', 'source', 'kubernetes'])
  const unpacked = join(folder, 'unpacked')
  rmSync(unpacked, { recursive: true, force: true })
  run('unpacking', 'dpkg-source', ['--no-check', '-x', findFile('.dsc'), unpacked])
  mkdirSync(dirname(source), { recursive: true })
  renameSync(unpacked, source)
}

/** The one part of it that the source package leaves to be generated. */
function generateSchemas() {
  if (existsSync(join(source, 'pkg/generated/openapi/zz_generated.openapi.go'))) return
  const generator = join(folder, 'openapi-gen')
  run('the generator', go, [
    'build',
    '-p',
    process.env.GOMAXPROCS ?? '2',
    '-o',
    generator,
    'k8s.io/kubernetes/vendor/k8s.io/kube-openapi/cmd/openapi-gen',
  ])
  const tagged = spawnSync(
    'sh',
    ['-c', "grep -rl --include='*.go' '+k8s:openapi-gen=' pkg cmd staging/src/k8s.io | xargs -n1 dirname | sort -u"],
    { cwd: source, encoding: 'utf8' },
  )
  const others = /\/(?:code-generator|sample-apiserver|testdata)(?:\/|$)/
  const packages = tagged.stdout
    .split('\n')
    .filter((path) => path !== '' && !others.test(path))
    .map((path) => `k8s.io/kubernetes/${path.replace(/^staging\/src\//, 'vendor/')}`)
  run('schemas', generator, [
    '-i',
    packages.join(','),
    '-p',
    'k8s.io/kubernetes/pkg/generated/openapi',
    '-O',
    'zz_generated.openapi',
    '-h',
    join(source, 'vendor/k8s.io/code-generator/hack/boilerplate.go.txt'),
    '-r',
    join(folder, 'violations.txt'),
    '-o',
    join(workspace, 'src'),
  ])
}

/** With these it says which version it is. */
function stamps(text) {
  const [major, minor] = text.split('.')
  const stamp = { gitVersion: `v${text}`, gitMajor: major, gitMinor: minor, gitTreeState: 'clean' }
  return ['k8s.io/component-base/version', 'k8s.io/client-go/pkg/version']
    .flatMap((name) =>
      Object.entries(stamp).map(([key, value]) => `-X k8s.io/kubernetes/vendor/${name}.${key}=${value}`),
    )
    .join(' ')
}

function findFile(ending) {
  const name = readdirSync(folder).find((one) => one.startsWith('kubernetes_') && one.endsWith(ending))
  if (name === undefined) throw new Error(`no ${ending} in ${folder}`)
  return join(folder, name)
}

function run(what, command, args) {
  console.log(`${what} …`)
  const { status, error } = spawnSync(command, args, {
    cwd: existsSync(source) ? source : folder,
    stdio: 'inherit',
    env: {
      ...process.env,
      GOPATH: workspace,
      GO111MODULE: 'off',
      CGO_ENABLED: '0',
      GOCACHE: join(folder, 'go-cache'),
      GOFLAGS: '',
    },
  })
  if (status === 0) return
  console.error(`${what}: ${error?.message ?? `ended with ${status}`}`)
  process.exit(1)
}
