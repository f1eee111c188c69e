/** A key and a certificate for it that nobody but its maker vouches for. */
import 'reflect-metadata' // the library asks for it
import { webcrypto } from 'node:crypto'
import { SubjectAlternativeNameExtension, X509CertificateGenerator } from '@peculiar/x509'

const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const
/** It is trusted for being this one, however old it is. */
const YEARS = 50

/**
 * @param hosts it is for, where it is not trusted for being this one
 * @returns PKCS8 and certificate, PEM
 */
export async function makeCertificate(
  name: string,
  hosts: readonly string[] = [],
): Promise<{ key: string; certificate: string }> {
  const keys = await webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify'])
  const now = Date.now()
  const certificate = await X509CertificateGenerator.createSelfSigned({
    name: [{ CN: [name] }],
    notBefore: new Date(now - 24 * 3_600_000), // clocks of machines differ
    notAfter: new Date(now + YEARS * 365 * 24 * 3_600_000),
    ...(hosts.length > 0 && {
      extensions: [new SubjectAlternativeNameExtension(hosts.map((value) => ({ type: 'dns' as const, value })))],
    }),
    signingAlgorithm: algorithm,
    keys,
  })
  const pkcs8 = Buffer.from(await webcrypto.subtle.exportKey('pkcs8', keys.privateKey)).toString('base64')
  const lines = pkcs8.match(/.{1,64}/g) ?? []
  return {
    key: `-----BEGIN PRIVATE KEY-----\n${lines.join('\n')}\n-----END PRIVATE KEY-----\n`,
    certificate: certificate.toString('pem'),
  }
}
