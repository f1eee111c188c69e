import { useElementSize } from '@mantine/hooks'
import { type Config, Puck } from '@puckeditor/core'
import '@puckeditor/core/no-external.css'
import { useQuery } from '@tanstack/react-query'
import { IconArrowBackUp, IconArrowForwardUp, IconExternalLink } from '@tabler/icons-react'
import { useEffect, useMemo, useState } from 'react'
import type { Language } from '@wakestone/contract/values'
import type { Block, WebsiteContent } from '@wakestone/contract/websites/content'
import { findUnfinished } from '@wakestone/contract/websites/unfinished'
import type { CraftumParameters, WebsiteImage } from '@wakestone/contract/websites/website'
import type { Setting } from '@wakestone/websites/blocks'
import { words } from '@wakestone/websites/words'
import { panelState, publicStates } from '@wakestone/contract/states'
import { serversQuery } from '#app/api/queries.ts'
import { gameOrEngineVersion } from '#app/features/servers/server-names.ts'
import { useSignedInUser } from '#app/features/session/use-user.ts'
import { imagesQuery } from '#app/features/websites/website-queries.ts'
import { useTranslation } from '#app/i18n/texts.tsx'
import { Button } from '#app/ui/button.tsx'
import { ConfirmDialog } from '#app/ui/confirm-dialog.tsx'
import { ErrorNote } from '#app/ui/error-state.tsx'
import { Segmented } from '#app/ui/segmented.tsx'
import classes from './editor.module.css'
import { WritingContext, type Writing } from './field-input.tsx'
import { DomainPanel } from './domain-panel.tsx'
import { FieldsPanel } from './fields-panel.tsx'
import { ImagesContext } from './images.ts'
import { LookPanel } from './look-panel.tsx'
import { Outline } from './outline.tsx'
import { PagesPanel } from './pages-panel.tsx'
import { CanvasContext, createConfig, fromPuck, toPuck, usePuckState } from './puck.tsx'
import { type Draft, useDraft } from './use-draft.ts'
import { VersionsPanel } from './versions-panel.tsx'

const noFaults = new Map<string, string>()
const noImages: readonly WebsiteImage[] = []
const tabs = ['blocks', 'pages', 'look', 'address', 'versions'] as const
const widths = { phone: 390, tablet: 768, wide: 1200 } as const

/** Writes a website: blocks, pages, look and versions on one side, the page as it will be on the other. */
export default function WebsiteEditor({ website }: { website: CraftumParameters }) {
  const { t } = useTranslation()
  const user = useSignedInUser()
  const draft = useDraft(website)
  const { content } = draft
  const firstLanguage = content.languages[0] as Language
  const [chosenLanguage, setLanguage] = useState(firstLanguage)
  const language = content.languages.includes(chosenLanguage) ? chosenLanguage : firstLanguage
  const [pageIndex, setPage] = useState(0)
  const page = content.pages[pageIndex] ?? content.pages[0]
  const at = page === undefined ? 0 : content.pages.indexOf(page)
  const [tab, setTab] = useState<(typeof tabs)[number]>('blocks')
  const { data: allServers = [] } = useQuery(serversQuery(user.id))
  const servers = useMemo(
    () => allServers.filter(({ owner_id, deleted_at }) => owner_id === user.id && deleted_at === null),
    [allServers, user.id],
  )
  const { data: images = noImages } = useQuery(imagesQuery(website.craftum.id))
  const ofWebsite = useMemo(() => ({ websiteId: website.craftum.id, all: images }), [website.craftum.id, images])
  const onlyServer = servers.length === 1 ? (servers[0]?.id ?? '') : ''
  const config = useMemo(() => createConfig(t, onlyServer), [t, onlyServer])
  const { look } = content.theme
  const setting = useMemo<Setting>(
    () => ({
      language,
      look,
      firstLanguage,
      server: (id) => {
        const found = servers.find((server) => server.id === id)
        if (found === undefined) return undefined
        const { online, max, names } = found.status.players
        return {
          address: found.address,
          edition: found.parameters.game === 'minecraft-bedrock' ? 'bedrock' : 'java',
          state: publicStates[panelState(found.status)],
          version: gameOrEngineVersion(found),
          players: online,
          most: max ?? found.parameters.limits.players,
          names,
          map: `/mapview/${id}`,
          shop: `/shop/${id}`,
        }
      },
      picture: (name) => images.find((image) => image.name === name),
      html: () => undefined,
      page: (path) => path,
    }),
    [language, look, firstLanguage, servers, images],
  )
  const writing = useMemo<Writing>(
    () => ({ language, firstLanguage, servers, faults: noFaults }),
    [language, firstLanguage, servers],
  )
  if (page === undefined) return null
  const data = toPuck(page.blocks)
  return (
    <CanvasContext value={{ setting, theme: content.theme }}>
      <WritingContext value={writing}>
        <ImagesContext value={ofWebsite}>
          <Puck
            key={`${draft.epoch} ${at}`}
            config={config as Config}
            data={data}
            iframe={{ enabled: false }}
            onChange={(changed) => draft.setContent((old) => withBlocks(old, at, fromPuck(changed)))}
          >
            <Toolbar website={website} draft={draft} language={language} onLanguage={setLanguage} />
            <div className={classes['layout']}>
              <div className={classes['side']}>
                <Segmented
                  look="tabs"
                  label={t('websites.tabsLabel')}
                  value={tab}
                  onChange={setTab}
                  options={tabs.map((one) => ({ value: one, label: t(`websites.tabs.${one}`) }))}
                />
                {tab === 'blocks' && (
                  <>
                    <PageChoice content={content} at={at} language={language} onChange={setPage} />
                    <Outline />
                    <FieldsPanel />
                  </>
                )}
                {tab === 'pages' && <PagesPanel draft={draft} at={at} onPage={setPage} language={language} />}
                {tab === 'look' && <LookPanel draft={draft} />}
                {tab === 'address' && <DomainPanel website={website} />}
                {tab === 'versions' && <VersionsPanel website={website} draft={draft} />}
              </div>
              <Preview />
            </div>
          </Puck>
        </ImagesContext>
      </WritingContext>
    </CanvasContext>
  )
}

