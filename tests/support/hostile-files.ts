/**
 * What a customer may put in place of their files service: it lies, floods, trickles, hangs up, and answers nonsense.
 * Arguments: configuration and seed.
 */
import { readFileSync } from 'node:fs'
import { createServer, type ServerResponse } from 'node:http'
import fc from 'fast-check'

const config = JSON.parse(readFileSync(process.argv[2]!, 'utf8')) as { listen: { socket: string } }
let seed = Number(process.argv[3])

const codes = ['file_does_not_exist', 'unauthorized', 'step_up_required', 'internal_error', 'constructor', 7, null]
const headers = ['content-range', 'etag', 'upload-offset', 'upload-length', 'upload-path', 'set-cookie', 'location']
const values = [
  'bytes 0-9/3',
  '"a"',
  '-1',
  '99999999999999999999',
  '%E0%A4%A',
  'session=stolen',
  'http://127.0.0.1/',
  '',
]
const lines = [
  '["a","file",1,2,420]\n',
  '{"end":true}\n',
  '{"error":"unauthorized"}\n',
  '[[[[[[\n',
  '["\\ud800","x"]\n',
  '\n',
]

type Manner = (
  response: ServerResponse,
  from: <T>(...choices: T[]) => T,
  some: (arbitrary: fc.Arbitrary<unknown>) => unknown,
) => void
const manners: Manner[] = [
  (response, _from, some) => response.end(JSON.stringify(some(fc.anything()))),
  (response, from) =>
    response
      .writeHead(from(400, 403, 404, 409, 460, 500))
      .end(JSON.stringify({ error: from(...codes), fields: { a: {} } })),
  (response, from) => {
    for (let count = 0; count < 5; count++) response.setHeader(from(...headers), from(...values))
    response.writeHead(from(200, 201, 204, 206, 416)).end('x')
  },
  (response, from) => {
    for (let count = 0; count < 50; count++) response.write(from(...lines))
    response.end()
  },
  (response) => response.socket?.destroy(),
  (response) => response.socket?.end('HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n'),
  (response) => response.socket?.end('nonsense\r\n\r\n'),
  (response) => {
    response.write('x'.repeat(1000))
    response.socket?.destroy()
  },
  (response) => {
    // As much as is taken.
    const more = () => {
      while (!response.destroyed && response.write('y'.repeat(65_536)));
    }
    response.on('drain', more)
    more()
  },
]

createServer((request, response) => {
  response.on('error', () => undefined)
  request.on('error', () => undefined)
  const turn = ++seed
  const from = <T>(...choices: T[]): T => fc.sample(fc.constantFrom(...choices), { numRuns: 1, seed: turn })[0]!
  manners[turn % manners.length]!(response, from, (arbitrary) => fc.sample(arbitrary, { numRuns: 1, seed: turn })[0])
}).listen(config.listen.socket)
