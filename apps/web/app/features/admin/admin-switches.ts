/**
 * Switches of the administrators' panel, kept in the browser. They change what is shown, never what may be done: the API
 * does not know of them.
 */
import { readCookie } from '#app/i18n/cookies.ts'

export const adminSwitches = ['debug', 'hiddenFolders', 'preview'] as const
export type AdminSwitch = (typeof adminSwitches)[number]
export type AdminSwitches = Readonly<Record<AdminSwitch, boolean>>

export const switchCookie = (name: AdminSwitch) => `ws_${name}`

export function readAdminSwitches(cookies: string | null): AdminSwitches {
  const isOn = (name: AdminSwitch) => readCookie(cookies, switchCookie(name)) === '1'
  return { debug: isOn('debug'), hiddenFolders: isOn('hiddenFolders'), preview: isOn('preview') }
}
