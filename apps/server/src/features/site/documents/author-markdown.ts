/** Markdown of authors, who may be anybody: what is left leads to https and mail only, and has no ids and no pictures. */
import { Worker } from 'node:worker_threads'
import { escapeHtml } from '@wakestone/kit/escape-html'
import { Marked } from 'marked'

/** Turn the direction of text, or cannot be seen. */
const hidden = /[\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g

/** Not to be called where others wait: hostile texts take seconds. See `renderAuthorMarkdown`. */
export function writeAuthorHtml(source: string): string {
  const marked = new Marked({ gfm: true, async: false })
  marked.use({
    renderer: {
      heading({ tokens, depth }) {
        // The page's title and its parts are above.
        const level = Math.min(6, Math.max(3, depth + 1))
        return `<h${level}>${this.parser.parseInline(tokens)}</h${level}>\n`
      },
      link({ href, tokens }) {
        const inner = this.parser.parseInline(tokens)
        const address = URL.parse(href)
        if (address === null || !['https:', 'mailto:'].includes(address.protocol)) return inner
        return `<a href="${escapeHtml(address.href)}" rel="noopener nofollow ugc">${inner}</a>`
      },
      image: ({ text }) => escapeHtml(text),
      html: (token) =>
        'block' in token && token.block ? `<p>${escapeHtml(token.text)}</p>\n` : escapeHtml(token.text),
      checkbox: ({ checked }) => (checked ? '☑ ' : '☐ '),
      code: ({ text }) => `<pre><code>${escapeHtml(text)}</code></pre>\n`,
    },
  })
  return marked.parse(source.replace(hidden, ''), { async: false })
}

const mostMilliseconds = 3_000
/** Until the thread runs. A busy machine delays that, whatever the text. */
const mostMillisecondsToBegin = 20_000
const workerFile = new URL('author-markdown-worker.ts', import.meta.url)

/** In a thread that ends with it. @returns undefined for what takes too long, or cannot be read. */
export async function renderAuthorMarkdown(source: string): Promise<string | undefined> {
  return (await renderAuthorTexts([source]))?.[0]
}

/** Several texts in one thread, which has no more time for them than for one. */
export async function renderAuthorTexts(sources: readonly string[]): Promise<string[] | undefined> {
  if (sources.every((source) => source.trim() === '')) return sources.map(() => '')
  const worker = new Worker(workerFile, {
    workerData: sources,
    resourceLimits: { maxOldGenerationSizeMb: 96, stackSizeMb: 4 },
  })
  try {
    return await new Promise<string[] | undefined>((resolve) => {
      const end = (html: string[] | undefined) => {
        clearTimeout(timer)
        resolve(html)
      }
      let timer = setTimeout(end, mostMillisecondsToBegin, undefined)
      worker.on('message', (message: 'begun' | string[]) => {
        if (message !== 'begun') return end(message)
        clearTimeout(timer)
        timer = setTimeout(end, mostMilliseconds, undefined)
      })
      worker.once('error', () => end(undefined))
      worker.once('exit', () => end(undefined))
    })
  } finally {
    await worker.terminate()
  }
}
