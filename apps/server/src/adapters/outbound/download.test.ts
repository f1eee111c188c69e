/** What a customer can have us fetch, and what not, however it is written or led to. */
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { checkTarget, download, NoDownload } from './download.ts'
import { ForbiddenTarget } from './guarded-lookup.ts'
import { isPublicAddress } from './public-address.ts'

const signal = new AbortController().signal

test.each([
  'http://127.0.0.1/',
  'http://127.1/',
  'http://2130706433/',
  'http://0x7f000001/',
  'http://0177.0.0.1/',
  'http://0/',
  'http://10.0.0.1/',
  'http://172.16.0.1:8080/',
  'http://192.168.1.1/',
  'http://169.254.169.254/latest/meta-data/',
  'http://100.64.0.1/',
  'http://[::1]/',
  'http://[::]/',
  'http://[::ffff:127.0.0.1]/',
  'http://[::ffff:a9fe:a9fe]/',
  'http://[64:ff9b::7f00:1]/',
  'http://[2002:7f00:1::]/',
  'http://[fd00::1]/',
  'http://[fe80::1]/',
  'http://①②⑦.⓪.⓪.①/',
  'http://user:secret@example.com/',
  'http://example.com:22/',
  'https://example.com:25/',
  'ftp://example.com/file',
  'file:///etc/passwd',
  'gopher://example.com/',
  'data:text/plain,x',
  'unix:/run/docker.sock',
  'javascript:alert(1)',
  '//example.com/',
  `https://example.com/${'x'.repeat(5000)}`,
  '',
])('%s is not fetched', (address) => {
  expect(() => checkTarget(address, isPublicAddress)).toThrow(ForbiddenTarget)
})

test.each([
  'https://example.com/a.zip',
  'http://example.com:8080/a?b#c',
  'https://[2606:4700::1111]/',
  'https://1.1.1.1/',
])('%s may be fetched', (address) => expect(checkTarget(address, isPublicAddress).href).toContain('://'))

test('names that lead to this machine are refused as they are looked up', async () => {
  for (const name of ['localhost', 'LOCALHOST'])
    await expect(download(`http://${name}:8080/`, { mayCall: isPublicAddress, signal })).rejects.toThrow(
      ForbiddenTarget,
    )
})

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.2')
  onTestFinished(() => void server.close().closeAllConnections())
  await new Promise((done) => server.once('listening', done))
  return `http://127.0.0.2:${(server.address() as AddressInfo).port}`
}
/** Stands for a public host: it may be called, and nothing else of this machine. */
const onlyThis = (address: string) => address === '127.0.0.2'
const fetchFrom = (url: string, more: object = {}) => download(url, { mayCall: onlyThis, signal, ...more })

test.each([
  'http://localhost/',
  'http://[::1]/',
  'http://169.254.169.254/',
  'http://127.0.0.1:22/',
  'file:///etc/passwd',
  '//[::1]/x',
])('an address that leads on to %s is followed no further', async (location) => {
  const url = await serve((request, response) =>
    request.url === '/'
      ? response.writeHead(302, { location: '/further' }).end()
      : response.writeHead(307, { location }).end(),
  )
  await expect(fetchFrom(url)).rejects.toThrow(ForbiddenTarget)
})

test('one that leads on for ever is left, and one that answers with no file', async () => {
  const endless = await serve((_request, response) => response.writeHead(302, { location: '/' }).end())
  await expect(fetchFrom(endless)).rejects.toThrow(NoDownload)
  const missing = await serve((_request, response) => response.writeHead(404).end('x'.repeat(100_000)))
  await expect(fetchFrom(missing)).rejects.toMatchObject({ status: 404 })
  const odd = await serve((_request, response) => response.writeHead(206).end('x'))
  await expect(fetchFrom(odd)).rejects.toMatchObject({ status: 206 })
  const aimless = await serve((_request, response) => response.writeHead(302, { location: 'http://' }).end())
  await expect(fetchFrom(aimless)).rejects.toThrow(NoDownload)
})

test('a file comes with its size, or from where it was left, and nothing of ours is told', async () => {
  const asked: (string | undefined)[] = []
  const url = await serve((request, response) => {
    asked.push(request.headers.range, request.headers['if-range'] as string, request.headers.cookie)
    if (request.headers.range === undefined)
      response.writeHead(200, { 'content-length': 6, etag: '"v1"' }).end('abcdef')
    else response.writeHead(206, { 'content-range': 'bytes 4-5/6', 'content-length': 2 }).end('ef')
  })
  const whole = await fetchFrom(url)
  expect(whole).toMatchObject({ size: 6, offset: 0, etag: '"v1"' })
  const part = await fetchFrom(url, { from: { offset: 4, etag: '"v1"' } })
  expect(part).toMatchObject({ size: 6, offset: 4 })
  expect(asked).toEqual([undefined, undefined, undefined, 'bytes=4-', '"v1"', undefined])
  whole.body.destroy()
  part.body.destroy()
  const encoded = await serve((_request, response) =>
    response.writeHead(200, { 'content-length': 3, 'content-encoding': 'gzip' }).end('abc'),
  )
  const { size, body } = await fetchFrom(encoded)
  body.destroy()
  expect(size).toBeUndefined()
})
