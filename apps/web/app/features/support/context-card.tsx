import { Link } from 'react-router'
import { crashTags } from '@wakestone/contract/values'
import type { TicketContext } from '@wakestone/contract/accounts/support'
import { useProductName } from '#app/features/servers/use-product-name.ts'
import { useTranslation } from '#app/i18n/texts.tsx'
import { Card } from '#app/ui/card.tsx'
import { DateTime } from '#app/ui/date-time.tsx'
import { KeyValueList } from '#app/ui/key-value-list.tsx'
import { StateBadge } from '#app/ui/state-badge.tsx'
import classes from './tickets.module.css'

/** The server as it was when somebody wrote about it. */
export function ContextCard({ context }: { context: TicketContext }) {
  const { t } = useTranslation()
  const nameOf = useProductName()
  const { crash } = context
  const tag = crashTags.find((known) => known === crash?.tag) ?? 'unknown'
  return (
    <Card title={t('tickets.context')} beside={<Link to={`/s/${context.server_id}`}>{context.name}</Link>}>
      <KeyValueList
        rows={[
          { key: t('tickets.contextState'), value: <StateBadge state={context.state} size="small" /> },
          { key: t('tickets.contextEngine'), value: `${context.engine} ${context.engine_version}` },
          { key: t('tickets.contextPlan'), value: nameOf(context.product) },
          {
            key: t('tickets.contextCrash'),
            value:
              crash === null ? (
                t('tickets.contextNoCrash')
              ) : (
                <>
                  {t(`crash.about.${tag}`)} · <DateTime value={crash.at} />
                </>
              ),
          },
          { key: t('tickets.contextTaken'), value: <DateTime value={context.taken_at} /> },
        ]}
      />
      {context.lines.length === 0 ? (
        <p className={classes['hint']}>{t('tickets.contextNoLines')}</p>
      ) : (
        <details className={classes['log']}>
          <summary>{t('tickets.contextLines', { count: context.lines.length })}</summary>
          <p className={classes['hint']}>{t('tickets.contextBlotted')}</p>
          {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls has to be reached by keys */}
          <pre tabIndex={0} aria-label={t('tickets.contextLines', { count: context.lines.length })}>
            {context.lines.join('\n')}
          </pre>
        </details>
      )}
    </Card>
  )
}
