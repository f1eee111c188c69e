/** What the product needs of others: its own parts by their ports, mail, payments, names, certificates, the time. */
import { randomBytes } from 'node:crypto'
import { lookup, Resolver } from 'node:dns/promises'
import { connect } from 'node:tls'
import { publicUrl, type Settings } from '@wakestone/kit/settings'
import { createPowerDns } from '#src/adapters/dns/power-dns.ts'
import { checkMailServer } from '#src/adapters/mail/mailer.ts'
import { createGateways } from '#src/adapters/payments/registry.ts'
import { gatewayNames } from '#src/adapters/payments/gateway.ts'
import { type Finding, finding, ok } from './findings.ts'

const waitMilliseconds = 5_000
const dayMilliseconds = 86_400_000
const certificateDays = 14
const clockSeconds = 5

/** How something answers: its status, or why it does not. */
async function ask(url: string, method = 'GET'): Promise<{ status: number; date: string | null } | { fault: string }> {
  try {
    const response = await fetch(url, { method, redirect: 'manual', signal: AbortSignal.timeout(waitMilliseconds) })
    await response.body?.cancel()
    return { status: response.status, date: response.headers.get('date') }
  } catch (error) {
    const { cause, message } = error as Error & { cause?: NodeJS.ErrnoException }
    return { fault: cause?.code ?? cause?.message ?? message }
  }
}

export async function checkApi(settings: Settings): Promise<Finding> {
  const url = settings.API_URL ?? `http://127.0.0.1:${settings.HTTP_PORT}`
  const answer = await ask(`${url}/readyz`)
  if ('status' in answer && answer.status === 200) return ok('api', `${url} is ready`)
  return finding(
    'fault',
    'api',
    `${url} ${'status' in answer ? `answers ${answer.status}` : `does not answer (${answer.fault})`}`,
    'There is no site, and gateways learn of no new servers.',
    'Start it; read DATA_DIR/logs/api.log for why it ended. If it runs elsewhere, set API_URL.',
  )
}

/** Of the gateway on this machine: those on others are looked at there. */
export async function checkGateway(settings: Settings): Promise<Finding> {
  const port = (settings.METRICS_PORT ?? settings.HTTP_PORT + 100) + 2
  const answer = await ask(`http://127.0.0.1:${port}/readyz`)
  if ('status' in answer && answer.status === 200)
    return ok('gateway', `ready, players join at port ${settings.GAME_PORT}`)
  if ('status' in answer)
    return finding(
      'warning',
      'gateway',
      'it runs, and cannot reach the API',
      'Players reach the servers it knew last; new servers and new addresses are unknown to it.',
      'Check API_URL of the gateway, and that both have the same secrets.json.',
    )
  return finding(
    'fault',
    'gateway',
    `none runs on this machine (${answer.fault} at port ${port})`,
    'No player can join by this machine.',
    'Start it. If gateways run on other machines, run the doctor there.',
  )
}

export async function checkMail(settings: Settings): Promise<Finding> {
  const { MAIL_URL, NODE_ENV } = settings
  if (MAIL_URL === undefined)
    return finding(
      NODE_ENV === 'production' ? 'fault' : 'notice',
      'mail',
      'no MAIL_URL is set: mails are laid into DATA_DIR/outbox',
      'Nobody can confirm an address, reset a password or hear that a server ends.',
      'Set MAIL_URL to your SMTP server.',
    )
  const { hostname } = new URL(MAIL_URL)
  try {
    await checkMailServer(MAIL_URL)
    return ok('mail', `${hostname} takes our mail`)
  } catch (error) {
    return finding(
      'fault',
      'mail',
      `${hostname} does not take our mail: ${(error as Error).message}`,
      'Mails wait and are tried again; codes and links arrive too late to be of use.',
      'Check address, user and password in MAIL_URL, and whether the provider blocks the port.',
    )
  }
}

export function checkPayments(settings: Settings): Finding {
  const names = createGateways(settings).all.map(({ id }) => gatewayNames[id])
  if (names.length > 0) return ok('payments', names.join(', '))
  return finding(
    settings.NODE_ENV === 'production' ? 'warning' : 'notice',
    'payments',
    'no payment provider is set up',
    'Nobody can pay in; only vouchers and credit from support fill wallets.',
    'Set what PAYU_…, PAYPAL_… or PAYNOW_… take: see docs/settings.md.',
  )
}

/** The certificate that visitors are shown, whoever serves it. */
export async function checkCertificate(settings: Settings, now = new Date()): Promise<Finding[]> {
  const url = new URL(publicUrl(settings))
  if (url.protocol !== 'https:')
    return settings.NODE_ENV === 'production'
      ? [
          finding(
            'warning',
            'certificate',
            `PUBLIC_URL is ${url.protocol}//`,
            'Passwords cross the net in the clear, and browsers warn of the site.',
            'Set PUBLIC_URL to an https address, with HTTPS_PORT and ACME_EMAIL, or with a proxy that speaks TLS and TRUST_PROXY.',
          ),
        ]
      : []
  const port = Number(url.port || 443)
  const shown = await peerCertificate(url.hostname, port)
  const why = 'Browsers refuse the site, and payment providers their messages to us.'
  if ('fault' in shown)
    return [
      finding(
        'fault',
        'certificate',
        `${url.host}: ${shown.fault}`,
        why,
        settings.HTTPS_PORT === undefined
          ? 'See that the proxy runs and has a certificate of that name.'
          : 'See below why there is none, and that HTTPS_PORT is reached at that address.',
      ),
    ]
  const days = Math.floor((shown.ends.getTime() - now.getTime()) / dayMilliseconds)
  if (days >= certificateDays) return [ok('certificate', `of ${url.host}, good for ${days} days`)]
  return [
    finding(
      'warning',
      'certificate',
      `of ${url.host} ends in ${days} days`,
      why,
      'Renew it; see why that did not happen by itself.',
    ),
  ]
}

