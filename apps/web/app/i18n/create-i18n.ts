import { createInstance, type i18n } from 'i18next'
import { initReactI18next } from 'react-i18next'
import type { Language } from './languages.ts'
import type en from './locales/en.json'

export type Texts = typeof en

/** A translator of its own, so that requests in different languages never meet. */
export function createI18n(language: Language, texts: unknown): i18n {
  const instance = createInstance()
  void instance.use(initReactI18next).init({
    lng: language,
    fallbackLng: false,
    resources: { [language]: { translation: texts as Texts } },
    initAsync: false,
    returnNull: false,
    // React escapes.
    interpolation: { escapeValue: false },
    react: { useSuspense: false },
  })
  return instance
}
