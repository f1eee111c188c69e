import { Address } from '#app/ui/address.tsx'
import { Brand } from '#app/ui/brand.tsx'
import { DateTime } from '#app/ui/date-time.tsx'
import { EventId } from '#app/ui/event-id.tsx'
import { Money, Price } from '#app/ui/money.tsx'
import { NamePixels } from '#app/ui/name-pixels.tsx'
import { Badge, type ShownState, StateBadge, stateLooks } from '#app/ui/state-badge.tsx'
import classes from './gallery.module.css'
import { Specimen } from './specimen.tsx'

const tokens = [
  'ground',
  'raised',
  'overlay',
  'sunken',
  'line',
  'control-line',
  'text',
  'muted',
  'lantern',
  'lantern-text',
  'moss',
  'dusk',
  'ember',
  'console',
  'lantern-soft',
  'moss-soft',
  'dusk-soft',
  'ember-soft',
]
const pln = (amount: number) => ({ amount, currency: 'PLN' })

export function Colours() {
  return (
    <div className={classes['swatches']}>
      {tokens.map((token) => (
        <div key={token}>
          <div className={classes['swatch']} style={{ background: `var(--${token})` }} />
          <div className={classes['name']}>{token}</div>
        </div>
      ))}
    </div>
  )
}

export function Type() {
  const words = 'Zażółć gęślą jaźń, größer 0123456789'
  return (
    <div className={classes['type']}>
      <h1>{words}</h1>
      <h2>{words}</h2>
      <h3>{words}</h3>
      <p>{words}</p>
      <p className="mono">{words}</p>
      <Brand />
    </div>
  )
}

export function States() {
  const states = Object.keys(stateLooks) as ShownState[]
  return (
    <>
      <Specimen name="normal" wide>
        <div className={classes['row']}>
          {states.map((state) => (
            <StateBadge key={state} state={state} />
          ))}
        </div>
      </Specimen>
      <Specimen name="small" wide>
        <div className={classes['row']}>
          {states.map((state) => (
            <StateBadge key={state} state={state} size="small" />
          ))}
          <Badge colour="dusk" shape="filled" size="small">
            {'ADMIN'}
          </Badge>
        </div>
      </Specimen>
    </>
  )
}

export function Amounts() {
  return (
    <>
      <Specimen name="amount">
        <Money value={pln(123_456)} />
      </Specimen>
      <Specimen name="signed, in">
        <Money value={pln(5000)} signed />
      </Specimen>
      <Specimen name="signed, out">
        <Money value={pln(-1844)} signed />
      </Specimen>
      <Specimen name="nothing">
        <Money value={{ amount: 0, currency: 'EUR' }} />
      </Specimen>
      <Specimen name="price">
        <Price gross={pln(1844)} tax={pln(345)} rate={0.23} />
      </Specimen>
      <Specimen name="price, large">
        <Price gross={pln(5534)} tax={pln(1035)} rate={0.23} size="large" />
      </Specimen>
    </>
  )
}

export function Addresses() {
  return (
    <>
      <Specimen name="in a list">
        <Address address="misty-allay.wakestone.gg" />
      </Specimen>
      <Specimen name="on its page">
        <Address address="misty-allay.wakestone.gg" size="large" />
      </Specimen>
      <Specimen name="long, in a narrow place">
        <div className={classes['narrow']}>
          <Address address="a-rather-long-name-for-a-server.wakestone.gg:25565" size="large" />
        </div>
      </Specimen>
    </>
  )
}

export function Facts() {
  return (
    <>
      <Specimen name="date and time">
        <DateTime value="2026-12-12T18:05:00Z" />
      </Specimen>
      <Specimen name="date">
        <DateTime value="2026-12-12T18:05:00Z" dateOnly />
      </Specimen>
      <Specimen name="event id">
        <EventId id="f212397c42d5" />
      </Specimen>
      <Specimen name="pixels of a name">
        <div className={classes['row']}>
          {['misty-allay', 'Zosia', 'kuba_07'].map((name) => (
            <NamePixels key={name} name={name} size={32} />
          ))}
        </div>
      </Specimen>
    </>
  )
}
