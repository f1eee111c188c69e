import { startTransition, StrictMode } from 'react'
import { hydrateRoot } from 'react-dom/client'
import { HydratedRouter } from 'react-router/dom'
import { createI18n } from '#app/i18n/create-i18n.ts'
import { isLanguage, languageCookie } from '#app/i18n/languages.ts'
import { readCookie, writePreferenceCookie } from '#app/i18n/cookies.ts'
import { textAddresses } from '#app/i18n/text-addresses.ts'
import { I18nProvider } from '#app/i18n/texts.tsx'
import { watchEarlyTyping } from '#app/ui/early-typing.ts'

watchEarlyTyping()

// The language of a document never changes: switching it loads the other page.
const language = isLanguage(document.documentElement.lang) ? document.documentElement.lang : 'en'
if (readCookie(document.cookie, languageCookie) !== language) writePreferenceCookie(languageCookie, language)

const response = await fetch(textAddresses[language], { credentials: 'same-origin' })
const i18n = createI18n(language, await response.json())

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
