/**
 * PowerDNS Authoritative Server, by its HTTP API.
 * https://doc.powerdns.com/authoritative/http-api/zone.html
 */
import { z } from 'zod'
import type { Settings } from '@wakestone/kit/settings'

const TIMEOUT_MS = 5_000
const MOST_BYTES = 64 * 1024 * 1024

/** All records of one name and one type. No contents: there are to be none. */
export type RecordSet = { name: string; type: 'A' | 'AAAA' | 'SRV' | 'TXT'; ttl: number; contents: string[] }

/** The server has no such zone. */
export class ZoneMissing extends Error {}
/** It gave no answer, or refused: `status` where it said so. */
export class DnsUnavailable extends Error {
  readonly status: number | undefined
  constructor(message: string, { status, cause }: { status?: number; cause?: unknown } = {}) {
    super(message, { cause })
    this.status = status
  }
}

export type PowerDns = {
  /** Makes record sets what they are given as; all of them or none. @throws ZoneMissing, DnsUnavailable */
  write(zone: string, sets: readonly RecordSet[]): Promise<void>
  /** What a zone has of the types that we write. @throws ZoneMissing, DnsUnavailable */
  read(zone: string): Promise<RecordSet[]>
  /** Makes a zone; one that is there stays. @throws DnsUnavailable */
  makeZone(zone: string, nameServers: readonly string[]): Promise<void>
}

const zoneSchema = z.object({
  rrsets: z.array(
    z.object({
      name: z.string(),
      type: z.string(),
      ttl: z.number(),
      records: z.array(z.object({ content: z.string(), disabled: z.boolean().optional() })),
    }),
  ),
})
const errorSchema = z.object({ error: z.string() })
const ourTypes = ['A', 'AAAA', 'SRV']

/** As PowerDNS has it. */
const absolute = (name: string) => `${name}.`

/** Undefined where the operator has none: names are led by a wildcard record then. */
export function createPowerDns(
  settings: Pick<Settings, 'PDNS_URL' | 'PDNS_API_KEY' | 'PDNS_SERVER'>,
): PowerDns | undefined {
  const { PDNS_URL, PDNS_API_KEY, PDNS_SERVER } = settings
  if (PDNS_URL === undefined) return undefined
  const zones = `${PDNS_URL.replace(/\/$/, '')}/api/v1/servers/${encodeURIComponent(PDNS_SERVER)}/zones`
  const zoneUrl = (zone: string) => `${zones}/${encodeURIComponent(absolute(zone))}`

  async function call(method: string, url: string, body?: object): Promise<{ status: number; json: unknown }> {
    let status: number
    let text: string
    try {
      const response = await fetch(url, {
        method,
        headers: {
          'x-api-key': PDNS_API_KEY ?? '',
          accept: 'application/json',
          ...(body && { 'content-type': 'application/json' }),
        },
        redirect: 'error',
        signal: AbortSignal.timeout(TIMEOUT_MS),
        ...(body && { body: JSON.stringify(body) }),
      })
      status = response.status
      if (Number(response.headers.get('content-length') ?? 0) > MOST_BYTES) throw new Error('the answer is too large')
      text = await response.text()
    } catch (error) {
      throw new DnsUnavailable('PowerDNS does not answer', { cause: error })
    }
    let json: unknown
    try {
      json = text === '' ? undefined : JSON.parse(text)
    } catch {
      json = undefined // an error of HTTP, in words
    }
    return { status, json }
  }

  function refuse(status: number, json: unknown): never {
    const said = errorSchema.safeParse(json).data?.error ?? ''
    if (status === 404 || /Could not find domain/i.test(said)) throw new ZoneMissing(said)
    throw new DnsUnavailable(`PowerDNS answered ${status}${said && `: ${said}`}`, { status })
  }

  return {
    async write(zone, sets) {
      const rrsets = sets.map(({ name, type, ttl, contents }) => {
        const common = { name: absolute(name), type }
        if (contents.length === 0) return { ...common, changetype: 'DELETE' }
        const records = contents.map((content) => ({ content, disabled: false }))
        return { ...common, changetype: 'REPLACE', ttl, records }
      })
      const { status, json } = await call('PATCH', zoneUrl(zone), { rrsets })
      if (status !== 204) refuse(status, json)
    },
    async read(zone) {
      const { status, json } = await call('GET', zoneUrl(zone))
      if (status !== 200) refuse(status, json)
      const read = zoneSchema.safeParse(json)
      if (!read.success) throw new DnsUnavailable('PowerDNS answered with something else', { status })
      return read.data.rrsets
        .filter(({ type }) => ourTypes.includes(type))
        .map(({ name, type, ttl, records }) => ({
          name: name.replace(/\.$/, '').toLowerCase(),
          type: type as RecordSet['type'],
          ttl,
          contents: records.filter(({ disabled }) => !disabled).map(({ content }) => content),
        }))
    },
    async makeZone(zone, nameServers) {
      const { status, json } = await call('POST', zones, {
        name: absolute(zone),
        kind: 'Native',
        nameservers: nameServers.map(absolute),
      })
      if (status !== 201 && status !== 409) refuse(status, json)
    },
  }
}
