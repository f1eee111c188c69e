/** Names of servers: who sets their records, and whom we ask for those of customers' own domains. */
import { z } from 'zod'
import { listOf, text, url, type Setting } from './setting.ts'

const resolver = z
  .string()
  .regex(/^(\d{1,3}(\.\d{1,3}){3}(:\d{1,5})?|\[[0-9a-f:]+\](:\d{1,5})?|[0-9a-f:]*:[0-9a-f:]*:[0-9a-f:]*)$/i)

export const dns = {
  PDNS_URL: {
    group: 'DNS',
    about:
      'API of the PowerDNS Authoritative Server that hosts the zone of GAME_DOMAIN, such as `http://127.0.0.1:8081`. Each name gets its own records there. Unset: a wildcard record set by the operator leads all names to the gateway.',
    takes: 'an http(s) address',
    schema: url.optional(),
  },
  PDNS_API_KEY: {
    group: 'DNS',
    about: 'Key of that API (`api-key` of PowerDNS).',
    takes: 'a text',
    schema: text.optional(),
    secret: true,
  },
  PDNS_SERVER: {
    group: 'DNS',
    about: 'Name of the server within that API.',
    takes: 'a name',
    schema: z.string().regex(/^[\w.-]+$/),
    fallback: 'localhost',
  },
  DNS_IPV4: {
    group: 'DNS',
    about: 'Addresses that servers’ A records point to, comma-separated.',
    takes: 'IPv4 addresses',
    schema: listOf(z.ipv4()),
    fallback: '',
  },
  DNS_IPV6: {
    group: 'DNS',
    about: 'The same for AAAA records.',
    takes: 'IPv6 addresses',
    schema: listOf(z.ipv6()),
    fallback: '',
  },
  DNS_NAMESERVERS: {
    group: 'DNS',
    about:
      'Name servers of the zone, comma-separated. If set, a zone that PowerDNS does not have yet is created. Unset: the operator creates it.',
    takes: 'host names',
    schema: listOf(z.string().regex(/^[a-z0-9.-]+$/)),
    fallback: '',
  },
  DNS_RESOLVERS: {
    group: 'DNS',
    about: 'Resolvers for the records of customers’ own domains, comma-separated. Unset: those of this machine.',
    takes: 'IP addresses, with a port where it is not 53',
    schema: listOf(resolver),
    fallback: '',
  },
} as const satisfies Record<string, Setting>
