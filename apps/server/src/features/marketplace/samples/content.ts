/** Projects that an installation shows before it has any of its own: small, real, and said to be samples. */
import { dataPacks } from './data-packs.ts'
import { first } from './first.ts'
import { maps } from './maps.ts'
import { plugins } from './plugins.ts'
import type { Sample } from './sample.ts'
import { settings } from './settings.ts'
import { squid } from './squid.ts'

export const samples: readonly Sample[] = [...first, ...dataPacks, ...plugins, ...squid, ...maps, ...settings]
