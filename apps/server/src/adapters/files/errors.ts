/** What a files service refuses with, as the product's own refusals; a customer can make it say anything. */
import { DomainError, type ErrorCode, type ErrorFields } from '@wakestone/contract/errors'
import { fileErrors } from '@wakestone/protocol/file-values'

/**
 * It gave no answer that is of use:
 *
 *   unreached   nobody answered, or it broke off
 *   unreadable  what it says is no sense, or more than there may be
 */
export class FilesError extends Error {
  readonly fault: 'unreached' | 'unreadable'
  constructor(fault: FilesError['fault'], message: string, options?: ErrorOptions) {
    super(message, options)
    this.fault = fault
  }
}

/** These say something of us: that a token is not good, or that a route is not known. No customer reads them. */
const own = new Set(['unauthorized', 'resource_not_found', 'internal_error'])

/** A code that people may be shown; undefined for any other. */
export function readCode(code: unknown): ErrorCode | undefined {
  return typeof code === 'string' && Object.hasOwn(fileErrors, code) && !own.has(code) ? (code as ErrorCode) : undefined
}

const mostFields = 10

/** Fields of an error as far as they are of the kinds that there are. */
export function readFields(fields: unknown): ErrorFields | undefined {
  if (typeof fields !== 'object' || fields === null) return undefined
  const entries = Object.entries(fields)
    .filter(([name]) => /^[a-z_]{1,30}$/.test(name) && name !== 'resource')
    .flatMap(([name, value]): [string, string | number | boolean][] => {
      if (typeof value === 'string') return [[name, value.slice(0, 500).toWellFormed().replaceAll('\0', '')]]
      return typeof value === 'number' || typeof value === 'boolean' ? [[name, value]] : []
    })
    .slice(0, mostFields)
  return entries.length === 0 ? undefined : Object.fromEntries(entries)
}

/** A refusal as it is thrown on: a code of the catalogue, or a fault of the service. */
export function describeRefusal(status: number, body: unknown): DomainError | FilesError {
  const { error, fields } = (body ?? {}) as { error?: unknown; fields?: unknown }
  const code = readCode(error)
  if (code === undefined) return new FilesError('unreadable', `answered ${status} ${String(error).slice(0, 60)}`)
  return new DomainError(code, { resource: 'file', ...readFields(fields) })
}
