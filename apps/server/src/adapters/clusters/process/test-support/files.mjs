/**
 * A files service for tests of its box: does what it is told on its socket, one line of JSON each way, and ends itself
 * half a second after the last connection.
 */
import { execFileSync } from 'node:child_process'
import { readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'

const config = JSON.parse(readFileSync(process.argv[2], 'utf8'))
const { socket } = config.listen
let connections = 0
let timer

function end() {
  rmSync(socket, { force: true })
  process.exit(0)
}
function answer(script) {
  try {
    return { out: execFileSync('/bin/sh', ['-c', script], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }) }
  } catch (error) {
    return { out: String(error.stdout), error: String(error.stderr) }
  }
}
const server = createServer((connection) => {
  connections++
  clearTimeout(timer)
  connection.on('error', () => {})
  connection.on('close', () => {
    if (--connections === 0) timer = setTimeout(end, config.idleMs ?? 60_000)
  })
  connection.on('data', (script) => {
    const text = script.toString()
    if (text === 'config') connection.write(`${JSON.stringify(config)}\n`)
    else if (text === 'end') end()
    else connection.write(`${JSON.stringify(answer(text))}\n`)
  })
})
rmSync(socket, { force: true })
server.listen(socket)
