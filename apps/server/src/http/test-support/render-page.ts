/** The built pages with a host of the test's own making. */
import { createRequestHandler } from 'react-router'
import type { WebBuild } from '../web-build.ts'

export async function renderPage(url: string, host: Record<string, unknown>): Promise<Response> {
  const build = (await import('../../../../web/build/server/index.js' as string)) as WebBuild
  const context = build.entry.module.createLoadContext(host as never)
  return createRequestHandler(build, 'production')(new Request(url), context)
}
