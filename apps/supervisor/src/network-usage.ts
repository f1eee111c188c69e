/**
 * Bytes that went over the game's own port. The sandbox shares the network of its host, so there are no counters of
 * its own; `ss` tells the bytes of every connection instead. Without `ss` nothing is counted.
 */
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'

export type Traffic = { in: number; out: number }

const SS = ['/usr/bin/ss', '/usr/sbin/ss', '/bin/ss', '/sbin/ss'].find((path) => existsSync(path))

/** Makes a function that returns the bytes since its last call; what a connection sent just before its end is lost. */
export function createTrafficReader(): (port: number | null) => Promise<Traffic> {
  let before = new Map<string, Traffic>()

  return async (port) => {
    if (SS === undefined || port === null) {
      before = new Map()
      return { in: 0, out: 0 }
    }
    const now = await readConnections(SS, port)
    const sum = { in: 0, out: 0 }
    for (const [peer, traffic] of now) {
      const last = before.get(peer) ?? { in: 0, out: 0 }
      sum.in += Math.max(0, traffic.in - last.in)
      sum.out += Math.max(0, traffic.out - last.out)
    }
    before = now
    return sum
  }
}

function readConnections(ss: string, port: number): Promise<Map<string, Traffic>> {
  return new Promise((resolve) => {
    execFile(ss, ['-tinH', `sport = :${port}`], { timeout: 900, maxBuffer: 4 * 1024 * 1024 }, (_error, text) => {
      const connections = new Map<string, Traffic>()
      let peer = ''
      for (const line of text.split('\n')) {
        if (!/^\s/.test(line)) peer = line.trim().split(/\s+/).at(-1) ?? ''
        else {
          const read = (field: string) => Number(new RegExp(`\\b${field}:(\\d+)`).exec(line)?.[1] ?? 0)
          connections.set(peer, { in: read('bytes_received'), out: read('bytes_sent') })
        }
      }
      resolve(connections)
    })
  })
}
