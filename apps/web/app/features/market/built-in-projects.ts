/** What the home page features where the flag names nothing, as far as it exists. */
export const builtInProjects = [
  'sample-quiet-nights',
  'sample-gentle-creepers',
  'sample-keep-what-you-carry',
  'sample-small-paper',
  'sample-plain-words',
  'sample-steady-light',
] as const
