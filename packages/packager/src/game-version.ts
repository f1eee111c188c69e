import type { Manifest } from './manifest.ts'

/**
 * The version of Minecraft that these packages are run by, as the engine among them says it; nothing else may provide it.
 * @returns null for an engine that speaks several, such as a proxy, or does not say
 */
export const gameVersionOf = (packages: readonly Pick<Manifest, 'provides'>[]): string | null =>
  packages.flatMap(({ provides }) => provides).find(({ name }) => name === 'minecraft')?.version ?? null
