import { type KeyboardEvent, type SubmitEvent, useMemo, useRef, useState } from 'react'
import { useTranslation } from '#app/i18n/texts.tsx'
import { useErrorText } from '#app/ui/error-text.ts'
import { createCommandHistory } from './command-history.ts'
import type { CommandOutcome } from './console-socket.ts'
import classes from './console.module.css'

type Props = {
  serverId: string
  /** Why nothing can be typed now; null = it can. */
  closedBecause: string | null
  send: (command: string) => Promise<CommandOutcome>
}

function openStorage(): Storage | null {
  try {
    return window.localStorage
  } catch {
    return null // forbidden by the browser's settings
  }
}

/** Where commands are typed. ↑ and ↓ bring back earlier ones. */
export function ConsoleInput({ serverId, closedBecause, send }: Props) {
  const { t } = useTranslation()
  const history = useMemo(
    () => createCommandHistory(serverId, typeof window === 'undefined' ? null : openStorage()),
    [serverId],
  )
  const inputRef = useRef<HTMLInputElement>(null)
  const [command, setCommand] = useState('')
  const [failure, setFailure] = useState<{ command: string; code: string } | null>(null)

  const submit = async (event: SubmitEvent) => {
    event.preventDefault()
    const typed = command.trim().replace(/^\//, '')
    if (typed === '' || closedBecause !== null) return
    history.add(typed)
    setCommand('')
    setFailure(null)
    const { error } = await send(typed)
    if (error === null) return
    setFailure({ command: typed, code: error })
    // What was not sent is not lost, unless something new is being typed.
    if (error !== 'console_connection_lost') setCommand((now) => (now === '' ? typed : now))
  }
  const browse = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.key !== 'ArrowUp' && event.key !== 'ArrowDown') return
    event.preventDefault()
    const found = event.key === 'ArrowUp' ? history.older(command) : history.newer()
    if (found === null) return
    setCommand(found)
    requestAnimationFrame(() => inputRef.current?.setSelectionRange(found.length, found.length))
  }
  return (
    <div>
      {failure !== null && <CommandFailure {...failure} />}
      <form className={classes.prompt} onSubmit={submit} data-closed={closedBecause !== null || undefined}>
        <span className={classes.caret} aria-hidden>
          ❯
        </span>
        <input
          ref={inputRef}
          className={classes.input}
          value={command}
          maxLength={1000}
          disabled={closedBecause !== null}
          placeholder={closedBecause ?? t('console.commandPlaceholder')}
          aria-label={t('console.command')}
          autoCapitalize="off"
          autoComplete="off"
          autoCorrect="off"
          spellCheck={false}
          enterKeyHint="send"
          onChange={(event) => {
            setCommand(event.currentTarget.value)
            history.rest()
          }}
          onKeyDown={browse}
        />
      </form>
    </div>
  )
}

/** What became of a command that was not carried out, or may not have been. */
function CommandFailure({ command, code }: { command: string; code: string }) {
  const { t } = useTranslation()
  const { text } = useErrorText(code)
  return (
    <p className={classes.failure} role="alert">
      <code>{command}</code>{' '}
      {code === 'console_not_connected'
        ? t('console.failure.notConnected')
        : code === 'console_connection_lost'
          ? t('console.failure.connectionLost')
          : t('console.failure.refused', { reason: text })}
    </p>
  )
}
