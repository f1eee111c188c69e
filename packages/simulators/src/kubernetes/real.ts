/**
 * A real API server of Kubernetes, over an etcd of its own, with roles obeyed: `npm run build:kubernetes` builds the program.
 * Nothing but the simulated machine places Pods.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { generateKeyPairSync, randomBytes } from 'node:crypto'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { createClient } from './client.ts'

const READY_MS = 120_000

/** Why none can be started here; undefined where one can. */
export function findServerFault(program: string): string | undefined {
  if (!existsSync(program)) return `${program} is not built (npm run build:kubernetes)`
  return spawnSync('etcd', ['--version']).status === 0 ? undefined : 'etcd not installed (apt-get install etcd-server)'
}

/** @param account whose token is given, with what Roles grant it and nothing else */
export async function startRealApi(program: string, account: { namespace: string; name: string }) {
  const folder = mkdtempSync(join(tmpdir(), 'wskr-'))
  const [admin, product] = [randomBytes(16).toString('hex'), randomBytes(16).toString('hex')]
  const tokens = join(folder, 'tokens.csv')
  const name = `system:serviceaccount:${account.namespace}:${account.name}`
  writeFileSync(tokens, `${admin},admin,1,"system:masters"\n${product},${name},2\n`, { mode: 0o600 })
  const { privateKey, publicKey } = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  })
  const [key, pub] = [join(folder, 'account.key'), join(folder, 'account.pub')]
  writeFileSync(key, privateKey, { mode: 0o600 })
  writeFileSync(pub, publicKey)
  const [client, peer, port] = await Promise.all([freePort(), freePort(), freePort()])
  const children: ChildProcess[] = []
  const run = (command: string, args: string[]) => {
    const child = spawn(command, args, { stdio: ['ignore', 'ignore', 'pipe'], cwd: folder })
    children.push(child)
    let said = ''
    child.stderr?.on('data', (chunk: Buffer) => (said = `${said}${chunk.toString()}`.slice(-4000)))
    return { child, said: () => said }
  }
  async function close() {
    for (const child of children.toReversed()) child.kill('SIGKILL')
    rmSync(folder, { recursive: true, force: true })
  }
  const etcdUrl = `http://127.0.0.1:${client}`
  const peerUrl = `http://127.0.0.1:${peer}`
  run('etcd', [
    `--data-dir=${join(folder, 'etcd')}`,
    `--listen-client-urls=${etcdUrl}`,
    `--advertise-client-urls=${etcdUrl}`,
    `--listen-peer-urls=${peerUrl}`,
    `--initial-advertise-peer-urls=${peerUrl}`,
    `--initial-cluster=default=${peerUrl}`,
    '--unsafe-no-fsync',
  ])
  const server = run(program, [
    `--etcd-servers=${etcdUrl}`,
    '--bind-address=127.0.0.1',
    `--secure-port=${port}`,
    `--cert-dir=${join(folder, 'certificates')}`,
    `--token-auth-file=${tokens}`,
    '--anonymous-auth=false',
    '--authorization-mode=RBAC',
    '--service-account-issuer=https://tests.invalid',
    `--service-account-key-file=${pub}`,
    `--service-account-signing-key-file=${key}`,
    '--service-cluster-ip-range=10.96.0.0/16',
    // Its tokens are made by a controller that is not there.
    '--disable-admission-plugins=ServiceAccount',
    '--kubelet-preferred-address-types=InternalIP',
  ])
  const url = `https://127.0.0.1:${port}`
  const certificate = join(folder, 'certificates', 'apiserver.crt')
  for (const end = Date.now() + READY_MS; ; await delay(200)) {
    const isReady =
      existsSync(certificate) &&
      (await createClient({ url, token: admin, ca: readFileSync(certificate, 'utf8') })
        .call('GET', '/api/v1/namespaces/default')
        .then(
          () => true,
          () => false,
        ))
    if (isReady) break
    if (Date.now() > end || server.child.exitCode !== null) {
      await close()
      throw new Error(`the API server does not start: ${server.said().slice(-1500)}`)
    }
  }
  const ca = readFileSync(certificate, 'utf8')
  return { url, ca, tokens: { admin, product }, close }
}

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const { port } = server.address() as AddressInfo
  await new Promise<void>((done) => server.close(() => done()))
  return port
}
