/** Whether somebody listens on a socket in a folder that what is in a sandbox may write to. */
import { lstat } from 'node:fs/promises'
import { connect } from 'node:net'

export async function answers(path: string): Promise<boolean> {
  // A link there must lead us nowhere.
  const found = await lstat(path).catch(() => undefined)
  if (!found?.isSocket()) return false
  return new Promise((resolve) => {
    const socket = connect(path)
    socket.on('connect', () => resolve(socket.destroy() !== undefined))
    socket.on('error', () => resolve(false))
  })
}