/** Only that page changes: whoever has not typed has nothing to save. */
function withBlocks(content: WebsiteContent, at: number, blocks: Block[]): WebsiteContent {
  const page = content.pages[at]
  if (page === undefined || JSON.stringify(page.blocks) === JSON.stringify(blocks)) return content
  return { ...content, pages: content.pages.with(at, { ...page, blocks }) }
}

function Toolbar({
  website,
  draft,
  language,
  onLanguage,
}: {
  website: CraftumParameters
  draft: Draft
  language: Language
  onLanguage: (language: Language) => void
}) {
  const { t } = useTranslation()
  const history = usePuckState((state) => state.history)
  const { craftum } = website
  const isOver = craftum.expires !== null && Date.parse(craftum.expires) <= Date.now()
  const fault = draft.isGood ? undefined : t('websites.faulty')
  const { save, publish } = draft
  const unfinished = useMemo(() => findUnfinished(draft.content), [draft.content])
  const [isAsking, setAsking] = useState(false)
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (!(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== 's') return
      event.preventDefault()
      if (draft.isDirty && draft.isGood && !save.isPending) save.mutate()
    }
    window.addEventListener('keydown', onKey)
    return () => window.removeEventListener('keydown', onKey)
  }, [draft.isDirty, draft.isGood, save])
  return (
    <div className={classes['toolbar']}>
      {draft.content.languages.length > 1 && (
        <Segmented
          label={t('websites.writingIn')}
          value={language}
          onChange={onLanguage}
          options={draft.content.languages.map((one) => ({ value: one, label: words[one].language }))}
        />
      )}
      <span className={classes['tools']}>
        <button
          type="button"
          className={classes['tool']}
          aria-label={t('websites.undo')}
          disabled={!history.hasPast}
          onClick={() => history.back()}
        >
          <IconArrowBackUp size={18} />
        </button>
        <button
          type="button"
          className={classes['tool']}
          aria-label={t('websites.redo')}
          disabled={!history.hasFuture}
          onClick={() => history.forward()}
        >
          <IconArrowForwardUp size={18} />
        </button>
      </span>
      <p role="status" className={classes['state']}>
        {publish.isSuccess && !draft.isDirty
          ? t('websites.published')
          : draft.isDirty
            ? t('websites.unsaved')
            : t('websites.saved')}
      </p>
      <span className={classes['ways']}>
        {craftum.online && (
          <a className={classes['visit']} href={craftum.address} target="_blank" rel="noopener">
            <span className={classes['visitText']}>{t('websites.visit')}</span>{' '}
            <IconExternalLink size={16} aria-hidden />
          </a>
        )}
        <Button
          loading={save.isPending}
          why={draft.isDirty ? fault : t('websites.nothingToSave')}
          onClick={() => save.mutate()}
        >
          {t('websites.save')}
        </Button>
        <Button
          look="primary"
          loading={publish.isPending}
          why={isOver ? t(craftum.withdrawn_at === null ? 'websites.expiredWhy' : 'websites.withdrawnWhy') : fault}
          onClick={() => (unfinished.length === 0 ? publish.mutate() : setAsking(true))}
        >
          {t('websites.publish')}
        </Button>
      </span>
      <ConfirmDialog
        opened={isAsking}
        onClose={() => setAsking(false)}
        title={t('websites.unfinished.title')}
        text={t('websites.unfinished.text')}
        action={t('websites.unfinished.publish')}
        keep={t('websites.unfinished.back')}
        look="primary"
        // What goes wrong is told beside the button that was pressed.
        onConfirm={async () => publish.mutate()}
      >
        <ul className={classes['unfinished']}>
          {unfinished.map(({ page, block, why }) => (
            <li key={`${page} ${block.id}`}>
              <strong>{t(`websites.blocks.${block.type}`)}</strong>
              {draft.content.pages.length > 1 && ` (${titleOf(draft.content, page, language)})`}
              {': '}
              {t(`websites.unfinished.why.${why}`)}
            </li>
          ))}
        </ul>
      </ConfirmDialog>
      {draft.isOutrun ? (
        <div className={classes['wide']}>
          <ErrorNote error={save.error ?? publish.error} title={t('websites.outrun')} />
          <Button size="small" loading={draft.reload.isPending} onClick={() => draft.reload.mutate()}>
            {t('websites.takeTheirs')}
          </Button>
        </div>
      ) : (
        (save.error ?? publish.error) !== null && (
          <div className={classes['wide']}>
            <ErrorNote error={save.error ?? publish.error} title={t('websites.saveFailed')} />
          </div>
        )
      )}
    </div>
  )
}

