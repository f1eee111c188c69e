/** Certificates by which webhooks are signed: fetched once, kept while the process lives. */
import { isCertificateAddress } from './signature.ts'

/** @returns the certificate in PEM. @throws whatever the network throws. */
export type FetchCertificate = (url: string) => Promise<string>

const largestBytes = 64 * 1024
/** PayPal signs with one or two certificates at a time. */
const mostKept = 8

const fetchFromWeb: FetchCertificate = async (url) => {
  // No redirect: it would lead away from the address that was checked.
  const response = await fetch(url, { redirect: 'error', signal: AbortSignal.timeout(5000) })
  if (!response.ok) throw new Error(`a certificate was answered with ${response.status}`)
  const text = await response.text()
  if (text.length > largestBytes) throw new Error('a certificate is too long')
  return text
}

/**
 * @param simulator see `isCertificateAddress`.
 * @returns the certificate of an address, undefined where it may not come from there. @throws when it cannot be had now.
 */
export function createCertificates({
  fetchCertificate = fetchFromWeb,
  simulator,
}: {
  fetchCertificate?: FetchCertificate | undefined
  simulator?: string | undefined
}): (url: string) => Promise<string | undefined> {
  const kept = new Map<string, Promise<string>>()
  return async (url) => {
    if (!isCertificateAddress(url, simulator)) return undefined
    let certificate = kept.get(url)
    if (certificate === undefined) {
      certificate = fetchCertificate(url)
      const [oldest] = kept.keys()
      if (kept.size >= mostKept && oldest !== undefined) kept.delete(oldest)
      kept.set(url, certificate)
      certificate.catch(() => kept.delete(url))
    }
    return certificate
  }
}
