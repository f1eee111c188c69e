/** A TCP server in the place of a game, which keeps what it is sent. */
import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'

export async function startBackend(serve: (socket: Socket) => void = () => {}) {
  const sockets: Socket[] = []
  const inputs: Buffer[][] = []
  const server = createServer({ allowHalfOpen: true, noDelay: true }, (socket) => {
    const input: Buffer[] = []
    sockets.push(socket)
    inputs.push(input)
    socket.on('data', (chunk) => input.push(chunk))
    socket.on('error', () => {})
    serve(socket)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    host: '127.0.0.1',
    port: (server.address() as AddressInfo).port,
    sockets,
    /** Everything the connection of that number has sent. */
    input: (index: number) => Buffer.concat(inputs[index] ?? []),
    async close() {
      server.close()
      for (const socket of sockets) socket.destroy()
    },
  }
}