function titleOf({ pages, languages }: WebsiteContent, index: number, language: Language): string {
  const page = pages[index]
  return page?.title[language] || page?.title[languages[0] as Language] || `/${page?.slug ?? ''}`
}

function PageChoice({
  content,
  at,
  language,
  onChange,
}: {
  content: WebsiteContent
  at: number
  language: Language
  onChange: (index: number) => void
}) {
  const { t } = useTranslation()
  if (content.pages.length < 2) return null
  return (
    <label className={classes['adderLabel']}>
      <span>{t('websites.page')}</span>
      <select
        className={classes['select']}
        value={at}
        onChange={(event) => onChange(Number(event.currentTarget.value))}
      >
        {content.pages.map(({ slug }, index) => (
          <option key={slug} value={index}>
            {titleOf(content, index, language)}
          </option>
        ))}
      </select>
    </label>
  )
}

/** Nobody on a phone looks at a computer's page first. */
const widthHere = (): keyof typeof widths =>
  window.innerWidth < widths.tablet ? 'phone' : window.innerWidth < 1024 ? 'tablet' : 'wide'

function Preview() {
  const { t } = useTranslation()
  const [width, setWidth] = useState<keyof typeof widths>(widthHere)
  const { ref, width: room } = useElementSize()
  // The whole page, as wide as it is there: made smaller where there is less room, and then laid out the same.
  const scale = room === 0 ? 1 : Math.min(1, room / widths[width])
  return (
    <section className={classes['preview']} aria-label={t('websites.preview')}>
      <Segmented
        label={t('websites.previewWidth')}
        value={width}
        onChange={setWidth}
        options={(['phone', 'tablet', 'wide'] as const).map((one) => ({
          value: one,
          label: t(`websites.widths.${one}`),
        }))}
      />
      <div ref={ref} className={classes['frame']} data-width={width} style={{ maxWidth: widths[width] }}>
        <div className={classes['canvas']} style={{ width: widths[width], '--scale': scale } as React.CSSProperties}>
          <Puck.Preview />
        </div>
      </div>
    </section>
  )
}
