/**
 * A route is data. The server implements it, the web calls it, OpenAPI is made from it, tests walk it.
 */
import { z } from 'zod'
import type { CapabilityName } from './capability-names.ts'
import type { ErrorCode } from './errors.ts'
import type { ProjectRight } from './marketplace/values.ts'

/** Things that belong to one user. */
export type OwnedKind = 'wallet' | 'invoice' | 'transaction' | 'service' | 'social' | 'craftum' | 'ticket'

/** Who may call a route, decided before the handler runs. */
export type Access =
  | { kind: 'public' }
  /** Any signed-in user. */
  | { kind: 'user' }
  /** Only the user named by the path parameter, or an administrator with `admin`. */
  | { kind: 'self'; param: string }
  /** Whoever holds the capability on the server named by the path parameter; others do not learn that it exists. */
  | { kind: 'server'; param: string; capability: CapabilityName }
  /** Whose the thing is: the wallet, the transaction, the service, the website or the social link; the buyer named by an invoice. Or `admin`. */
  | { kind: OwnedKind; param: string }
  /** Whoever may read what the event tells of: the user, or `server.manage.read` on the server. */
  | { kind: 'event'; param: string }
  /** Whoever may see the project named by the path parameter, or has a role in it that is enough for `right`. Or `admin`. */
  | { kind: 'project'; param: string; right: 'see' | ProjectRight }
  /** Whoever holds the capability on the whole product. */
  | { kind: 'capability'; capability: CapabilityName }

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

export type RouteSpec = {
  method: Method
  /** Below `/api/v1`, parameters as `:name`. */
  path: `/${string}`
  summary: string
  tag: string
  access: Access
  /**
   * The scope that an API key needs: a capability, the one that `access` names, or any scope at all.
   * Without it no key may call the route: none may touch what says who somebody is or what they may do.
   */
  keyScope?: CapabilityName | 'access' | 'any'
  params?: z.ZodObject
  query?: z.ZodObject
  body?: z.ZodType
  /** Success statuses and their bodies; `null` is an empty body. */
  responses: Record<number, z.ZodType | null>
  /** Codes beyond those every route may answer with (`invalid_request`, `unauthorized`, `too_many_requests` …). */
  errors: readonly ErrorCode[]
  /**
   * Only for a session whose holder has proved to be the owner within the last `stepUpMinutes`; a login is such a proof.
   * `without-password`: not asked of accounts that a password alone guards; they send it with the call.
   * `second-factor-or-key`: only of accounts that a second factor guards too; an API key needs nothing but its scope.
   */
  stepUp?: true | 'without-password' | 'second-factor-or-key'
  /** Takes a form of `payload_json` and files beside plain JSON. */
  takesFiles?: boolean
  /** How many files and how large, where not as many as projects have. */
  fileLimits?: { readonly files: number; readonly bytes: number }
  /** Answers with a file of this media type, as it is made, instead of JSON. */
  streams?: string
  /** Takes an `Idempotency-Key` header: the same key and body again give the first answer. */
  idempotent?: boolean
  /** Whether an administrator may call it while they see the panel as its user. Unless it says so, reading only. */
  viewAs?: boolean
  /**
   * Stays open to a user who has not agreed to new terms that demand it: to look, to leave, to guard the account. Other
   * calls that change something answer `user_has_to_accept_terms`.
   */
  beforeTerms?: boolean
}

/** Whether a user must have agreed to the terms in force, where those demand it. Administration goes on without. */
export function needsTerms({
  method,
  access,
  beforeTerms = false,
}: Pick<RouteSpec, 'method' | 'access' | 'beforeTerms'>): boolean {
  return method !== 'GET' && access.kind !== 'public' && access.kind !== 'capability' && !beforeTerms
}

/** Keeps the literal types of a route, so that callers know exact shapes. */
export function defineRoute<const Spec extends RouteSpec>(spec: Spec): Spec {
  return spec
}

/** Scopes of which an API key needs one; none needed where empty, no key let in where undefined. */
export function keyScopesOf({
  access,
  keyScope,
  stepUp,
}: Pick<RouteSpec, 'access' | 'keyScope' | 'stepUp'>): readonly CapabilityName[] | undefined {
  if (stepUp !== undefined && stepUp !== 'second-factor-or-key') return undefined // a key proves nothing about who holds it
  if (keyScope === undefined || keyScope === 'any') return keyScope && []
  if (keyScope !== 'access') return [keyScope]
  if (access.kind === 'server') return [access.capability, 'admin.server']
  return access.kind === 'capability' ? [access.capability] : undefined
}

type Output<Schema> = Schema extends z.ZodType ? z.output<Schema> : undefined
type Input<Schema> = Schema extends z.ZodType ? z.input<Schema> : undefined

/** What a handler receives, already checked. */
export type RouteParams<Spec extends RouteSpec> = Output<Spec['params']>
export type RouteQuery<Spec extends RouteSpec> = Output<Spec['query']>
export type RouteBody<Spec extends RouteSpec> = Output<Spec['body']>
/** What a caller sends. */
export type RouteCall<Spec extends RouteSpec> = (Spec extends { params: z.ZodType }
  ? { params: Input<Spec['params']> }
  : { params?: undefined }) &
  (Spec extends { query: z.ZodType } ? { query?: Input<Spec['query']> } : { query?: undefined }) &
  (Spec extends { body: z.ZodType } ? { body: Input<Spec['body']> } : { body?: undefined }) & {
    idempotencyKey?: string
  }
/** What a successful call yields. */
export type RouteResult<Spec extends RouteSpec> = {
  [Status in keyof Spec['responses']]: Spec['responses'][Status] extends z.ZodType
    ? z.output<Spec['responses'][Status]>
    : undefined
}[keyof Spec['responses']]
/** What a handler returns. */
export type RouteReturn<Spec extends RouteSpec> = {
  [Status in keyof Spec['responses']]: Spec['responses'][Status] extends z.ZodType
    ? z.input<Spec['responses'][Status]>
    : undefined
}[keyof Spec['responses']]

/** What routes have in common that answer with a CSV file. */
export const csvFile = {
  streams: 'text/csv; charset=utf-8; header=present',
  responses: { 200: z.custom<AsyncIterable<string>>() },
} as const
