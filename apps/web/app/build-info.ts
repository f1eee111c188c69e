/** Written by the build; see build-steps/build-info.ts. */
declare const __BUILD_INFO__: { version: string; date: string }

/** Version of the product, and when these pages were made. For loaders: scripts of pages stay the same between builds. */
export const buildInfo = __BUILD_INFO__
