/** Routes of Bedrock Edition among the others. */
import type { Route } from '@wakestone/protocol/gateway'

export type BedrockRoute = Route & { bedrock: NonNullable<Route['bedrock']> }

export const isBedrock = (route: Route): route is BedrockRoute => route.bedrock !== null
