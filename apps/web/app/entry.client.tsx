import { startTransition, StrictMode } from 'react'
import { hydrateRoot } from 'react-dom/client'
import { HydratedRouter } from 'react-router/dom'
import { createI18n } from '#app/i18n/create-i18n.ts'
import { isLanguage } from '#app/i18n/languages.ts'
import { findForgottenLanguage, rememberLanguage, switchLanguage } from '#app/i18n/remembered-language.ts'
import { textAddress } from '#app/i18n/text-addresses.ts'
import { createTextReader, fetchTexts } from '#app/i18n/text-reader.ts'
import { I18nProvider } from '#app/i18n/texts.tsx'
import { registerWorker } from '#app/features/shell/service-worker.ts'
import { watchEarlyTyping } from '#app/ui/early-typing.ts'

watchEarlyTyping()

// The language of a document never changes: switching it loads the other page.
const language = isLanguage(document.documentElement.lang) ? document.documentElement.lang : 'en'
const readTexts = createTextReader({ read: fetchTexts })

async function start(): Promise<void> {
  const i18n = createI18n(language, await readTexts(textAddress(language)))
  startTransition(() => {
    hydrateRoot(
      document,
      <StrictMode>
        <I18nProvider i18n={i18n}>
          <HydratedRouter />
        </I18nProvider>
      </StrictMode>,
    )
  })
}

/** Without texts the page stays as the server wrote it: links and forms work. Another try when the network is back. */
function startPatiently(): void {
  start().catch(() => addEventListener('online', startPatiently, { once: true }))
}

const forgotten = findForgottenLanguage(language)
if (forgotten === undefined) {
  rememberLanguage(language)
  startPatiently()
  if (!import.meta.env.DEV) registerWorker()
} else switchLanguage(forgotten)
