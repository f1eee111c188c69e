/** Certificates by ACME (RFC 8555), from Let’s Encrypt or whoever else speaks it. */
import { readFileSync } from 'node:fs'
import { Agent } from 'node:https'
import acme from 'acme-client'
import type { Settings } from '@wakestone/kit/settings'

export type AcmeSettings = Pick<
  Settings,
  'ACME_DIRECTORY_URL' | 'ACME_EMAIL' | 'ACME_EAB_KEY_ID' | 'ACME_EAB_HMAC_KEY' | 'ACME_CA_FILE'
>
export type AcmeAccount = {
  /** PEM. */
  key: string
  url: string | undefined
}
/** How the authority sees that a name is ours. */
export type AcmeProof = {
  kind: 'http-01' | 'dns-01'
  /** Lays the answer where the authority looks: under the token by HTTP, or the value of a TXT record. */
  lay(token: string, answer: string): Promise<void>
  takeAway(token: string): Promise<void>
}
export type IssuedCertificate = { chain: string; key: string; notBefore: Date; notAfter: Date }

const waitMilliseconds = 30_000

export const makeAccountKey = async (): Promise<string> => (await acme.crypto.createPrivateEcdsaKey()).toString()

/**
 * @param keep keeps the account’s address, once there is one
 * @throws Error of the authority, in its words
 */
export async function openAcme(
  settings: AcmeSettings,
  account: AcmeAccount,
  keep: (url: string) => Promise<void>,
): Promise<{ order(name: string, proof: AcmeProof): Promise<IssuedCertificate> }> {
  const { ACME_EMAIL, ACME_EAB_KEY_ID: kid, ACME_EAB_HMAC_KEY: hmacKey, ACME_CA_FILE } = settings
  acme.axios.defaults.timeout = waitMilliseconds
  if (ACME_CA_FILE !== undefined)
    acme.axios.defaults.httpsAgent = new Agent({ ca: readFileSync(ACME_CA_FILE), keepAlive: true })
  const client = new acme.Client({
    directoryUrl: settings.ACME_DIRECTORY_URL,
    accountKey: account.key,
    ...(account.url !== undefined && { accountUrl: account.url }),
    ...(kid !== undefined && hmacKey !== undefined && { externalAccountBinding: { kid, hmacKey } }),
  })
  if (account.url === undefined) {
    await client.createAccount({
      termsOfServiceAgreed: true,
      ...(ACME_EMAIL !== undefined && { contact: [`mailto:${ACME_EMAIL}`] }),
    })
    await keep(client.getAccountUrl())
  }

  async function prove(authorization: acme.Authorization, { kind, lay, takeAway }: AcmeProof): Promise<void> {
    if (authorization.status === 'valid') return
    const challenge = authorization.challenges.find(({ type }) => type === kind)
    if (challenge === undefined) throw new Error(`the authority does not offer ${kind}`)
    await lay(challenge.token, await client.getChallengeKeyAuthorization(challenge))
    try {
      await client.completeChallenge(challenge)
      await client.waitForValidStatus(challenge)
    } finally {
      await takeAway(challenge.token)
    }
  }

  return {
    async order(name, proof) {
      const order = await client.createOrder({ identifiers: [{ type: 'dns', value: name }] })
      for (const authorization of await client.getAuthorizations(order)) await prove(authorization, proof)
      const [key, request] = await acme.crypto.createCsr(
        { altNames: [name] },
        await acme.crypto.createPrivateEcdsaKey(),
      )
      const chain = await client.getCertificate(await client.finalizeOrder(order, request))
      const { notBefore, notAfter } = acme.crypto.readCertificateInfo(chain)
      return { chain, key: key.toString(), notBefore, notAfter }
    },
  }
}
