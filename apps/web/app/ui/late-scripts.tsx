import { Children, cloneElement, isValidElement, type ReactNode, useContext } from 'react'
import { Scripts } from 'react-router'
import { NonceContext } from './nonce.ts'

/** A component called as the function it is, so that what it would render can be changed. It uses hooks. */
const useRenderedScripts = Scripts

/** What a browser does not run by itself; `begin` asks for it. */
const lateType = 'text/late-module'

/**
 * The page's scripts, asked for once the page has been seen: on a slow line they would take their share from style
 * sheets, letters and pictures, and on a slow phone their running would hold the first paint up. What is typed or
 * clicked before they have come is kept (`early-typing.ts`) or works without them.
 * @param texts Address of the texts, which the scripts read first.
 */
export function LateScripts({ texts }: { texts: string }) {
  const nonce = useContext(NonceContext)
  const addresses: string[] = []
  const scripts = takeApart(useRenderedScripts({}), addresses)
  if (addresses.length === 0) return scripts // the page is alive
  const call = `(${begin.toString()})(${JSON.stringify([lateType, texts, addresses])})`.replaceAll('<', '\\u003c')
  return (
    <>
      {scripts}
      <script nonce={nonce} suppressHydrationWarning dangerouslySetInnerHTML={{ __html: call }} />
    </>
  )
}

type Part = { rel?: string; href?: string; type?: string; children?: ReactNode }

/** Notes the addresses of the preloads and leaves them out; turns modules into text. */
function takeApart(node: ReactNode, addresses: string[]): ReactNode {
  return Children.map(node, (child) => {
    if (!isValidElement<Part>(child)) return child
    const { rel, href, type, children } = child.props
    if (rel === 'modulepreload' && href !== undefined) {
      addresses.push(href)
      return null
    }
    if (type === 'module') return cloneElement(child, { type: lateType })
    return children === undefined ? child : cloneElement(child, undefined, takeApart(children, addresses))
  })
}

/**
 * Runs in the page by itself: whatever it uses has to be inside it. A page that is not shown is never painted, and one
 * behind another window may not be either, although it counts as shown.
 */
function begin([type, texts, addresses]: [type: string, texts: string, addresses: string[]]): void {
  const link = (attributes: Partial<HTMLLinkElement>) =>
    document.head.append(Object.assign(document.createElement('link'), attributes))
  let isBegun = false
  const run = () => {
    if (isBegun) return
    isBegun = true
    for (const href of addresses) link({ rel: 'modulepreload', href })
    link({ rel: 'preload', as: 'fetch', crossOrigin: 'anonymous', href: texts })
    for (const late of document.querySelectorAll<HTMLScriptElement>(`script[type="${type}"]`)) {
      const { nonce, textContent } = late
      document.head.append(Object.assign(document.createElement('script'), { type: 'module', nonce, textContent }))
    }
  }
  if (document.hidden) run()
  else {
    requestAnimationFrame(() => setTimeout(run))
    setTimeout(run, 2_000)
  }
}
