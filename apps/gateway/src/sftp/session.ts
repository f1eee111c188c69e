/** One SFTP channel: joins it to `sftp-server` in the server's box. */
import { randomBytes } from 'node:crypto'
import type { Socket } from 'node:net'
import type { Logger } from '@wakestone/kit/logger'
import type { SftpSession } from '@wakestone/contract/servers/remotefs'
import type { ServerChannel } from 'ssh2'
import type { ApiCalls, Opened } from './api-calls.ts'
import { connectBox } from './box.ts'
import { gatherChanges } from './changes.ts'
import { hideOwn } from './hide-own.ts'

const TELL_MS = 15_000
/** To finish once the client sends nothing more. Without a limit, a program that blocks on a named pipe would stay for good. */
const END_MS = 15_000

/** Joins the channel to the files of a server, until either side ends. @throws when they cannot be reached */
export async function joinBox(
  channel: ServerChannel,
  { api, opened, session, logger }: { api: ApiCalls; opened: Opened; session: SftpSession; logger: Logger },
): Promise<void> {
  const id = randomBytes(18).toString('base64url')
  const box = await connectBox(opened, { session: id, ...(opened.readOnly && { readonly: '1' }) })
  const stopTelling = tellChanges(api, opened, { id, session, logger })
  const names = hideOwn()
  const end = () => {
    box.destroy()
    names.destroy()
  }
  names.on('error', (error) => {
    logger.warn({ reason: error.message, serverId: session.serverId }, 'an SFTP session said what is none')
    end()
  })
  channel.pipe(box)
  // Clients want to hear how it ended before the channel does.
  box.pipe(names).pipe(channel, { end: false })
  names.on('end', () => {
    channel.exit(0)
    channel.end()
  })
  channel.on('end', () => void setTimeout(end, END_MS).unref())
  channel.on('close', end)
  channel.on('error', end)
  await new Promise<void>((resolve) => box.on('close', resolve))
  stopTelling()
  if (!box.readableEnded) channel.end() // it broke off
}

/** Tells the control plane now and then what was done, and once more in the end. */
function tellChanges(
  api: ApiCalls,
  opened: Opened,
  { id, session, logger }: { id: string; session: SftpSession; logger: Logger },
): () => void {
  let log: Socket | undefined
  let tell = async () => {}
  const timer = setInterval(() => void tell(), TELL_MS)
  connectBox(opened, { session: id, log: '1' }).then(
    (socket) => {
      log = socket
      const changes = gatherChanges(socket)
      tell = async () => {
        const taken = changes.take()
        if (taken.length > 0)
          await api
            .tell(session, taken)
            .catch((error: Error) => logger.warn({ reason: error.message }, 'changes over SFTP are not told'))
      }
      socket.on('close', () => {
        clearInterval(timer)
        void tell()
      })
    },
    () => clearInterval(timer), // it has ended already
  )
  // The log ends with the session; what has come by then is told then.
  return () => void setTimeout(() => log?.destroy(), TELL_MS).unref()
}
