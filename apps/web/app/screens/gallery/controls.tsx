import { Checkbox, NativeSelect, PasswordInput, TextInput } from '@mantine/core'
import { IconPlayerPlayFilled, IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { Button, type ButtonLook, LinkButton } from '#app/ui/button.tsx'
import { ConfirmByTyping } from '#app/ui/confirm-by-typing.tsx'
import { Segmented } from '#app/ui/segmented.tsx'
import { Stepper } from '#app/ui/stepper.tsx'
import { SegmentedLinks } from '#app/ui/segmented-links.tsx'
import classes from './gallery.module.css'
import { Specimen } from './specimen.tsx'

const looks: ButtonLook[] = ['primary', 'secondary', 'quiet', 'danger']
const words = {
  start: 'Start',
  newServer: 'New server',
  link: 'See plans',
  why: 'The server is already running.',
  name: 'Server name',
  hint: '3–32 characters',
  wrong: 'This name is taken.',
  typed: 'misty-allay',
  password: 'Password',
  accept: 'I accept the terms',
  engine: 'Engine',
  currency: 'Currency',
  list: 'List',
  memory: 'Memory',
  deleteTitle: 'Delete misty-allay?',
  deleteText: 'The world, 8.4 GiB, and 9 backups of it will be lost.',
  deleteAction: 'Delete for ever',
}

export function Buttons() {
  return (
    <>
      {looks.map((look) => (
        <Specimen key={look} name={look}>
          <div className={classes['row']}>
            <Button look={look}>{words.start}</Button>
            <Button look={look} icon={<IconPlayerPlayFilled />}>
              {words.start}
            </Button>
            <Button look={look} why={words.why}>
              {words.start}
            </Button>
            <Button look={look} loading>
              {words.start}
            </Button>
          </div>
        </Specimen>
      ))}
      <Specimen name="small, normal, large">
        <div className={classes['row']}>
          <Button size="small">{words.start}</Button>
          <Button>{words.start}</Button>
          <Button size="large">{words.start}</Button>
        </div>
      </Specimen>
      <Specimen name="links">
        <div className={classes['row']}>
          <LinkButton look="primary" to="?" icon={<IconPlus />}>
            {words.newServer}
          </LinkButton>
          <LinkButton to="?">{words.link}</LinkButton>
        </div>
      </Specimen>
      <Specimen name="whole width" wide>
        <Button look="primary" fullWidth>
          {words.newServer}
        </Button>
      </Specimen>
    </>
  )
}

export function Choices() {
  const [currency, setCurrency] = useState<'PLN' | 'EUR' | 'USD'>('PLN')
  const [memory, setMemory] = useState(4)
  return (
    <>
      <Specimen name="segmented">
        <Segmented
          label={words.currency}
          value={currency}
          onChange={setCurrency}
          options={[
            { value: 'PLN', label: 'PLN' },
            { value: 'EUR', label: 'EUR' },
            { value: 'USD', label: 'USD', disabled: true },
          ]}
        />
      </Specimen>
      <Specimen name="stepper">
        <Stepper label={words.memory} values={[2, 4, 8, 16]} value={memory} unit="GiB" onChange={setMemory} />
      </Specimen>
      <Specimen name="stepper, at its end">
        <Stepper label={words.memory} values={[2, 4]} value={2} onChange={setMemory} />
      </Specimen>
      <Specimen name="segmented, in the address">
        <SegmentedLinks
          label={words.list}
          options={[
            { to: '?', label: 'Transactions', active: true },
            { to: '?list=payments', label: 'Payments', active: false },
          ]}
        />
      </Specimen>
    </>
  )
}

export function Fields() {
  return (
    <>
      <Specimen name="empty">
        <TextInput label={words.name} description={words.hint} placeholder={words.typed} />
      </Specimen>
      <Specimen name="filled">
        <TextInput label={words.name} description={words.hint} defaultValue={words.typed} />
      </Specimen>
      <Specimen name="wrong">
        <TextInput label={words.name} defaultValue={words.typed} error={words.wrong} />
      </Specimen>
      <Specimen name="disabled">
        <TextInput label={words.name} defaultValue={words.typed} disabled />
      </Specimen>
      <Specimen name="password">
        <PasswordInput label={words.password} defaultValue={words.typed} />
      </Specimen>
      <Specimen name="one of several">
        <NativeSelect label={words.engine} data={['Paper', 'Vanilla', 'flying-squid']} />
      </Specimen>
      <Specimen name="checkbox">
        <Checkbox label={words.accept} />
      </Specimen>
      <Specimen name="checked">
        <Checkbox label={words.accept} defaultChecked />
      </Specimen>
      <Specimen name="not accepted">
        <Checkbox label={words.accept} error={words.wrong} />
      </Specimen>
    </>
  )
}

export function Dialogs() {
  const [opened, setOpened] = useState(false)
  return (
    <Specimen name="confirm by typing">
      <Button look="danger" onClick={() => setOpened(true)} data-opens="dialog">
        {words.deleteAction}
      </Button>
      <ConfirmByTyping
        opened={opened}
        onClose={() => setOpened(false)}
        title={words.deleteTitle}
        text={words.deleteText}
        name={words.typed}
        action={words.deleteAction}
        onConfirm={() => Promise.reject('internal_error')}
      />
    </Specimen>
  )
}
