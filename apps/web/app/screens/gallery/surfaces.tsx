import { IconCircleCheck, IconCircleX, IconClock } from '@tabler/icons-react'
import { ApiError } from '@wakestone/contract/client'
import { Button, LinkButton } from '#app/ui/button.tsx'
import { Card } from '#app/ui/card.tsx'
import { EmptyState } from '#app/ui/empty-state.tsx'
import { ErrorNote, ErrorState } from '#app/ui/error-state.tsx'
import { KeyValueList } from '#app/ui/key-value-list.tsx'
import { OperationProgress } from '#app/ui/operation-progress.tsx'
import { PageHeader } from '#app/ui/page-header.tsx'
import { Skeleton, SkeletonText } from '#app/ui/skeleton.tsx'
import { StateBadge } from '#app/ui/state-badge.tsx'
import { StatusPage } from '#app/ui/status-page.tsx'
import classes from './gallery.module.css'
import { Specimen } from './specimen.tsx'

const failure = new ApiError(500, { error: 'internal_error', event_id: 'f212397c42d5' })
const words = {
  servers: 'Servers',
  text: 'What they do, where to join, how long they run.',
  create: 'Create a server',
  emptyTitle: 'No server yet',
  emptyText: 'Create one: it is ready in about two minutes.',
  installing: 'Installing the game',
  item: 'paper-1.21.4-build-232.jar',
  queued: 'Waiting for its turn',
  done: 'Done',
  card: 'Amethyst',
  beside: 'Renews automatically',
  arrived: '50,00 zł has arrived',
  arrivedText: 'It is in your wallet.',
  waiting: 'Waiting for your payment',
  failed: 'The payment failed',
  actionFailed: 'That did not work',
}
const facts = [
  { key: 'Engine', value: 'Paper 1.21.4' },
  { key: 'Location', value: 'Warsaw' },
  { key: 'A name with no end in sight', value: 'and-a-value-that-goes-on-and-on-and-on-without-a-space' },
]

export function Headers() {
  return (
    <>
      <Specimen name="title" wide>
        <PageHeader title={words.servers} />
      </Specimen>
      <Specimen name="with everything" wide>
        <PageHeader
          title={words.servers}
          text={words.text}
          beside={<StateBadge state="running" />}
          actions={<Button look="primary">{words.create}</Button>}
        />
      </Specimen>
    </>
  )
}

export function Cards() {
  return (
    <>
      <Specimen name="plain">
        <div className={classes['narrow']}>
          <Card>{words.text}</Card>
        </div>
      </Specimen>
      <Specimen name="with a head line">
        <div className={classes['narrow']}>
          <Card title={words.card} beside={words.beside}>
            <KeyValueList rows={facts} />
          </Card>
        </div>
      </Specimen>
    </>
  )
}

export function Empty() {
  const action = (
    <LinkButton look="primary" to="?">
      {words.create}
    </LinkButton>
  )
  return (
    <>
      <Specimen name="lantern, with the next step" wide>
        <EmptyState title={words.emptyTitle} text={words.emptyText} action={action} />
      </Specimen>
      <Specimen name="sheep" wide>
        <EmptyState title={words.emptyTitle} text={words.emptyText} figure="sheep" />
      </Specimen>
      <Specimen name="no figure" wide>
        <EmptyState title={words.emptyTitle} text={words.emptyText} figure="none" />
      </Specimen>
    </>
  )
}

export function Errors() {
  return (
    <>
      <Specimen name="in place of a list" wide>
        <ErrorState error={failure} onRetry={() => {}} />
      </Specimen>
      <Specimen name="no answer" wide>
        <ErrorState error={new TypeError()} />
      </Specimen>
      <Specimen name="within a form" wide>
        <ErrorNote error={failure} title={words.actionFailed} />
      </Specimen>
    </>
  )
}

export function Loading() {
  return (
    <>
      <Specimen name="skeleton of a line">
        <div className={classes['narrow']}>
          <Skeleton width={180} height={22} />
        </div>
      </Specimen>
      <Specimen name="skeleton of a text">
        <div className={classes['narrow']}>
          <SkeletonText lines={4} />
        </div>
      </Specimen>
      <Specimen name="long work, known" wide>
        <OperationProgress label={words.installing} detail={words.item} progress={0.42} />
      </Specimen>
      <Specimen name="long work, not known yet" wide>
        <OperationProgress label={words.queued} progress={null} />
      </Specimen>
      <Specimen name="long work, done" wide>
        <OperationProgress label={words.done} progress={1} />
      </Specimen>
    </>
  )
}

export function StatusPages() {
  return (
    <>
      <Specimen name="good" wide>
        <StatusPage tone="good" icon={<IconCircleCheck />} title={words.arrived} text={words.arrivedText}>
          <Button look="primary">{words.servers}</Button>
        </StatusPage>
      </Specimen>
      <Specimen name="busy" wide>
        <StatusPage icon={<IconClock />} title={words.waiting} busy />
      </Specimen>
      <Specimen name="bad" wide>
        <StatusPage tone="bad" icon={<IconCircleX />} title={words.failed} error={failure} />
      </Specimen>
    </>
  )
}
