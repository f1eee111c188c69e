/**
 * What is done in a session, from the lines that `sftp-server -l INFO` writes. They come out of a sandbox: what is made of
 * them is bounded, and only told.
 */
import type { Readable } from 'node:stream'
import type { SftpChange } from '@wakestone/contract/servers/remotefs'

const LINE_BYTES = 4096
const PATHS = 20
const PATH_LENGTH = 1024
const ROOT = '/data/'

type Kind = SftpChange['kind']
type Step = { kind: Kind; path: string; bytes?: number; to?: string }

export type Changes = {
  /** What has come together since it was last asked. */
  take(): SftpChange[]
}

export function gatherChanges(log: Readable): Changes {
  const changes = new Map<Kind, SftpChange>()
  let rest = ''
  /** Not done yet, should the next line say that it failed. */
  let last: Step | undefined

  function add({ kind, path, bytes = 0, to }: Step) {
    let change = changes.get(kind)
    if (change === undefined) changes.set(kind, (change = { kind, paths: [], count: 0, bytes: 0 }))
    change.count = Math.min(change.count + 1, 10_000_000)
    change.bytes = Math.min(change.bytes + bytes, Number.MAX_SAFE_INTEGER)
    if (change.paths.length < PATHS && !change.paths.includes(path)) change.paths.push(path)
    if (to !== undefined && change.count === 1) change.to = to
    else delete change.to
  }
  function settle() {
    if (last) add(last)
    last = undefined
  }
  function read(line: string) {
    if (line.startsWith('sent status ')) return void (last = undefined)
    settle()
    last = readStep(line)
  }

  log.setEncoding('latin1')
  log.on('data', (text: string) => {
    const lines = (rest + text).split('\n')
    rest = (lines.pop() ?? '').slice(-LINE_BYTES)
    for (const line of lines) read(line.slice(0, LINE_BYTES).trimEnd())
  })
  log.on('error', () => {})
  return {
    take() {
      settle()
      const taken = [...changes.values()]
      changes.clear()
      return taken
    },
  }
}

/** Quotes within names are not marked: a form reaches from the first one to the last. */
const forms: [RegExp, (found: string[]) => Step | undefined][] = [
  [
    /^(?:forced )?close "(.*)" bytes read (\d+) written (\d+)$/,
    ([path = '', read = '0', written = '0']) => {
      if (Number(written) > 0) return { kind: 'upload', path, bytes: Number(written) }
      return Number(read) > 0 ? { kind: 'download', path, bytes: Number(read) } : undefined
    },
  ],
  [/^(?:posix-)?rename old "(.*)" new "(.*)"$/, ([path = '', to = '']) => ({ kind: 'move', path, to })],
  [/^remove name "(.*)"$/, ([path = '']) => ({ kind: 'remove', path })],
  [/^rmdir name "(.*)"$/, ([path = '']) => ({ kind: 'remove', path })],
  [/^mkdir name "(.*)" mode/, ([path = '']) => ({ kind: 'folder', path })],
  [/^set "(.*)" mode/, ([path = '']) => ({ kind: 'chmod', path })],
]

export function readStep(line: string): Step | undefined {
  for (const [form, describe] of forms) {
    const found = form.exec(line)
    if (!found) continue
    const step = describe(found.slice(1))
    const [path, to] = [step && shown(step.path), step?.to === undefined ? undefined : shown(step.to)]
    if (step === undefined || path === undefined) return undefined
    return {
      kind: step.kind,
      path,
      ...(step.bytes !== undefined && { bytes: step.bytes }),
      ...(to !== undefined && { to }),
    }
  }
  return undefined
}

/** A path of the volume as the panel names it; undefined outside of it. Bytes beyond ASCII come as `\ooo`. */
function shown(path: string): string | undefined {
  const bytes = path.replace(/\\([0-7]{3}|.)/g, (_, code: string) =>
    code.length === 3 ? String.fromCharCode(Number.parseInt(code, 8) & 255) : code,
  )
  const text = Buffer.from(bytes, 'latin1').toString('utf8').replaceAll('\0', '\uFFFD')
  const whole = text.replace(/\/{2,}/g, '/').replace(/\/\.(?=\/|$)/g, '')
  return whole.startsWith(ROOT) ? whole.slice(ROOT.length, ROOT.length + PATH_LENGTH).toWellFormed() : undefined
}
