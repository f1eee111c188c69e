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
      'API of the PowerDNS Authoritative Server that has the zone of GAME_DOMAIN, such as `http://127.0.0.1:8081`. Each name gets records of its own there. Unset: a wildcard record of the operator’s leads all names to the gateway.',
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
    about: 'Addresses of the gateway that A records of servers lead to, comma-separated.',
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
      'Name servers of the zone, comma-separated: with them a zone that PowerDNS does not have yet is made. Unset: it is made by the operator.',
    takes: 'host names',
    schema: listOf(z.string().regex(/^[a-z0-9.-]+$/)),
    fallback: '',
  },
  DNS_RESOLVERS: {
    group: 'DNS',
    about: 'Whom to ask for the records of customers’ own domains, comma-separated. Unset: whom this machine asks.',
    takes: 'IP addresses, with a port where it is not 53',
    schema: listOf(resolver),
    fallback: '',
  },
} as const satisfies Record<string, Setting>
