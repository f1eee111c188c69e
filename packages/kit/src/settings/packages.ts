/** Where packages of servers come from, besides our own marketplace. */
import { z } from 'zod'
import { listOf, text, url, type Setting } from './setting.ts'

const sources = listOf(z.enum(['modrinth', 'hangar', 'curseforge']))

export const packages = {
  PACKAGE_SOURCES: {
    group: 'Packages',
    about: 'External catalogues that customers can install from. CurseForge also needs a key.',
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
    about: 'The operator’s own key for CurseForge. Unset: CurseForge is off.',
    takes: 'text',
    schema: text.optional(),
  },
  TRANSLATION_URL: {
    group: 'Packages',
    about:
      'A service with OpenAI’s chat completions API, before `/chat/completions`, that translates project descriptions into languages that their authors left empty. Unset: nothing is translated. Descriptions of public projects are sent there.',
    takes: 'an http(s) address',
    schema: url.optional(),
  },
  TRANSLATION_API_KEY: {
    secret: true,
    group: 'Packages',
    about: 'The key for that service.',
    takes: 'text',
    schema: text.optional(),
  },
  TRANSLATION_MODEL: {
    group: 'Packages',
    about: 'The model used for translation.',
    takes: 'text',
    schema: text,
    fallback: 'gpt-4.1-mini',
  },
  TRANSLATION_CHARACTERS_PER_DAY: {
    group: 'Packages',
    about: 'The most characters sent to it per day (UTC), including failed attempts.',
    takes: 'a number',
    schema: z.coerce.number().int().min(0).max(1_000_000_000),
    fallback: '500000',
  },
} as const satisfies Record<string, Setting>
