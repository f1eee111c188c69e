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
  TRANSLATION_URL: {
    group: 'Packages',
    about:
      'A service that speaks OpenAI’s chat completions, before `/chat/completions`: it puts descriptions of projects into languages that their authors left empty. Unset: nothing is translated. Descriptions of public projects are sent there.',
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
    about: 'Which of its models translates.',
    takes: 'text',
    schema: text,
    fallback: 'gpt-4.1-mini',
  },
  TRANSLATION_CHARACTERS_PER_DAY: {
    group: 'Packages',
    about: 'Most characters that are sent to it on a day (UTC), tries that fail among them.',
    takes: 'a number',
    schema: z.coerce.number().int().min(0).max(1_000_000_000),
    fallback: '500000',
  },
} as const satisfies Record<string, Setting>
