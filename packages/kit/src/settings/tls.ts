/** TLS without a proxy in front: the product gets its own certificates. */
import { z } from 'zod'
import { port, text, url, type Setting } from './setting.ts'

export const tls = {
  HTTPS_PORT: {
    group: 'TLS',
    about:
      'Port on which the API speaks TLS for the panel, websites and customers’ domains, with certificates that the worker gets by ACME. HTTP_PORT has to be reachable at port 80 of those names, where the authority checks them; everything else there is redirected to HTTPS. Unset: a proxy handles TLS.',
    takes: 'a port, 0–65535; with a PUBLIC_URL of https and ACME_EMAIL',
    schema: port.optional(),
  },
  ACME_EMAIL: {
    group: 'TLS',
    about:
      'Address for e-mails from the certificate authority. By setting it you agree to the terms of that authority.',
    takes: 'an e-mail address',
    schema: z.email().optional(),
  },
  ACME_DIRECTORY_URL: {
    group: 'TLS',
    about: 'Directory of the certificate authority (RFC 8555).',
    takes: 'an https address',
    schema: url,
    fallback: 'https://acme-v02.api.letsencrypt.org/directory',
  },
  ACME_EAB_KEY_ID: {
    group: 'TLS',
    about: 'Key identifier of your account there, for authorities that bind accounts (ZeroSSL, Google).',
    takes: 'a text',
    schema: text.optional(),
  },
  ACME_EAB_HMAC_KEY: {
    group: 'TLS',
    about: 'Its HMAC key, in base64url.',
    takes: 'a text',
    schema: text.optional(),
    secret: true,
  },
  ACME_CA_FILE: {
    group: 'TLS',
    about: 'Root certificates for verifying the authority’s own address, if you run one yourself.',
    takes: 'a path to a PEM file',
    schema: text.optional(),
  },
} as const satisfies Record<string, Setting>
