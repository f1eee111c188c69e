/** The ports that all parts together need, checked before anything starts. */
import { createServer } from 'node:net'
import type { Settings } from '@wakestone/kit/settings'

export type Ports = {
  http: number
  game: number
  sftp: number
  metrics: number
  sandbox: number | undefined
  discord: number | undefined
  paypal: number | undefined
  paynow: number | undefined
}
type Wanted = { variable: string; port: number; host: string | undefined }

type Needed = { sandbox: boolean; discord: boolean; paypal: boolean; paynow: boolean }

/**
 * Ports by their settings; `0` takes a free one whose companions are free too. the rest of `needed`:
 * whether the demo's payment provider, and its stand-ins for Discord, PayPal and PayNow, need one.
 * @throws Error naming each port that cannot be had, and the setting to change.
 */
export async function choosePorts(settings: Settings, needed: Needed): Promise<Ports> {
  for (let triesLeft = settings.HTTP_PORT === 0 ? 20 : 1; ; triesLeft--) {
    try {
      return await tryPorts(settings, needed)
    } catch (error) {
      if (triesLeft === 1) throw error
    }
  }
}

async function tryPorts(settings: Settings, { sandbox, discord, paypal, paynow }: Needed): Promise<Ports> {
  const http = settings.HTTP_PORT || (await findFreePort())
  const ports = {
    http,
    game: settings.GAME_PORT || (await findFreePort()),
    sftp: settings.SFTP_PORT || (await findFreePort()),
    metrics: settings.METRICS_PORT || http + 100,
    sandbox: sandbox ? settings.SANDBOX_PORT || http + 200 : undefined,
    discord: discord ? settings.DISCORD_SANDBOX_PORT || http + 201 : undefined,
    paypal: paypal ? settings.PAYPAL_SANDBOX_PORT || http + 202 : undefined,
    paynow: paynow ? settings.PAYNOW_SANDBOX_PORT || http + 203 : undefined,
  }
  const metricsVariable = settings.METRICS_PORT ? 'METRICS_PORT' : 'METRICS_PORT (unset: HTTP_PORT + 100)'
  const wanted: Wanted[] = [
    { variable: 'HTTP_PORT', port: ports.http, host: settings.HTTP_HOST },
    { variable: 'GAME_PORT', port: ports.game, host: settings.GAME_HOST },
    { variable: 'SFTP_PORT', port: ports.sftp, host: settings.GAME_HOST },
    ...[0, 1, 2].map((offset) => ({
      variable: metricsVariable,
      port: ports.metrics + offset,
      host: settings.METRICS_HOST,
    })),
  ]
  if (settings.HTTPS_PORT !== undefined)
    wanted.push({ variable: 'HTTPS_PORT', port: settings.HTTPS_PORT, host: settings.HTTP_HOST })
  if (ports.sandbox !== undefined) {
    const variable = settings.SANDBOX_PORT ? 'SANDBOX_PORT' : 'SANDBOX_PORT (unset: HTTP_PORT + 200)'
    wanted.push({ variable, port: ports.sandbox, host: settings.HTTP_HOST })
  }
  if (ports.discord !== undefined) {
    const variable = settings.DISCORD_SANDBOX_PORT
      ? 'DISCORD_SANDBOX_PORT'
      : 'DISCORD_SANDBOX_PORT (unset: HTTP_PORT + 201)'
    wanted.push({ variable, port: ports.discord, host: settings.HTTP_HOST })
  }
  if (ports.paypal !== undefined) {
    const variable = settings.PAYPAL_SANDBOX_PORT
      ? 'PAYPAL_SANDBOX_PORT'
      : 'PAYPAL_SANDBOX_PORT (unset: HTTP_PORT + 202)'
    wanted.push({ variable, port: ports.paypal, host: settings.HTTP_HOST })
  }
  if (ports.paynow !== undefined) {
    const variable = settings.PAYNOW_SANDBOX_PORT
      ? 'PAYNOW_SANDBOX_PORT'
      : 'PAYNOW_SANDBOX_PORT (unset: HTTP_PORT + 203)'
    wanted.push({ variable, port: ports.paynow, host: settings.HTTP_HOST })
  }
  const clashes = findClashes(wanted)
  if (clashes.length > 0) throw new Error(clashes.join('\n'))
  const faults = (await Promise.all(wanted.map(findFault))).filter((fault) => fault !== undefined)
  if (faults.length > 0) throw new Error(faults.join('\n'))
  return ports
}

/** Ports that two settings ask for: each is free until the other has it. */
function findClashes(wanted: readonly Wanted[]): string[] {
  return wanted.flatMap(({ variable, port }, index) => {
    const other = wanted.slice(0, index).find((one) => one.port === port)
    return other === undefined
      ? []
      : [`Port ${port} is asked for twice, by ${other.variable} and by ${variable}: set one of them to a free one`]
  })
}

async function findFault({ variable, port, host }: Wanted): Promise<string | undefined> {
  const code = await tryPort(port, host)
  if (code === undefined) return undefined
  if (code === 'EADDRINUSE') return `Port ${port} is taken by another program: set ${variable} to a free one`
  if (code === 'EACCES') return `Port ${port} needs more rights than this user has: set ${variable} to one above 1023`
  if (code === 'ERR_SOCKET_BAD_PORT') return `Port ${port} does not exist: set ${variable} so that it ends below 65536`
  return `Cannot listen on ${host ?? 'any address'}, port ${port} (${code}): see ${variable}`
}

function tryPort(port: number, host: string | undefined): Promise<string | undefined> {
  return new Promise((resolve) => {
    const server = createServer()
    const fail = (error: NodeJS.ErrnoException) => resolve(error.code ?? 'unknown')
    server.once('error', fail)
    try {
      server.listen({ port, host, exclusive: true }, () => server.close(() => resolve(undefined)))
    } catch (error) {
      fail(error as NodeJS.ErrnoException)
    }
  })
}

function findFreePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer().once('error', reject)
    server.listen(0, () => {
      const { port } = server.address() as { port: number }
      server.close(() => resolve(port))
    })
  })
}
