/** Pebble, a certificate authority for tests that asks as Let’s Encrypt does. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { Agent, request } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { vi } from 'vitest'
import { makeCertificate } from '../../apps/server/src/agent/certificate.ts'
import { findFreePort } from './ports.ts'

const unpacked = join(import.meta.dirname, '../../.cache/test-services/usr/bin/pebble')

export type Pebble = Awaited<ReturnType<typeof startPebble>>

/** @param httpPort where it asks hosts over HTTP. @param dnsPort of the name server that it asks */
export async function startPebble({ httpPort, dnsPort }: { httpPort: number; dnsPort: number }) {
  const folder = mkdtempSync(join(tmpdir(), 'ws-pebble-'))
  const [port, managementPort, tlsPort] = [await findFreePort(), await findFreePort(), await findFreePort()]
  const caFile = join(folder, 'own.pem')
  const own = await makeCertificate('localhost', ['localhost'])
  writeFileSync(caFile, own.certificate)
  writeFileSync(join(folder, 'own.key'), own.key)
  const pebble = {
    listenAddress: `127.0.0.1:${port}`,
    managementListenAddress: `127.0.0.1:${managementPort}`,
    certificate: caFile,
    privateKey: join(folder, 'own.key'),
    httpPort,
    tlsPort,
  }
  writeFileSync(join(folder, 'config.json'), JSON.stringify({ pebble }))
  const program = existsSync(unpacked) ? unpacked : '/usr/bin/pebble'
  const args = ['-config', join(folder, 'config.json'), '-dnsserver', `127.0.0.1:${dnsPort}`, '-strict']
  const child = spawn(program, args, { env: { PEBBLE_VA_NOSLEEP: '1' }, stdio: 'ignore' })

  const agent = new Agent({ rejectUnauthorized: false })
  const read = (path: string): Promise<string> =>
    new Promise((resolve, reject) => {
      const asking = request({ host: '127.0.0.1', port: managementPort, path, agent }, (answer) => {
        let text = ''
        answer.on('data', (part: Buffer) => (text += part.toString()))
        answer.on('end', () => resolve(text))
      })
      asking.on('error', reject).end()
    })
  const root = await vi.waitFor(
    async () => {
      if (child.exitCode !== null) throw new Error(`Pebble ended with ${child.exitCode}`)
      return read('/roots/0')
    },
    { timeout: 10_000, interval: 50 },
  )
  return {
    /** By which browsers would trust what it issues. */
    root,
    settings: { ACME_DIRECTORY_URL: `https://localhost:${port}/dir`, ACME_CA_FILE: caFile },
    async close() {
      child.kill('SIGKILL')
      await once(child, 'exit')
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
