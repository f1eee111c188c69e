/** What every copy needs: ports, addresses, folders, the log. */
import { resolve } from 'node:path'
import { z } from 'zod'
import { flag, listOf, port, text, url, type Setting } from './setting.ts'

/** Never everyone: a client whose `X-Forwarded-For` is believed can claim any address. */
const network = z.union([z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()]).refine((one) => !one.endsWith('/0'))

const databaseUrl = z.string().regex(/^postgres(ql)?:\/\//)

export const basics = {
  NODE_ENV: {
    group: 'Basics',
    about: 'With `production`, demo accounts and simulators are refused.',
    takes: '`development`, `test` or `production`',
    schema: z.enum(['development', 'test', 'production']),
    fallback: 'development',
  },
  HTTP_PORT: {
    group: 'Basics',
    about: 'Port of the site and the API.',
    takes: 'a port, 0–65535',
    schema: port,
    fallback: '3000',
  },
  HTTP_HOST: {
    group: 'Basics',
    about: 'Address to listen on for the site and the API.',
    takes: 'an IP address',
    schema: text,
    fallback: '0.0.0.0',
  },
  GAME_PORT: {
    group: 'Basics',
    about: 'Port at which players join.',
    takes: 'a port, 0–65535',
    schema: port,
    fallback: '25565',
  },
  SFTP_PORT: {
    group: 'Basics',
    about: 'Port of SFTP, at the addresses of GAME_HOST.',
    takes: 'a port, 0–65535',
    schema: port,
    fallback: '2022',
  },
  METRICS_PORT: {
    group: 'Basics',
    about:
      'Port of the API’s Prometheus metrics, on the loopback address; the worker uses the next one, the gateway the one after. Unset: HTTP_PORT + 100.',
    takes: 'a port, 0–65535',
    schema: port.optional(),
  },
  METRICS_HOST: {
    group: 'Basics',
    about:
      'Address to listen on for those metrics, which need no password. Use another than the loopback address only where nobody but Prometheus can reach it, as in a container.',
    takes: 'an IP address',
    schema: z.union([z.ipv4(), z.ipv6()]),
    fallback: '127.0.0.1',
  },
  STOP_DELAY_SECONDS: {
    group: 'Basics',
    about:
      'How long the API keeps answering after being told to stop, while `/readyz` says no, so that a load balancer stops sending requests here.',
    takes: 'seconds, at most 120',
    schema: z.coerce.number().min(0).max(120),
    fallback: '0',
  },
  DATABASE_URL: {
    secret: true,
    group: 'Basics',
    about: 'PostgreSQL to use. Unset: one is embedded, its data in `DATA_DIR/postgres`.',
    takes: 'a `postgres://` address',
    schema: databaseUrl.optional(),
  },
  DATA_DIR: {
    group: 'Basics',
    about: 'Folder where everything is kept.',
    takes: 'a path',
    schema: text.transform((path) => resolve(path)),
    fallback: './data',
  },
  DATABASE_DIRECT_URL: {
    secret: true,
    group: 'Basics',
    about:
      'The same database without PgBouncer, if `DATABASE_URL` leads to a PgBouncer in transaction mode: for locks, notices, jobs and migrations, which need connections of their own. Unset: `DATABASE_URL` leads to PostgreSQL itself.',
    takes: 'a `postgres://` address',
    schema: databaseUrl.optional(),
  },
  DATABASE_CONNECTIONS: {
    group: 'Basics',
    about:
      'Connections to the database that each process opens at most; a few for locks, notices and jobs come on top.',
    takes: 'a count, 5–200',
    schema: z.coerce.number().int().min(5).max(200),
    fallback: '10',
  },
  DATABASE_REPLICA_URL: {
    secret: true,
    group: 'Basics',
    about:
      'A streaming replica of that database, from which reports are read. While it is away or too far behind, they are read from the database itself.',
    takes: 'a `postgres://` address',
    schema: databaseUrl.optional(),
  },
  DATABASE_REPLICA_LAG_SECONDS: {
    group: 'Basics',
    about: 'How far behind the replica may be for that.',
    takes: 'seconds',
    schema: z.coerce.number().min(1).max(86_400),
    fallback: '60',
  },
  PUBLIC_URL: {
    group: 'Basics',
    about: 'Address at which customers reach the site. Unset: `http://localhost:HTTP_PORT`.',
    takes: 'an http(s) address',
    schema: url.optional(),
  },
  MAIN_HOSTS: {
    group: 'Basics',
    about: 'Hosts of the main site: pages in German exist there and on localhost only. Unset: the host of PUBLIC_URL.',
    takes: 'host names, comma-separated',
    schema: z
      .string()
      .regex(/^[a-z0-9.-]+(,[a-z0-9.-]+)*$/)
      .transform((list) => list.split(','))
      .optional(),
  },
  GAME_DOMAIN: {
    group: 'Basics',
    about: 'Domain under which servers get their names.',
    takes: 'a host name',
    schema: z.string().regex(/^[a-z0-9.-]+$/),
    fallback: 'localhost',
  },
  LOG_LEVEL: {
    group: 'Basics',
    about: 'Lowest level that is logged.',
    takes: '`debug`, `info`, `warn`, `error` or `silent`',
    schema: z.enum(['debug', 'info', 'warn', 'error', 'silent']),
    fallback: 'info',
  },
  WEB_DEV: {
    group: 'Basics',
    about: 'Serve pages from their sources and reload them when they change; set by `npm run dev`.',
    takes: '`0` or `1`',
    schema: flag,
    fallback: '0',
  },
  TRUST_PROXY: {
    group: 'Basics',
    about:
      'Reverse proxies whose `X-Forwarded-For` is believed. Must be set in production where `PUBLIC_URL` is https: without it, all visitors would share one address and its limits.',
    takes: 'IP addresses or networks, comma-separated; not all there are (`/0`)',
    schema: listOf(network).optional(),
  },
  DEFAULT_COUNTRY: {
    group: 'Basics',
    about: 'Country assumed when a visitor’s address does not tell.',
    takes: 'two letters',
    schema: z.string().regex(/^[A-Z]{2}$/),
    fallback: 'PL',
  },
  GEO_DATABASE: {
    group: 'Basics',
    about:
      'Database of the countries of IP addresses, in the MMDB format with `country_code` or `country.iso_code`. Unset: the one that comes with the product.',
    takes: 'a path',
    schema: text.transform((path) => resolve(path)).optional(),
  },
} as const satisfies Record<string, Setting>
