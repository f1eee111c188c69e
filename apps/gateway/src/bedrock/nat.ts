/** Leads the datagrams of somebody's connection to a server and back. */
import { createSocket, type Socket } from 'node:dgram'

export type Session = {
  /** Sends what the player has sent on to the game. */
  forward(bytes: Buffer): void
  backend: { host: string; port: number }
  /** When something last went either way, by `performance.now()`. */
  usedAt(): number
  close(): void
}

export function openSession(options: {
  /** Where the game is reached, and the port there that this connection goes to. */
  backend: { host: string; port: number }
  port: number
  /** What is sent in place of what the player has sent. */
  rewrite?: (message: Buffer, port: number) => Buffer
  toPlayer: (bytes: Buffer) => void
  onClose: (bytes: { up: number; down: number }) => void
}): Session {
  const { backend, port, rewrite, toPlayer, onClose } = options
  const socket: Socket = createSocket('udp4')
  const waiting: Buffer[] = []
  let isConnected = false
  let isClosed = false
  let usedAt = performance.now()
  const bytes = { up: 0, down: 0 }

  function close() {
    if (isClosed) return
    isClosed = true
    socket.close()
    onClose(bytes)
  }
  // The game is not there yet, or any more: players ask again, and their own clocks end it.
  socket.on('error', () => {
    if (!isConnected) close()
  })
  socket.on('message', (message) => {
    usedAt = performance.now()
    bytes.down += message.length
    toPlayer(message)
  })
  socket.connect(port, backend.host, () => {
    if (isClosed) return
    isConnected = true
    for (const message of waiting.splice(0)) socket.send(message)
  })

  return {
    backend,
    usedAt: () => usedAt,
    forward(message) {
      usedAt = performance.now()
      bytes.up += message.length
      const sent = rewrite === undefined ? message : rewrite(message, port)
      if (isConnected) socket.send(sent)
      else if (waiting.length < 8) waiting.push(Buffer.from(sent))
    },
    close,
  }
}
