import { Outlet } from 'react-router'
import { languageMiddleware } from '#app/features/language/language-middleware.ts'

export const middleware = [languageMiddleware]

/** Its being there makes React Router ask the server, and so the middleware, on every first visit. */
export function loader() {
  return null
}

export default Outlet
