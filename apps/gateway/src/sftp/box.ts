/** Connections to the files service of a server that become raw channels. */
import { request, type RequestOptions } from 'node:http'
import type { Socket } from 'node:net'
import { throughAgent } from '@wakestone/protocol/tunnel'
import type { Opened } from './api-calls.ts'

const TIMEOUT_MS = 15_000

/** @throws when the service cannot be reached, or refuses */
export function connectBox({ endpoint, ticket }: Opened, query: Record<string, string>): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const path = `/v1/sftp?${new URLSearchParams(query)}`
    const headers = { authorization: `Bearer ${ticket}`, connection: 'Upgrade', upgrade: 'sftp' }
    const options: RequestOptions = { method: 'GET', headers, timeout: TIMEOUT_MS }
    const call =
      endpoint.kind === 'unix'
        ? request({ ...options, agent: false, socketPath: endpoint.path, path })
        : endpoint.kind === 'agent'
          ? request({ ...options, ...throughAgent(endpoint, headers.authorization), path })
          : request(new URL(path, endpoint.url), { ...options, agent: false })
    call.on('error', reject)
    call.on('timeout', () => call.destroy(new Error('the files service does not answer')))
    call.on('response', (response) => {
      response.resume()
      reject(new Error(`the files service answered ${response.statusCode}`))
    })
    call.on('upgrade', (_response, socket: Socket, head) => {
      socket.setTimeout(0)
      socket.on('error', () => {}) // followed by its close
      if (head.length > 0) socket.unshift(head)
      resolve(socket)
    })
    call.end()
  })
}
