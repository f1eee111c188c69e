import { data } from 'react-router'
import { NoServerPage } from '#app/features/servers/no-server-page.tsx'

export function loader() {
  return data(null, { status: 404 })
}

/** Where `/s/{identity}` leads when nobody that the visitor may know of has that name; `?server=` says which. */
export default function ServerNotFound() {
  return <NoServerPage page="serverNotFound" />
}
