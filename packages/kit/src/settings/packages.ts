/** Where packages of servers come from, besides our own marketplace. */
import { z } from 'zod'
import { listOf, text, url, type Setting } from './setting.ts'

const sources = listOf(z.enum(['modrinth', 'hangar', 'curseforge']))

export const packages = {
  PACKAGE_SOURCES: {
    group: 'Packages',
    about: 'Which catalogues of others customers can install from. CurseForge wants a key as well.',
    takes: '`modrinth`, `hangar` and `curseforge`, comma-separated, or `none`',
    schema: z
      .string()
      .transform((list) => (list.trim() === 'none' ? '' : list))
      .pipe(sources),
    fallback: 'modrinth,hangar,curseforge',
  },
  MODRINTH_URL: {
    group: 'Packages',
    about: 'Modrinth’s API, version 2.',
    takes: 'an http(s) address',
    schema: url,
    fallback: 'https://api.modrinth.com/v2',
  },
  HANGAR_URL: {
    group: 'Packages',
    about: 'Hangar’s API, version 1.',
    takes: 'an http(s) address',
    schema: url,
    fallback: 'https://hangar.papermc.io/api/v1',
  },
  CURSEFORGE_URL: {
    group: 'Packages',
    about: 'CurseForge’s API.',
    takes: 'an http(s) address',
    schema: url,
    fallback: 'https://api.curseforge.com',
  },
  CURSEFORGE_API_KEY: {
    secret: true,
    group: 'Packages',
    about: 'The operator’s own key for CurseForge. Unset: nothing comes from there.',
    takes: 'text',
    schema: text.optional(),
  },
} as const satisfies Record<string, Setting>
