/** A load balancer for tests: leads connections to whichever of its targets take them, in turns. */
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

type Balancer = {
  port: number
  /** Those that new connections are led to from now on; those that are open stay where they are. */
  leadTo(ports: readonly number[]): void
  close(): void
}

export async function startBalancer(): Promise<Balancer> {
  let targets: readonly number[] = []
  let turn = 0
  const open = new Set<Socket>()
  const server = createServer({ allowHalfOpen: true, pauseOnConnect: true }, (outside) => {
    open.add(outside)
    outside.on('close', () => open.delete(outside)).on('error', () => {})
    lead(outside, targets.length)
  })

  /** A target that refuses is passed over, as a balancer's checks would soon have it. */
  function lead(outside: Socket, tries: number) {
    const target = targets[turn++ % Math.max(1, targets.length)]
    if (target === undefined || tries === 0) return outside.destroy()
    const inside = connect({ port: target, host: '127.0.0.1', allowHalfOpen: true })
    let isOpen = false
    inside.on('connect', () => {
      isOpen = true
      for (const [from, to] of [
        [outside, inside],
        [inside, outside],
      ] as const) {
        from.pipe(to)
        from.on('close', () => to.destroySoon())
      }
      outside.resume()
    })
    inside.on('error', () => (isOpen ? outside.destroy() : lead(outside, tries - 1)))
  }

  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    leadTo: (ports) => void (targets = ports),
    close() {
      server.close()
      for (const socket of open) socket.destroy()
    },
  }
}
