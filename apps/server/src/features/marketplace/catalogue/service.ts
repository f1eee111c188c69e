/** Releases on their way to servers: as a source of packages, made of a server's files, and taken back from all of them. */
export { createPackage, packageCreate } from './from-server.ts'
export { isolatePackagesJob } from './job-definitions.ts'
export { isHandedOut } from './repo.ts'
export { createMarketplaceSource } from './source.ts'
