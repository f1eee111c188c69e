/** Websites as visitors see them. */
import { request } from 'node:http'

export type WebsiteAnswer = { status: number; headers: Record<string, string | string[] | undefined>; body: string }

/** As a browser asks a host: `fetch` lets nobody name another one. @param origin of the API */
export function visitWebsite(
  origin: string,
  host: string,
  path = '/',
  headers: Record<string, string> = {},
): Promise<WebsiteAnswer> {
  const { port } = new URL(origin)
  return new Promise((resolve, reject) => {
    const asking = request(
      { host: '127.0.0.1', port, path, headers: { host: `${host}:${port}`, ...headers } },
      (answer) => {
        let body = ''
        answer.setEncoding('utf8')
        answer.on('data', (part: string) => (body += part))
        answer.on('end', () => resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body }))
      },
    )
    asking.on('error', reject)
    asking.end()
  })
}
