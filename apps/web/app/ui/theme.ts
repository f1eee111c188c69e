import { createTheme, type MantineColorsTuple } from '@mantine/core'

// Mantine wants ten shades; what is seen comes from `tokens.css`, which both themes override.
const lantern: MantineColorsTuple = [
  '#fff6e0',
  '#ffeac0',
  '#ffdd98',
  '#fbcb68',
  '#f7bf4f',
  '#f5b942',
  '#efaa28',
  '#d8910f',
  '#b8780a',
  '#8a5900',
]

type RoomForMenu = { availableHeight: number; elements: { floating: HTMLElement } }

/** Components are named by text: importing them here would put them on every page. */
export const theme = createTheme({
  primaryColor: 'lantern',
  primaryShade: { light: 6, dark: 5 },
  colors: { lantern },
  black: '#1d1503',
  autoContrast: true,
  defaultRadius: 8,
  cursorType: 'pointer',
  respectReducedMotion: true,
  fontFamily: 'var(--font-ui)',
  fontFamilyMonospace: 'var(--font-mono)',
  headings: { fontFamily: 'var(--font-ui)' },
  components: {
    Loader: { defaultProps: { type: 'dots' } },
    Modal: { defaultProps: { centered: true, radius: 12 } },
    // Their <header> would pass for a second header of the page.
    ModalHeader: { defaultProps: { role: 'presentation' } },
    DrawerHeader: { defaultProps: { role: 'presentation' } },
    Menu: {
      defaultProps: {
        shadow: 'none',
        transitionProps: { duration: 120 },
        // Menus without enough room scroll; on phones all of them are bottom sheets (`mantine.css`).
        middlewares: {
          flip: { fallbackStrategy: 'bestFit', padding: 8 },
          size: {
            padding: 8,
            apply: ({ availableHeight, elements }: RoomForMenu) => {
              elements.floating.style.maxHeight = `${Math.max(120, Math.floor(availableHeight))}px`
            },
          },
        },
      },
    },
    Tooltip: { defaultProps: { withArrow: true, multiline: true, events: { hover: true, focus: true, touch: true } } },
  },
})
