/** Releases of a project as Atom (RFC 4287), which every reader of feeds knows. */

type FeedEntry = { id: string; version: string; html: string; published_at: Date | null }
type Feed = { projectId: string; name: string; url: string; self: string; updated: Date; entries: FeedEntry[] }

/** What XML cannot hold, not even escaped, is left out. */
const escape = (text: string) =>
  text
    .replace(/[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu, '')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')

export function writeFeed({ projectId, name, url, self, updated, entries }: Feed): string {
  const at = (date: Date | null) => (date ?? updated).toISOString()
  return `<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom">
  <id>urn:uuid:${projectId}</id>
  <title>${escape(name)}</title>
  <updated>${updated.toISOString()}</updated>
  <author><name>${escape(name)}</name></author>
  <link rel="alternate" type="text/html" href="${escape(url)}"/>
  <link rel="self" type="application/atom+xml" href="${escape(self)}"/>
${entries
  .map(
    ({ id, version, html, published_at: published }) => `  <entry>
    <id>urn:wakestone:release:${escape(id)}</id>
    <title>${escape(`${name} ${version}`)}</title>
    <updated>${at(published)}</updated>
    <published>${at(published)}</published>
    <link rel="alternate" type="text/html" href="${escape(url)}"/>
    <content type="html">${escape(html)}</content>
  </entry>
`,
  )
  .join('')}</feed>
`
}
