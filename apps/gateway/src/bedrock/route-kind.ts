/** What a route means for somebody who knocks at its Bedrock port. */
import type { Route } from '@wakestone/protocol/gateway'

export type BedrockRoute = Route & { bedrock: NonNullable<Route['bedrock']> }

export const isBedrock = (route: Route): route is BedrockRoute => Boolean(route.bedrock)

/** It sleeps, and whoever wants to join wakes it. */
export const isAsleep = ({ state }: Route) => (['light_sleep', 'asleep'] as string[]).includes(state)

/** Its game holds its port: it runs, or is frozen and takes up what has come once it thaws. */
export const hasGame = (route: Route): route is Route & { backend: NonNullable<Route['backend']> } =>
  (['running', 'light_sleep'] as string[]).includes(route.state) && route.backend !== null
