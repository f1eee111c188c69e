import { Modal } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { IconLogout, IconMoon, IconPlus, IconServer, IconWallet } from '@tabler/icons-react'
import { useId, useState } from 'react'
import { useMantineColorScheme } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { serversQuery, walletsQuery } from '#app/api/queries.ts'
import { logOut } from '#app/features/session/log-out.ts'
import { useSignedInUser } from '#app/features/session/use-user.ts'
import { useLanguage, usePath } from '#app/i18n/use-format.ts'
import { NamePixels } from '#app/ui/name-pixels.tsx'
import classes from './command-palette.module.css'

type Command = { id: string; group: string; label: string; hint?: string; icon: React.ReactNode; run: () => void }

function useCommands(onClose: () => void): Command[] {
  const { t } = useTranslation()
  const path = usePath()
  const language = useLanguage()
  const navigate = useNavigate()
  const user = useSignedInUser()
  const { setColorScheme } = useMantineColorScheme()
  const { data: servers = [] } = useQuery(serversQuery(user.id))
  const { data: wallets = [] } = useQuery(walletsQuery(user.id))
  const go = (to: string) => () => {
    onClose()
    void navigate(to)
  }
  return [
    ...servers.map((server) => ({
      id: server.id,
      group: t('palette.servers'),
      label: server.name,
      hint: server.address,
      icon: <NamePixels name={server.id} size={20} />,
      run: go(`/s/${server.id}`),
    })),
    {
      id: 'servers',
      group: t('palette.screens'),
      label: t('shell.servers'),
      icon: <IconServer size={18} />,
      run: go(path('/s')),
    },
    {
      id: 'create',
      group: t('palette.screens'),
      label: t('shell.newServer'),
      icon: <IconPlus size={18} />,
      run: go(path('/create')),
    },
    ...wallets.flatMap((wallet) => [
      {
        id: wallet.id,
        group: t('palette.screens'),
        label: t('wallet.title', { currency: wallet.currency }),
        icon: <IconWallet size={18} />,
        run: go(path(`/wallets/${wallet.id}`)),
      },
      {
        id: `${wallet.id}/recharge`,
        group: t('palette.screens'),
        label: t('recharge.title'),
        hint: wallet.currency,
        icon: <IconWallet size={18} />,
        run: go(path(`/wallets/${wallet.id}/recharge`)),
      },
    ]),
    {
      id: 'theme',
      group: t('palette.actions'),
      label: t('shell.switchTheme'),
      icon: <IconMoon size={18} />,
      run: () => {
        onClose()
        setColorScheme(document.documentElement.dataset['mantineColorScheme'] === 'dark' ? 'light' : 'dark')
      },
    },
    {
      id: 'logout',
      group: t('palette.actions'),
      label: t('shell.logout'),
      icon: <IconLogout size={18} />,
      run: () => void logOut(language),
    },
  ]
}

const plain = (text: string) => text.toLowerCase().replaceAll('ł', 'l').normalize('NFD').replace(/\p{M}/gu, '')

/** Goes to any screen or server, or does something, from the keyboard. */
export default function CommandPalette({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation()
  const listId = useId()
  const [typed, setTyped] = useState('')
  const [chosen, setChosen] = useState(0)
  const commands = useCommands(onClose).filter((command) =>
    plain(`${command.label} ${command.hint ?? ''}`).includes(plain(typed.trim())),
  )
  const active = Math.min(chosen, commands.length - 1)
  const onKeyDown = (event: React.KeyboardEvent) => {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    if (step !== 0 && commands.length > 0) {
      event.preventDefault()
      setChosen((active + step + commands.length) % commands.length)
    }
    if (event.key === 'Enter') {
      event.preventDefault()
      commands[active]?.run()
    }
  }
  return (
    <Modal.Root opened onClose={onClose} padding={0} size={560} yOffset="12vh" centered={false}>
      <Modal.Overlay />
      <Modal.Content aria-label={t('palette.title')}>
        <input
          className={classes['input']}
          value={typed}
          placeholder={t('palette.placeholder')}
          aria-label={t('palette.title')}
          role="combobox"
          aria-expanded="true"
          aria-controls={listId}
          aria-activedescendant={commands[active] && `${listId}-${commands[active].id}`}
          autoComplete="off"
          data-autofocus
          onChange={(event) => {
            setTyped(event.currentTarget.value)
            setChosen(0)
          }}
          onKeyDown={onKeyDown}
        />
        <div id={listId} role="listbox" aria-label={t('palette.title')} className={classes['list']}>
          {commands.length === 0 && <p className={classes['nothing']}>{t('palette.nothing')}</p>}
          {commands.map((command, index) => (
            <div key={command.id}>
              {command.group !== commands[index - 1]?.group && (
                <div className={classes['group']} role="presentation">
                  {command.group}
                </div>
              )}
              <button
                type="button"
                id={`${listId}-${command.id}`}
                role="option"
                aria-selected={index === active}
                tabIndex={-1}
                className={classes['command']}
                onClick={command.run}
                onPointerMove={() => setChosen(index)}
              >
                {command.icon}
                <span>{command.label}</span>
                {command.hint !== undefined && <small>{command.hint}</small>}
              </button>
            </div>
          ))}
        </div>
      </Modal.Content>
    </Modal.Root>
  )
}
