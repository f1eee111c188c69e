/** What gateways that know nothing of sleep are told of servers that sleep: these would leave out states unknown to them. */
import { type Route, type RouteMessage, sleepingStates } from '@wakestone/protocol/gateway'

export function forVersion1(message: RouteMessage): RouteMessage[] {
  if (message.type === 'snapshot') return [{ ...message, routes: message.routes.map(awakeOrStopped) }]
  if (message.type === 'set') return [{ ...message, route: awakeOrStopped(message.route) }]
  return [message]
}

function awakeOrStopped(route: Route): Route {
  const bare = { ...route, thaw: null, face: null, door: null }
  return sleepingStates.includes(route.state) ? { ...bare, state: 'stopped', backend: null } : bare
}
