/** VIES, the EU's register of VAT ids, as its REST service answers; it can be told to be out of reach, as it often is. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'

type Question = {
  countryCode: string
  vatNumber: string
  requesterMemberStateCode?: string
  requesterNumber?: string
}
/** `MS_UNAVAILABLE` and its like: told within a 200; `silent`: no answer; `garbage`: a page of some proxy. */
type Trouble = 'MS_UNAVAILABLE' | 'GLOBAL_MAX_CONCURRENT_REQ' | 'SERVICE_UNAVAILABLE' | 'garbage' | 'silent'

export type ViesSimulator = {
  url: string
  /** Ids with their prefix that are registered; all others are not. */
  registered: Set<string>
  questions: Question[]
  /** From now on nothing else is answered; undefined: as usual again. */
  trouble: Trouble | undefined
  close(): Promise<void>
}

export async function startViesSimulator(): Promise<ViesSimulator> {
  const server = createServer(async (request, response) => {
    const send = (status: number, body: object) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    if (request.method !== 'POST' || request.url !== '/rest-api/check-vat-number') return send(404, {})
    const question = (await json(request)) as Question
    simulator.questions.push(question)
    const { trouble } = simulator
    if (trouble === 'silent') return
    if (trouble === 'garbage') return response.writeHead(502, { 'content-type': 'text/html' }).end('<h1>Bad Gateway')
    if (trouble !== undefined)
      return send(200, { actionSucceed: false, errorWrappers: [{ error: trouble, message: 'try again later' }] })
    const valid = simulator.registered.has(`${question.countryCode}${question.vatNumber}`)
    send(200, {
      countryCode: question.countryCode,
      vatNumber: question.vatNumber,
      requestDate: new Date().toISOString(),
      valid,
      // Only for those who say who asks.
      requestIdentifier: question.requesterNumber === undefined ? '' : `WAPIAAAA${simulator.questions.length}`,
      name: valid ? 'REGISTERED COMPANY' : '---',
      address: '---',
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const simulator: ViesSimulator = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/rest-api`,
    registered: new Set(),
    questions: [],
    trouble: undefined,
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  return simulator
}
