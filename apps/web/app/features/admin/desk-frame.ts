import { IconArrowLeft, IconLifebuoy } from '@tabler/icons-react'
import type { FrameContent, FrameHandle } from '#app/features/shell/nav.ts'
import { adminFrame } from './admin-frame.ts'

/** The sidebar of those who answer tickets: all of the administration only for who may open it. */
export const deskFrame = (data: { isAdmin: boolean }, tools: Parameters<FrameHandle['frame']>[1]): FrameContent => {
  if (data.isAdmin) return adminFrame(data as never, tools)
  const { t, path } = tools
  return {
    groups: [
      {
        items: [
          { to: path('/s'), label: t('shell.panel'), icon: IconArrowLeft, end: true },
          { to: path('/admin/tickets'), label: t('desk.title'), icon: IconLifebuoy },
        ],
      },
    ],
  }
}
