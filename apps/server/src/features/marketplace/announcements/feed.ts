/** Releases as Atom (RFC 4287) and as RSS 2.0: every reader of feeds knows one of them. */

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

type Item = FeedEntry & { name: string; url: string }
type Channel = { title: string; url: string; self: string; language: string; updated: Date; items: Item[] }

/** By RFC 822, as RSS has it: `Wed, 25 Nov 2026 21:20:37 GMT`. */
const rssTime = (date: Date) => date.toUTCString()

/** An item is named by its release, which stays what it is wherever its project moves. */
export function writeRss({ title, url, self, language, updated, items }: Channel): string {
  return `<?xml version="1.0" encoding="utf-8"?>
<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom">
<channel>
  <title>${escape(title)}</title>
  <link>${escape(url)}</link>
  <description>${escape(title)}</description>
  <language>${language}</language>
  <lastBuildDate>${rssTime(updated)}</lastBuildDate>
  <atom:link href="${escape(self)}" rel="self" type="application/rss+xml"/>
${items
  .map(
    ({ id, name, version, url: at, html, published_at: published }) => `  <item>
    <title>${escape(`${name} ${version}`)}</title>
    <link>${escape(at)}</link>
    <guid isPermaLink="false">urn:wakestone:release:${escape(id)}</guid>
    <pubDate>${rssTime(published ?? updated)}</pubDate>
    <description>${escape(html)}</description>
  </item>
`,
  )
  .join('')}</channel>
</rss>
`
}
