import { useQuery } from '@tanstack/react-query'
import type { FileTree, FileTreeNode } from '@wakestone/contract/servers/file-tree'
import { getFileTree } from '@wakestone/contract/servers/files-routes'
import { type ReactNode, useState } from 'react'
import { api } from '#app/api/client.ts'
import { transportQuery } from '#app/api/query-of.ts'
import { useTranslation } from '#app/i18n/texts.tsx'
import { useFormat } from '#app/i18n/use-format.ts'
import { Button } from '#app/ui/button.tsx'
import { ErrorState } from '#app/ui/error-state.tsx'
import { errorBodyOf } from '#app/ui/error-text.ts'
import { Skeleton } from '#app/ui/skeleton.tsx'
import { useFiles } from '../use-files.ts'
import classes from './data-view.module.css'
import { OtherFile } from './other-file.tsx'

/** Rows of a table that are told at a time. */
const rowsTold = 100
/** Of a list that is unfolded so many are shown at first: it may hold thousands. */
const firstShown = 200

type Part = { chunk?: string; table?: string; from?: number }
type FileProps = { path: string; revision: string }

/** SQL's word for it, in every language. */
const nothing = 'NULL'

/** `revision` has a file that was changed asked for anew. */
function useTree({ path, revision }: FileProps, part: Part, enabled = true) {
  const { serverId } = useFiles()
  const params = { id: serverId }
  const key = { params, query: { path, revision, ...part } }
  const read = () => api(getFileTree, { params, query: { path, ...part } })
  return useQuery(
    transportQuery(getFileTree, key, { read, staleTime: Infinity, gcTime: 60_000, retry: false, enabled }),
  )
}

/** What a file of data holds, to look at: NBT, the chunks of a region, the tables of a database. */
export default function DataView(file: FileProps) {
  const { data, error, refetch } = useTree(file, {})
  const code = error === null ? undefined : errorBodyOf(error)?.error
  if (code === 'invalid_file' || code === 'file_is_too_large') return <OtherFile path={file.path} />
  if (error !== null) return <ErrorState error={error} onRetry={() => void refetch()} />
  return (
    <div className={classes['view']}>
      {data === undefined ? <Skeleton height="56vh" /> : <Told file={file} tree={data} />}
    </div>
  )
}

function Told({ file, tree }: { file: FileProps; tree: FileTree }) {
  const { t } = useTranslation()
  switch (tree.kind) {
    case 'nbt':
      return <Nbt tree={tree} />
    case 'region':
      return <Chunks file={file} tree={tree} />
    case 'tables':
      return tree.tables.length === 0 ? (
        <p className={classes['note']}>{t('files.data.noTables')}</p>
      ) : (
        <ul className={classes['list']}>
          {tree.tables.map(({ name, rows }) => (
            <Fold key={name} name={name} beside={t('files.data.rows', { count: rows })}>
              {() => <Rows file={file} table={name} total={rows} />}
            </Fold>
          ))}
        </ul>
      )
    case 'rows':
      return null
  }
}

function Nbt({ tree: { root, truncated } }: { tree: Extract<FileTree, { kind: 'nbt' }> }) {
  const { t } = useTranslation()
  return (
    <>
      <ul className={classes['list']}>
        {(root.nodes ?? []).map((node, index) => (
          <Node key={`${node.name}-${index}`} node={node} index={index} />
        ))}
      </ul>
      {truncated && <p className={classes['note']}>{t('files.data.truncated')}</p>}
    </>
  )
}

function Node({ node: { name, type, value, size, nodes }, index }: { node: FileTreeNode; index: number }) {
  const { t } = useTranslation()
  const label = name === '' ? `[${index}]` : name
  if (nodes !== undefined)
    return (
      <Fold name={label} beside={t('files.data.entries', { count: size ?? nodes.length })}>
        {() => <Some nodes={nodes} />}
      </Fold>
    )
  if (type.endsWith('Array'))
    return (
      <Fold name={label} beside={t('files.data.entries', { count: size ?? 0 })}>
        {() => <code className={classes['numbers']}>{value}</code>}
      </Fold>
    )
  return (
    <li className={classes['value']}>
      <span>{label}</span>
      <code data-type={type}>{value}</code>
    </li>
  )
}

