/** The console: lines in the style of the Vanilla server on standard output, commands on standard input. */
import { createInterface } from 'node:readline'
import type { Client, Player, Squid } from './library.ts'

type Level = 'INFO' | 'WARN' | 'ERROR'

/** Writes one line. Control characters are dropped: players' texts must not forge lines or colours. */
export function printLine(level: Level, text: string): void {
  const time = new Date().toTimeString().slice(0, 8)
  for (const line of text.split('\n')) {
    process.stdout.write(`[${time} ${level}]: ${line.replace(/[\u0000-\u001f\u007f-\u009f]/g, '')}\n`)
  }
}

/** Takes the place of the library's own logging, which owns the terminal and writes files of its own. */
export const consolePlugin = {
  server(serv: Squid): void {
    serv.log = () => {}
    serv.debug = () => {}
    serv.createLog = () => {}
    serv.info = (message) => printLine('INFO', stripColours(message))
    serv.warn = (message) => printLine('WARN', stripColours(message))
    serv.err = (message) => printLine('ERROR', stripColours(message))
    // A client may break off or send rubbish: its own trouble, worth one line.
    serv.on('clientError', (client: Client, error: Error) => {
      serv.warn(`${client.username ?? client.socket?.remoteAddress ?? 'a client'}: ${error.message}`)
    })
  },
  player(player: Player, serv: Squid): void {
    player.on('chat', ({ message }: { message: string }) => serv.info(`<${player.username}> ${message}`))
    player.on('command', ({ command }: { command: string }) =>
      serv.info(`${player.username} issued server command: /${command}`),
    )
    player.on('connected', () => {
      const { remoteAddress, remotePort } = player._client.socket ?? {}
      serv.info(`${player.username}[/${remoteAddress}:${remotePort}] logged in`)
      serv.info(`${player.username} joined the game`)
      player.once('disconnected', () => serv.info(`${player.username} left the game`))
    })
  },
}

function stripColours(text: string): string {
  return String(text)
    .replace(/\u001b\[[0-9;]*m/g, '')
    .replace(/[§&][0-9a-fk-or]/g, '')
}

/** Runs each line typed, in order. The end of the input ends nothing. */
export function readCommands(run: (line: string) => Promise<void>): void {
  let last = Promise.resolve()
  createInterface({ input: process.stdin, terminal: false }).on('line', (line) => {
    const command = line.trim().replace(/^\//, '')
    if (command !== '') last = last.then(() => run(command))
  })
}
