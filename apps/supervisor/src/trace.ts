/** The trace that a request is a part of: what is logged because of it carries its ids, however much later that is. */
const { AsyncLocalStorage } = process.getBuiltinModule('node:async_hooks')

type Ids = { trace_id: string; span_id: string }

/** https://www.w3.org/TR/trace-context/#traceparent-header */
const TRACEPARENT = /^00-([0-9a-f]{32})-([0-9a-f]{16})-[0-9a-f]{2}$/
const current = new AsyncLocalStorage<Ids>()

export const traceIds = (): Ids | undefined => current.getStore()

export function withinTrace<Result>(header: string | string[] | undefined, does: () => Result): Result {
  const [, trace_id, span_id] = TRACEPARENT.exec(typeof header === 'string' ? header : '') ?? []
  return trace_id === undefined || span_id === undefined ? does() : current.run({ trace_id, span_id }, does)
}
