/**
 * Addresses at which a supervisor fetches files that are not open to everybody: each is for one file and one server, and
 * ends after a day. Plans are kept without signatures; they get them when they are handed to a supervisor.
 */
import { createHmac, timingSafeEqual } from 'node:crypto'
import { deriveKey, type Secrets } from '@wakestone/kit/secrets'
import type { InstallPlan } from '@wakestone/packager/manifest'

type Keys = Pick<Secrets, 'supervisor'>

/** Below the address of our artifacts. The last part is the file's SHA-256. */
const folders = ['packages', 'through', 'packs'] as const

const validSeconds = 24 * 3600

const signatureOf = ({ supervisor }: Keys, text: string) =>
  createHmac('sha256', deriveKey(supervisor.privateKey, 'package files')).update(text).digest()

const textOf = (path: string, { until, server }: { until: number; server: string }) => `${path} ${until} ${server}`

/** Of one of our own files. @param artifactUrl without a trailing slash */
export const packageFileUrl = (artifactUrl: string, sha256: string) => `${artifactUrl}/packages/${sha256}`

/** Of a pack that somebody has brought. */
export const packUrl = (artifactUrl: string, sha256: string) => `${artifactUrl}/packs/${sha256}`

/** Of a file that its source gives to us alone. */
export const throughUrl = (artifactUrl: string, { source, url }: { source: string; url: string }) =>
  `${artifactUrl}/through/${source}/${Buffer.from(url).toString('base64url')}`

const signedPath = new RegExp(`^/artifacts/(?:${folders.join('|')})/`)

/** @param keys whoever has them may sign for any server */
export function signPlan(plan: InstallPlan, keys: Keys, server: string, now = Date.now()): InstallPlan {
  const until = Math.floor(now / 1000) + validSeconds
  const sign = (address: string): string => {
    const url = URL.canParse(address) ? new URL(address) : undefined
    if (url === undefined || !signedPath.test(url.pathname)) return address
    const signature = signatureOf(keys, textOf(url.pathname, { until, server })).toString('hex')
    return `${url.origin}${url.pathname}?until=${until}&server=${server}&signature=${signature}`
  }
  return {
    ...plan,
    packages: plan.packages.map((manifest) => ({
      ...manifest,
      downloadFiles: manifest.downloadFiles.map((file) => ({ ...file, url: sign(file.url) })),
    })),
  }
}

export function isSigned(
  keys: Keys,
  { path, until, server, signature }: { path: string; until: number; server: string; signature: string },
  now = Date.now(),
): boolean {
  if (!/^[0-9a-f]{64}$/.test(signature) || until * 1000 < now) return false
  return timingSafeEqual(Buffer.from(signature, 'hex'), signatureOf(keys, textOf(path, { until, server })))
}