function Some({ nodes }: { nodes: readonly FileTreeNode[] }) {
  const { t } = useTranslation()
  const [most, setMost] = useState(firstShown)
  return (
    <ul className={classes['list']}>
      {nodes.slice(0, most).map((node, index) => (
        <Node key={`${node.name}-${index}`} node={node} index={index} />
      ))}
      {nodes.length > most && (
        <li>
          <Button size="small" look="quiet" onClick={() => setMost(most + 5 * firstShown)}>
            {t('files.data.more')}
          </Button>
        </li>
      )}
    </ul>
  )
}

/** What is in it is made when it is first unfolded. */
function Fold({ name, beside, children }: { name: string; beside: string; children: () => ReactNode }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <li>
      <details onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary>
          <span>{name}</span> <span className={classes['muted']}>{beside}</span>
        </summary>
        {isOpen && children()}
      </details>
    </li>
  )
}

function Chunks({ file, tree: { chunks, damaged } }: { file: FileProps; tree: Extract<FileTree, { kind: 'region' }> }) {
  const { t } = useTranslation()
  const format = useFormat()
  return (
    <>
      <p className={classes['note']}>
        {t('files.data.chunks', { count: chunks.length })}{' '}
        {damaged.length > 0 && t('files.data.damaged', { count: damaged.length })}
      </p>
      <ul className={classes['list']}>
        {chunks.map(({ x, z, bytes, written_at }) => (
          <Fold
            key={`${x},${z}`}
            name={t('files.data.chunk', { x, z })}
            beside={[format.bytes(bytes), written_at === null ? '' : format.dateTime(written_at)]
              .filter(Boolean)
              .join(' · ')}
          >
            {() => <Chunk file={file} chunk={`${x},${z}`} />}
          </Fold>
        ))}
      </ul>
    </>
  )
}

function Chunk({ file, chunk }: { file: FileProps; chunk: string }) {
  const { data, error, refetch } = useTree(file, { chunk })
  if (error !== null) return <ErrorState error={error} onRetry={() => void refetch()} />
  return data?.kind === 'nbt' ? <Nbt tree={data} /> : <Skeleton height={120} />
}

function Rows({ file, table, total }: { file: FileProps; table: string; total: number }) {
  const { t } = useTranslation()
  const [from, setFrom] = useState(0)
  const { data, error, refetch } = useTree(file, { table, from })
  if (error !== null) return <ErrorState error={error} onRetry={() => void refetch()} />
  if (data?.kind !== 'rows') return <Skeleton height={200} />
  const last = Math.min(total, from + rowsTold)
  return (
    <>
      <div className={classes['table']} role="region" aria-label={table} tabIndex={0}>
        <table>
          <thead>
            <tr>
              {data.columns.map((column) => (
                <th key={column} scope="col">
                  {column}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {data.rows.map((row, index) => (
              // oxlint-disable-next-line react/no-array-index-key -- rows have no other name
              <tr key={from + index}>
                {row.map((cell, column) => (
                  // oxlint-disable-next-line react/no-array-index-key -- columns stay in their order
                  <td key={column}>{cell ?? <i>{nothing}</i>}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {total > rowsTold && (
        <p className={classes['pager']}>
          <Button size="small" disabled={from === 0} onClick={() => setFrom(Math.max(0, from - rowsTold))}>
            {t('files.data.before')}
          </Button>
          <span>{t('files.data.shown', { from: from + 1, to: last, count: total })}</span>
          <Button size="small" disabled={last >= total} onClick={() => setFrom(from + rowsTold)}>
            {t('files.data.after')}
          </Button>
        </p>
      )}
    </>
  )
}
