import { data } from 'react-router'
import { NoServerPage } from '#app/features/servers/no-server-page.tsx'

export function loader() {
  return data(null, { status: 403 })
}

/** Where `/s/{identity}` leads when the server is shared with the visitor, but not the right to look at it. */
export default function UnauthorizedServer() {
  return <NoServerPage page="unauthorizedServer" />
}
