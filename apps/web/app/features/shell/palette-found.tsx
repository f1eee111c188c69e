import { useDebouncedValue } from '@mantine/hooks'
import { IconAdjustments, IconFile, IconFolder, IconPackages, IconUser } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { canManageServer } from '@wakestone/contract/capabilities'
import { pathOf } from '@wakestone/contract/client'
import { searchProjects } from '@wakestone/contract/marketplace/projects-routes'
import type { SearchLine } from '@wakestone/contract/servers/file-values'
import { searchFiles } from '@wakestone/contract/servers/files-routes'
import { getPlayers } from '@wakestone/contract/servers/players-routes'
import { knownPropertiesOf } from '@wakestone/contract/servers/properties'
import type { Server } from '@wakestone/contract/servers/server'
import { useNavigate, useParams } from 'react-router'
import { serversQuery } from '#app/api/queries.ts'
import { queryOf, transportQuery } from '#app/api/query-of.ts'
import { readLines } from '#app/api/read-lines.ts'
import { isNamedBy } from '#app/features/servers/is-named-by.ts'
import { serverPath } from '#app/features/servers/server-names.ts'
import { useSignedInUser } from '#app/features/session/use-user.ts'
import { useTranslation } from '#app/i18n/texts.tsx'
import { useLanguage, usePath } from '#app/i18n/use-format.ts'
import { plainText } from '#app/ui/plain-text.ts'
import type { Command } from './palette-commands.tsx'

const waitMilliseconds = 250
const leastLetters = 2
const mostOfAKind = 6
const icon = { size: 18, 'aria-hidden': true } as const

/**
 * What the API finds for what was typed: players, settings and files of the server that is open (or of the only one), and
 * projects of the marketplace. As they come from a search, all of them fit.
 */
export function useFoundCommands(typed: string, close: () => void): Command[] {
  const { t } = useTranslation()
  const path = usePath()
  const navigate = useNavigate()
  const [settled] = useDebouncedValue(typed.trim(), waitMilliseconds)
  const wanted = settled.length < leastLetters ? '' : settled
  const server = useOpenServer()
  const players = useFoundPlayers(wanted, server)
  const files = useFoundFiles(wanted, server)
  const settings = useFoundSettings(wanted, server)
  const projects = useFoundProjects(wanted)
  const command = (
    group: Group,
    id: string,
    label: string,
    to: string,
    Icon: typeof IconFile,
    hint?: string,
  ): Command => ({
    id: `found/${group}/${id}`,
    group: t(`palette.${group}`),
    label,
    icon: <Icon {...icon} />,
    run: () => {
      close()
      void navigate(to)
    },
    ...(hint === undefined ? {} : { hint }),
  })
  const home = server === undefined ? '' : serverPath(server)
  return [
    ...players.map(({ id, name }) => command('players', id, name, `${home}/players/${id}`, IconUser, server?.name)),
    ...settings.map(({ key, label }) =>
      command(
        'settings',
        key,
        label,
        `${home}/settings?setting=${encodeURIComponent(key)}`,
        IconAdjustments,
        server?.name,
      ),
    ),
    ...files.map(([file, type]) =>
      type === 'folder'
        ? command('files', file, file, `${home}/files?path=${encodeURIComponent(file)}`, IconFolder, server?.name)
        : command('files', file, file, `${home}/files?file=${encodeURIComponent(file)}`, IconFile, server?.name),
    ),
    ...projects.map(({ slug, name, short_description }) =>
      command('projects', slug, name, path(`/m/${slug}`), IconPackages, short_description),
    ),
  ]
}

type Group = 'players' | 'settings' | 'files' | 'projects'

function useOpenServer(): Server | undefined {
  const user = useSignedInUser()
  const { identity } = useParams()
  const { data: servers = [] } = useQuery(serversQuery(user.id))
  return servers.find((server) => isNamedBy(server, identity)) ?? (servers.length === 1 ? servers[0] : undefined)
}

function useManages(server: Server | undefined): boolean {
  const user = useSignedInUser()
  return server !== undefined && canManageServer(user.user_capabilities, server.user_capabilities)
}

const contains = (text: string, wanted: string) => plainText(text).includes(plainText(wanted))

function useFoundPlayers(wanted: string, server: Server | undefined): { id: string; name: string }[] {
  const { data } = useQuery({
    ...queryOf(getPlayers, { params: { id: server?.id ?? '' } }, { staleTime: 30_000, retry: false }),
    enabled: wanted !== '' && server !== undefined,
  })
  if (wanted === '' || data === undefined) return []
  return data.known
    .flatMap(({ id, name }) => (id === null || name === null || !contains(name, wanted) ? [] : [{ id, name }]))
    .slice(0, mostOfAKind)
}

/** Those of the game, by what they are called here and in its file. */
function useFoundSettings(wanted: string, server: Server | undefined): { key: string; label: string }[] {
  const { t } = useTranslation()
  const manages = useManages(server)
  if (wanted === '' || server === undefined || !manages) return []
  return knownPropertiesOf(server.parameters.game)
    .map((key) => ({ key, label: t(`properties.${key}.name`) }))
    .filter(({ key, label }) => contains(`${key} ${label}`, wanted))
    .slice(0, mostOfAKind)
}

function useFoundFiles(wanted: string, server: Server | undefined): SearchLine[] {
  const manages = useManages(server)
  const params = { id: server?.id ?? '' }
  const query = { path: '', hidden: '0', name: wanted } as const
  const { data = [] } = useQuery({
    ...transportQuery(
      searchFiles,
      { params, query },
      {
        staleTime: 30_000,
        retry: false,
        read: () => readFirst(pathOf(searchFiles, { params, query })),
      },
    ),
    enabled: wanted !== '' && server !== undefined && manages,
  })
  return wanted === '' ? [] : data
}

async function readFirst(path: string): Promise<SearchLine[]> {
  const found: SearchLine[] = []
  for await (const lines of readLines<SearchLine>(path, new AbortController().signal)) {
    found.push(...lines)
    if (found.length >= mostOfAKind) break // which ends the search
  }
  return found.slice(0, mostOfAKind)
}

function useFoundProjects(wanted: string) {
  const language = useLanguage()
  const { data } = useQuery({
    ...queryOf(
      searchProjects,
      { query: { name: wanted, limit: mostOfAKind, language } },
      { staleTime: 30_000, retry: false },
    ),
    enabled: wanted !== '',
  })
  return wanted === '' ? [] : (data?.projects ?? [])
}
