/** Mail, and what else reaches people. */
import { resolve } from 'node:path'
import { z } from 'zod'
import { flag, text, type Setting } from './setting.ts'

export const messages = {
  MAIL_URL: {
    secret: true,
    group: 'Mail',
    about:
      'SMTP server. Its connection is encrypted (STARTTLS with `smtp://`) unless it is on this machine, or the address ends in `?requireTLS=false`. Unset: each message is written to `DATA_DIR/outbox/` and shown to administrators.',
    takes: 'an `smtp://` or `smtps://` address',
    schema: z
      .string()
      .regex(/^smtps?:\/\//)
      .optional(),
  },
  MAIL_FROM: {
    group: 'Mail',
    about: 'Sender of e-mails.',
    takes: 'an address',
    schema: text,
    fallback: 'Wakestone <no-reply@wakestone.local>',
  },
  MAIL_DKIM_DOMAIN: {
    group: 'Mail',
    about:
      'Domain that signs e-mails with DKIM, with `MAIL_DKIM_SELECTOR` and `MAIL_DKIM_KEY_FILE`. Unset: e-mails are not signed here.',
    takes: 'a host name',
    schema: z
      .string()
      .regex(/^[a-z0-9.-]+$/)
      .optional(),
  },
  MAIL_DKIM_SELECTOR: {
    group: 'Mail',
    about: 'Selector of the DKIM key: its public half is published at `<selector>._domainkey.<domain>`.',
    takes: 'letters, digits, `-`, `.`',
    schema: z
      .string()
      .regex(/^[A-Za-z0-9.-]+$/)
      .optional(),
  },
  MAIL_DKIM_KEY_FILE: {
    group: 'Mail',
    about: 'File with the private DKIM key, RSA in PEM.',
    takes: 'a path',
    schema: text.transform((path) => resolve(path)).optional(),
  },
  WEBHOOK_HOSTS: {
    group: 'Notifications',
    about: 'Hosts that customers’ Discord webhooks may be on.',
    takes: 'host names, comma-separated',
    schema: z
      .string()
      .regex(/^[a-z0-9.:-]+(,[a-z0-9.:-]+)*$/)
      .transform((list) => list.split(',')),
    fallback: 'discord.com,discordapp.com,ptb.discord.com,canary.discord.com',
  },
  ALLOW_PRIVATE_TARGETS: {
    group: 'Notifications',
    about:
      'Allow webhooks and push notifications to addresses of this machine and its network, without TLS. Refused in production.',
    takes: '`0` or `1`',
    schema: flag,
    fallback: '0',
  },
} as const satisfies Record<string, Setting>
