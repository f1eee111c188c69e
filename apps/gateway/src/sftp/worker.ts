/** The thread of the SFTP door: what it costs, and what might break it, are not the players' affair. */
import { parentPort, workerData } from 'node:worker_threads'
import type { FromSftp, SftpOptions } from './options.ts'
import { startSftpServer } from './server.ts'

const FIGURES_MS = 2_000
const tell = (message: FromSftp) => parentPort?.postMessage(message, [])

const server = await startSftpServer(workerData as SftpOptions)
tell({ type: 'listening', port: server.port })
const telling = setInterval(() => tell({ type: 'figures', ...server.figures() }), FIGURES_MS)
parentPort?.on('message', (order: 'drain' | 'close') => {
  if (order === 'drain') return server.takeNoMore()
  clearInterval(telling)
  void server.close().then(() => process.exit(0))
})
