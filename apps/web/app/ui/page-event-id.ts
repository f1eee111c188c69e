import { createContext, useContext } from 'react'

/** Under which the host logs what fails while it renders this page. Only the server knows it. */
export const PageEventIdContext = createContext<string | undefined>(undefined)
export const pageEventIdName = 'event-id'

/** The id of a page that failed on the server; the browser finds it in the page, for both to render the same. */
export function usePageEventId(): string | undefined {
  const own = useContext(PageEventIdContext)
  if (own !== undefined || typeof document === 'undefined') return own
  return document.querySelector<HTMLMetaElement>(`meta[name="${pageEventIdName}"]`)?.content
}
