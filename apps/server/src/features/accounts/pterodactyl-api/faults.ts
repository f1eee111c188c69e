/** What goes wrong, as Pterodactyl tells it: a list of `{code, status, detail}`, whose codes are names of its exceptions. */
import { ApiError } from '@wakestone/contract/client'
import { DomainError, errorStatuses } from '@wakestone/contract/errors'

type Fault = {
  status: number
  code: string
  detail: string
  wait?: number
  meta?: { source_field: string; rule: string }
}

/** Something that this API refuses by itself. */
export class ClientFault extends Error {
  readonly fault: Fault
  constructor(fault: Fault) {
    super(fault.detail)
    this.fault = fault
  }
}

export const notFound = () =>
  new ClientFault({
    status: 404,
    code: 'NotFoundHttpException',
    detail: 'The requested resource could not be found on the server.',
  })

export const unauthenticated = () =>
  new ClientFault({ status: 401, code: 'AuthenticationException', detail: 'Unauthenticated.' })

export const invalid = (field: string, rule: string, detail: string) =>
  new ClientFault({ status: 422, code: 'ValidationException', detail, meta: { source_field: field, rule } })

/** By the status that a refusal of ours has. */
const codes: Readonly<Record<number, string>> = {
  401: 'AuthenticationException',
  403: 'AuthorizationException',
  404: 'NotFoundHttpException',
  409: 'ConflictHttpException',
  413: 'HttpException',
  422: 'ValidationException',
  429: 'TooManyRequestsHttpException',
}
const details: Readonly<Record<number, string>> = {
  401: 'Unauthenticated.',
  403: 'This action is unauthorized.',
  429: 'Too Many Attempts.',
}

/** Ours names states; theirs are told in words that people have read before. */
const known: Readonly<Record<string, Omit<Fault, 'wait'>>> = {
  server_is_not_running: {
    status: 502,
    code: 'HttpException',
    detail: 'Server must be online in order to send commands.',
  },
  server_is_preparing: {
    status: 409,
    code: 'ServerStateConflictException',
    detail: 'This server has not yet completed its installation process, please try again later.',
  },
  server_is_disabled: {
    status: 409,
    code: 'ServerStateConflictException',
    detail: 'This server is currently suspended and the functionality requested is unavailable.',
  },
}

/** Undefined for what is no refusal: somebody has to look at it. */
export function faultOf(error: unknown): Fault | undefined {
  if (error instanceof ClientFault) return error.fault
  const told =
    error instanceof ApiError
      ? { code: error.body.error as string, status: error.status, fields: error.body.fields }
      : error instanceof DomainError
        ? { code: error.code as string, status: errorStatuses[error.code], fields: error.fields }
        : undefined
  if (told === undefined || told.status >= 500) return undefined
  const { code, fields } = told
  const wait = fields?.['retry_after']
  if (known[code] !== undefined) return known[code]
  const status = told.status === 400 ? 422 : told.status
  return {
    status,
    code: codes[status] ?? 'HttpException',
    detail: details[status] ?? `${sentence(code)}${wordsOf(fields)}`,
    ...(typeof wait === 'number' && { wait }),
  }
}

const sentence = (code: string) => `${code.charAt(0).toUpperCase()}${code.slice(1).replaceAll('_', ' ')}.`

function wordsOf(fields: object | undefined): string {
  const named = Object.keys(fields ?? {}).filter((name) => name !== 'resource')
  return named.length === 0 ? '' : ` (${named.join(', ')})`
}

export const faultBody = ({ status, code, detail, meta }: Fault) => ({
  errors: [{ code, status: String(status), detail, ...(meta !== undefined && { meta }) }],
})
