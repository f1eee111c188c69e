/** A span for each request, in which all that it does is. */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { beginRequestSpan, noteError, type Span } from '#src/tracing.ts'

export function traceRequests(app: FastifyInstance): void {
  const spans = new WeakMap<FastifyRequest, Span>()
  const errors = new WeakMap<FastifyRequest, Error>()
  app.addHook('onRequest', (request, _reply, done) => {
    const { span, run } = beginRequestSpan(request.method, {
      'http.request.method': request.method,
      'url.path': request.url.split('?')[0] as string,
      // The same as in the answer's header, and in what support is told.
      'wakestone.transaction_id': request.id,
    })
    spans.set(request, span)
    run(done)
  })
  app.addHook('onError', (request, _reply, error, done) => {
    errors.set(request, error)
    done()
  })
  app.addHook('onResponse', (request, reply, done) => {
    const span = spans.get(request)
    const route = request.routeOptions.url ?? 'no route'
    span?.updateName(`${request.method} ${route}`)
    span?.setAttributes({ 'http.route': route, 'http.response.status_code': reply.statusCode })
    // A refusal is no fault of ours.
    const error = errors.get(request)
    if (span !== undefined && error !== undefined && reply.statusCode >= 500) noteError(span, error)
    span?.end()
    done()
  })
}
