/**
 * Posts to an address that a customer gave. The address is checked as it is connected to, so that a name which resolves
 * differently the second time gains nothing; redirects are not followed; little of the answer is read.
 */
import { request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { ForbiddenTarget, guardLookup, isForbiddenHost } from './guarded-lookup.ts'
import { isPublicAddress } from './public-address.ts'

const timeoutMilliseconds = 8_000
const answerBytes = 4_096

const publicLookup = guardLookup(isPublicAddress)

export type Posted = { status: number; headers: Record<string, string | string[] | undefined>; text: string }

/**
 * @throws ForbiddenTarget unless the address is https and public; any error of the network, and after 8 s.
 * @param mayBePrivate for development and tests: http, and addresses of this machine
 */
export async function postOutside(
  address: string,
  { headers, body, mayBePrivate }: { headers: Record<string, string>; body: string | Buffer; mayBePrivate: boolean },
): Promise<Posted> {
  const url = new URL(address)
  if (!mayBePrivate && (url.protocol !== 'https:' || isForbiddenHost(url, isPublicAddress)))
    throw new ForbiddenTarget('only public https addresses are called')
  const request = url.protocol === 'http:' ? requestHttp : requestHttps
  return new Promise((resolve, reject) => {
    const sending = request(
      url,
      {
        method: 'POST',
        headers: { ...headers, 'content-length': Buffer.byteLength(body) },
        agent: false,
        signal: AbortSignal.timeout(timeoutMilliseconds),
        ...(mayBePrivate ? {} : { lookup: publicLookup }),
      },
      (answer) => {
        let text = ''
        const finish = () => {
          resolve({ status: answer.statusCode ?? 0, headers: answer.headers, text })
          answer.destroy()
        }
        answer.setEncoding('utf8')
        answer.on('data', (chunk: string) => {
          text = (text + chunk).slice(0, answerBytes)
          if (text.length === answerBytes) finish()
        })
        answer.on('end', finish)
        answer.on('error', reject)
      },
    )
    sending.on('error', reject)
    sending.end(body)
  })
}
