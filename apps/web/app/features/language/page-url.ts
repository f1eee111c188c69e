/**
 * Address of the page a request is about. React Router fetches a page's data from `…/page.data` (the root's from
 * `/_.data`), with parameters of its own.
 */
export function pageUrl(request: Pick<Request, 'url'>): URL {
  const url = new URL(request.url)
  if (!url.pathname.endsWith('.data')) return url
  url.pathname = url.pathname.replace(/\/_\.data$/, '/').replace(/\.data$/, '')
  url.searchParams.delete('_routes')
  return url
}
