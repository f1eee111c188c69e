import { operationKinds } from '@wakestone/contract/servers/operations'

/** What is done with packages. */
export const packageKinds = operationKinds.filter((kind) => kind.startsWith('package_'))
