import { NativeSelect, Switch, TextInput } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { IconSearch } from '@tabler/icons-react'
import { changeServerProperties, getServerProperties } from '@wakestone/contract/servers/parameters-routes'
import {
  findPropertyFault,
  isKnownProperty,
  isRefusedProperty,
  knownPropertiesOf,
  kindOfProperty,
  type Properties,
} from '@wakestone/contract/servers/properties'
import { playerGameModes } from '@wakestone/contract/servers/players'
import type { Game, Server } from '@wakestone/contract/servers/server'
import { difficulties } from '@wakestone/contract/servers/worlds'
import { useEffect, useState } from 'react'
import { useSearchParams } from 'react-router'
import { api } from '#app/api/client.ts'
import { queryOf } from '#app/api/query-of.ts'
import { useTranslation } from '#app/i18n/texts.tsx'
import { Button } from '#app/ui/button.tsx'
import { Card } from '#app/ui/card.tsx'
import { ErrorNote } from '#app/ui/error-state.tsx'
import { Skeleton } from '#app/ui/skeleton.tsx'
import { WithdrawnNote } from '../withdrawn-note.tsx'
import classes from './settings.module.css'

const propertiesQuery = (id: string) =>
  queryOf(getServerProperties, { params: { id } }, { retry: false, refetchOnWindowFocus: false })

/** The settings of the game as a form that can be searched; what is not known is kept as text. */
export function PropertiesCard({ server }: { server: Server }) {
  const { t } = useTranslation()
  const isWithdrawn = server.withdrawn_at !== null
  const { data, error, refetch } = useQuery({ ...propertiesQuery(server.id), enabled: !isWithdrawn })
  return (
    <Card title={t('settings.game')}>
      {isWithdrawn ? (
        <WithdrawnNote className={classes['text']} />
      ) : data !== undefined ? (
        <PropertiesForm server={server} shown={data} />
      ) : error === null ? (
        <Skeleton height={240} />
      ) : (
        <>
          <ErrorNote error={error} />
          <Button onClick={() => void refetch()}>{t('error.retry')}</Button>
        </>
      )}
    </Card>
  )
}

function PropertiesForm({ server, shown }: { server: Server; shown: Properties }) {
  const { t } = useTranslation()
  const queries = useQueryClient()
  // The command palette leads to one of them.
  const asked = useSearchParams()[0].get('setting') ?? ''
  const [search, setSearch] = useState(asked)
  useEffect(() => setSearch(asked), [asked])
  const [changed, setChanged] = useState<Record<string, string>>({})
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<unknown>(undefined)
  const [isDone, setDone] = useState(false)
  const stored = new Map(shown.properties.map(({ key, value }) => [key, value]))
  const { game } = server.parameters
  const known = knownPropertiesOf(game).filter((key) => stored.has(key))
  const others = [...stored.keys()].filter((key) => !isKnownProperty(key, game)).toSorted()
  const wanted = search.trim().toLowerCase()
  const found = [...known, ...others].filter((key) => {
    const words = isKnownProperty(key, game)
      ? `${key} ${t(`properties.${key}.name`)} ${t(`properties.${key}.text`)}`
      : key
    return words.toLowerCase().includes(wanted)
  })
  const faults = Object.entries(changed).filter(([key, value]) => faultOf(key, value, shown, game) !== undefined)
  const set = (key: string, value: string) => {
    setDone(false)
    setChanged((before) => {
      const next = Object.entries({ ...before, [key]: value }).filter(([name, one]) => one !== stored.get(name))
      return Object.fromEntries(next)
    })
  }
  const count = Object.keys(changed).length
  const save = async () => {
    setBusy(true)
    setFailure(undefined)
    try {
      const answer = await api(changeServerProperties, { params: { id: server.id }, body: { values: changed } })
      queries.setQueryData(propertiesQuery(server.id).queryKey, answer)
      setChanged({})
      setDone(true)
    } catch (error) {
      setFailure(error)
    } finally {
      setBusy(false)
    }
  }
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        if (count > 0 && faults.length === 0) void save()
      }}
    >
      <p className={classes['text']}>{t('settings.gameHint')}</p>
      <TextInput
        className={classes['search']}
        type="search"
        aria-label={t('settings.search')}
        placeholder={t('settings.search')}
        leftSection={<IconSearch size={18} aria-hidden />}
        value={search}
        onChange={(event) => setSearch(event.currentTarget.value)}
      />
      {found.length === 0 && (
        <p className={classes['text']}>{t(stored.size === 0 ? 'settings.noFile' : 'settings.notFound')}</p>
      )}
      <ul className={classes['properties']}>
        {found.map((key) => (
          <Row
            key={key}
            name={key}
            value={changed[key] ?? stored.get(key) ?? ''}
            shown={shown}
            game={game}
            onChange={set}
          />
        ))}
      </ul>
      {failure !== undefined && <ErrorNote error={failure} />}
      <div className={classes['actions']}>
        <Button
          type="submit"
          look="primary"
          loading={busy}
          why={count === 0 ? t('settings.unchanged') : faults.length > 0 ? t('settings.faulty') : undefined}
        >
          {count === 0 ? t('settings.save') : t('settings.saveGame', { count })}
        </Button>
        <span aria-live="polite" className={classes['done']}>
          {isDone && t(shown.needs_restart ? 'settings.savedRestart' : 'settings.saved')}
        </span>
      </div>
    </form>
  )
}