function peerCertificate(host: string, port: number): Promise<{ ends: Date } | { fault: string }> {
  return new Promise((resolve) => {
    const socket = connect({ host, port, servername: host, timeout: waitMilliseconds }, () => {
      resolve({ ends: new Date(socket.getPeerCertificate().valid_to) })
      socket.destroy()
    })
    socket.once('timeout', () => socket.destroy(new Error('no answer')))
    socket.once('error', (error) => resolve({ fault: error.message || String((error as NodeJS.ErrnoException).code) }))
  })
}

export async function checkNames(settings: Settings): Promise<Finding[]> {
  const { GAME_DOMAIN, NODE_ENV, PDNS_URL } = settings
  const findings: Finding[] = []
  const powerDns = createPowerDns(settings)
  if (powerDns !== undefined) {
    const fault = await powerDns.read(GAME_DOMAIN).then(
      () => undefined,
      (error: Error) => error.message,
    )
    findings.push(
      fault === undefined
        ? ok('name server', `${PDNS_URL} has the zone ${GAME_DOMAIN}`)
        : finding(
            'fault',
            'name server',
            `${PDNS_URL}: ${fault}`,
            'New servers get no names, and changes of addresses wait.',
            'Check PDNS_URL, PDNS_API_KEY and PDNS_SERVER, and that the zone exists there (or set DNS_NAMESERVERS).',
          ),
    )
  }
  const isLocal = GAME_DOMAIN === 'localhost' || GAME_DOMAIN.endsWith('.localhost')
  if (isLocal) {
    if (NODE_ENV === 'production')
      findings.push(
        finding(
          'warning',
          'names',
          'GAME_DOMAIN is localhost',
          'No player elsewhere finds a server by its name.',
          'Set GAME_DOMAIN to a domain of yours.',
        ),
      )
    return findings
  }
  const site = new URL(publicUrl(settings)).hostname
  const probe = `probe-${randomBytes(4).toString('hex')}.${GAME_DOMAIN}`
  const wanted = PDNS_URL === undefined ? [site, probe] : [site]
  const missing: string[] = []
  for (const name of wanted)
    if (!(await isKnown(name, settings))) missing.push(name === probe ? `*.${GAME_DOMAIN}` : name)
  findings.push(
    missing.length === 0
      ? ok('names', `${wanted.map((name) => (name === probe ? `*.${GAME_DOMAIN}` : name)).join(', ')} lead somewhere`)
      : finding(
          'fault',
          'names',
          `no address is known for ${missing.join(', ')}`,
          'Visitors and players do not find this machine.',
          'Add A and AAAA records that lead to it: docs/addresses.md.',
        ),
  )
  return findings
}

async function isKnown(name: string, { DNS_RESOLVERS }: Settings): Promise<boolean> {
  if (DNS_RESOLVERS.length === 0)
    return lookup(name).then(
      () => true,
      () => false,
    )
  const resolver = new Resolver({ timeout: waitMilliseconds, tries: 1 })
  resolver.setServers(DNS_RESOLVERS)
  const answers = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)])
  return answers.some(({ status }) => status === 'fulfilled')
}

/** Two things at once: that games can be fetched, and that our clock is right by somebody else's. */
export async function checkInternet({ MOJANG_META_URL, NODE_ENV }: Settings): Promise<Finding[]> {
  const asked = Date.now()
  const answer = await ask(MOJANG_META_URL, 'HEAD')
  const answered = Date.now()
  const { hostname } = new URL(MOJANG_META_URL)
  if ('fault' in answer)
    return [
      finding(
        NODE_ENV === 'production' ? 'warning' : 'notice', // the demo's game comes with the product
        'internet',
        `${hostname} does not answer (${answer.fault})`,
        'Games that are not kept here yet cannot be fetched, so new servers may fail to be prepared.',
        'Check the way out and the firewall, or name a copy in MOJANG_META_URL and its neighbours.',
      ),
    ]
  const findings = [ok('internet', `${hostname} answers`)]
  const theirs = answer.date === null ? Number.NaN : Date.parse(answer.date)
  // Their time has whole seconds.
  const off = Math.max(0, asked - (theirs + 1000), theirs - answered) / 1000
  if (Number.isNaN(off)) return findings
  findings.push(
    off <= clockSeconds
      ? ok('clock', 'right')
      : finding(
          'fault',
          'clock',
          `it is wrong by ${off.toFixed(0)} s, compared with ${hostname}`,
          'Second factors are refused, signatures of payments and tokens of servers do not hold.',
          'Let the machine keep its time by NTP: timedatectl set-ntp true.',
        ),
  )
  return findings
}
