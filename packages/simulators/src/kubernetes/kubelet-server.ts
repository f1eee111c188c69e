/** What a machine is asked for about its containers: their output, commands inside, and their streams, by WebSocket. */
import type { ChildProcess } from 'node:child_process'
import { createServer as createHttpServer } from 'node:http'
import { createServer as createHttpsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import type { Readable } from 'node:stream'
import { type WebSocket, WebSocketServer } from 'ws'

const channel = { stdin: 0, stdout: 1, stderr: 2, status: 3, close: 255 }
const PROTOCOLS = ['v5.channel.k8s.io', 'v4.channel.k8s.io']

export type Asked = { namespace: string; pod: string; container: string; query: URLSearchParams }
type Handlers = {
  log(asked: Asked): string | undefined
  /** Undefined where there is no such container. */
  exec(asked: Asked): ChildProcess | undefined
  attach(asked: Asked): { child: ChildProcess; endsInput: boolean } | undefined
}

export async function serveKubelet(handlers: Handlers, tls?: { key: string; cert: string }) {
  const read = (url: string): Asked & { way: string } => {
    const { pathname, searchParams } = new URL(url, 'http://x')
    const [, way = '', namespace = '', pod = '', container = ''] = pathname.split('/')
    return { way, namespace, pod, container, query: searchParams }
  }
  const answer = (url: string) => {
    const asked = read(url)
    return asked.way === 'containerLogs' ? handlers.log(asked) : undefined
  }
  const onRequest: Parameters<typeof createHttpServer>[1] = (incoming, response) => {
    const text = answer(incoming.url ?? '/')
    response.writeHead(text === undefined ? 404 : 200, { 'content-type': 'text/plain' }).end(text ?? 'not found')
  }
  const server = tls === undefined ? createHttpServer(onRequest) : createHttpsServer(tls, onRequest)
  const sockets = new WebSocketServer({
    noServer: true,
    handleProtocols: (offered) => PROTOCOLS.find((one) => offered.has(one)) ?? false,
  })
  server.on('upgrade', (incoming, socket, head) => {
    const asked = read(incoming.url ?? '/')
    const attached = asked.way === 'attach' ? handlers.attach(asked) : undefined
    const child = attached?.child ?? (asked.way === 'exec' ? handlers.exec(asked) : undefined)
    if (child === undefined)
      return socket.end('HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n')
    sockets.handleUpgrade(incoming, socket, head, (way) => join(way, child, asked.query, attached))
  })

  function join(way: WebSocket, child: ChildProcess, query: URLSearchParams, attached?: { endsInput: boolean }) {
    const tell = (number: number, bytes: Buffer | string) =>
      way.readyState === way.OPEN && way.send(Buffer.concat([Buffer.from([number]), Buffer.from(bytes)]))
    const streams: [string, number, Readable | null][] = [
      ['output', channel.stdout, child.stdout],
      ['error', channel.stderr, child.stderr],
    ]
    for (const [word, number, stream] of streams)
      if (query.get(word) === '1') stream?.on('data', (chunk: Buffer) => tell(number, chunk))
    if (query.get('input') === '1')
      way.on('message', (data: Buffer) => {
        if (data[0] === channel.stdin) child.stdin?.write(data.subarray(1))
        else if (data[0] === channel.close && data[1] === channel.stdin) child.stdin?.end()
      })
    way.on('error', () => {})
    way.on('close', () => {
      if (attached === undefined) child.kill('SIGKILL')
      else if (attached.endsInput && query.get('input') === '1') child.stdin?.end()
    })
    child.once('close', (code) => {
      const causes = [{ reason: 'ExitCode', message: String(code ?? 137) }]
      const failed = { status: 'Failure', reason: 'NonZeroExitCode', details: { causes } }
      tell(
        channel.status,
        JSON.stringify({ metadata: {}, ...(code === 0 || attached ? { status: 'Success' } : failed) }),
      )
      way.close(1000)
    })
  }

  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  return {
    port: (server.address() as AddressInfo).port,
    close() {
      for (const way of sockets.clients) way.terminate()
      server.close()
      server.closeAllConnections()
    },
  }
}
