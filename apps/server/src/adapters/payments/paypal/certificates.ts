/** Certificates by which webhooks are signed: fetched once, kept while the process lives. */
import { isCertificateAddress } from './signature.ts'

/** @returns the certificate in PEM; undefined: there is none at this address. @throws whatever the network throws. */
export type FetchCertificate = (url: string) => Promise<string | undefined>

const largestBytes = 64 * 1024
/** PayPal signs with one or two certificates at a time. */
const mostKept = 8

const fetchFromWeb: FetchCertificate = async (url) => {
  // No redirect: it would lead away from the address that was checked.
  const response = await fetch(url, { redirect: 'error', signal: AbortSignal.timeout(5000) })
  const { status } = response
  // What PayPal does not have was never signed by it; 408 and 429 are about time.
  if (status >= 400 && status < 500 && status !== 408 && status !== 429) return undefined
  if (!response.ok) throw new Error(`a certificate was answered with ${status}`)
  const text = await response.text()
  if (text.length > largestBytes) throw new Error('a certificate is too long')
  return text
}

/**
 * @param simulator see `isCertificateAddress`.
 * @returns the certificate of an address, undefined where it may not come from there or is none. @throws when it cannot
 * be had now.
 */
export function createCertificates({
  fetchCertificate = fetchFromWeb,
  simulator,
}: {
  fetchCertificate?: FetchCertificate | undefined
  simulator?: string | undefined
}): (url: string) => Promise<string | undefined> {
  const kept = new Map<string, string>()
  const asked = new Map<string, Promise<string | undefined>>()

  async function fetchOnce(url: string): Promise<string | undefined> {
    try {
      const certificate = await fetchCertificate(url)
      // Only what was found takes the place of another: invented addresses push nothing out.
      const [oldest] = kept.keys()
      if (certificate !== undefined && kept.size >= mostKept && oldest !== undefined) kept.delete(oldest)
      if (certificate !== undefined) kept.set(url, certificate)
      return certificate
    } finally {
      asked.delete(url)
    }
  }

  return async (url) => {
    if (!isCertificateAddress(url, simulator)) return undefined
    const known = kept.get(url)
    if (known !== undefined) return known
    const answer = asked.get(url) ?? fetchOnce(url)
    asked.set(url, answer)
    return answer
  }
}
