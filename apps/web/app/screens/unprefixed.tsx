/** Every address without a language: leads to the one with it. */
import { languageMiddleware } from '#app/features/language/language-middleware.ts'

export const middleware = [languageMiddleware]

export function loader() {
  return null
}

export default function Unprefixed() {
  return null
}