function faultOf(key: string, value: string, { most_players }: Properties, game: Game) {
  const fault = findPropertyFault(key, value, game)
  if (fault !== undefined || key !== 'max-players' || most_players === null) return fault
  return Number(value) > most_players ? 'number' : undefined
}

type RowProps = {
  name: string
  value: string
  shown: Properties
  game: Game
  onChange: (key: string, value: string) => void
}

function Row(props: RowProps) {
  const { name, value, game, onChange } = props
  const { t } = useTranslation()
  const isOurs = isRefusedProperty(name)
  const isKnown = isKnownProperty(name, game)
  const label = isKnown ? t(`properties.${name}.name`) : name
  return (
    <li>
      <div className={classes['about']}>
        <strong>{label}</strong>
        {isKnown && <small>{t(`properties.${name}.text`)}</small>}
        {isKnown && <code>{name}</code>}
        {name === 'online-mode' && value === 'false' && (
          <span className={classes['warning']}>{t('settings.offlineWarning')}</span>
        )}
      </div>
      {!isOurs &&
        (isKnown ? (
          <KnownInput {...props} label={label} />
        ) : (
          <TextInput aria-label={name} value={value} onChange={(event) => onChange(name, event.currentTarget.value)} />
        ))}
    </li>
  )
}

/** What a value is called in the game, in the visitor's language; as it stands in the file where that is not known. */
function valueName(t: ReturnType<typeof useTranslation>['t'], name: string, value: string): string {
  const mode = name === 'gamemode' && playerGameModes.find((known) => known === value)
  const difficulty = name === 'difficulty' && difficulties.find((known) => known === value)
  return mode ? t(`players.modes.${mode}`) : difficulty ? t(`worlds.difficulty.${difficulty}`) : value
}

function KnownInput({ name, label, value, shown, game, onChange }: RowProps & { label: string }) {
  const { t } = useTranslation()
  const known = kindOfProperty(name, game) ?? { kind: 'text', max: 1000 }
  if (known.kind === 'flag')
    return (
      <Switch
        aria-label={label}
        label={t(value === 'true' ? 'settings.on' : 'settings.off')}
        checked={value === 'true'}
        onChange={(event) => onChange(name, String(event.currentTarget.checked))}
      />
    )
  if (known.kind === 'choice') {
    const values = known.of
    return (
      <NativeSelect
        aria-label={label}
        value={value}
        data={(values.includes(value) ? values : [value, ...values]).map((one) => ({
          value: one,
          label: valueName(t, name, one),
        }))}
        onChange={(event) => onChange(name, event.currentTarget.value)}
      />
    )
  }
  const most = known.kind === 'number' && name === 'max-players' ? (shown.most_players ?? known.max) : undefined
  const fault = faultOf(name, value, shown, game)
  return (
    <TextInput
      aria-label={label}
      value={value}
      {...(known.kind === 'number' && { inputMode: 'numeric' as const })}
      error={
        fault === undefined
          ? undefined
          : known.kind === 'number'
            ? t('settings.between', { min: known.min, max: most ?? known.max })
            : t('settings.tooLong')
      }
      onChange={(event) => onChange(name, event.currentTarget.value)}
    />
  )
}
