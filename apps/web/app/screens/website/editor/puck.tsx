/** What of Puck the editor uses: its state with undo, and the canvas on which blocks are dragged. */
import { type ComponentData, type Config, createUsePuck, type Data } from '@puckeditor/core'
import { createContext, type ReactNode, use } from 'react'
import { type Block, type BlockType, blockTypes, type WebsiteTheme } from '@wakestone/contract/websites/content'
import { type Setting, showBlock } from '@wakestone/websites/blocks'
import { styles } from '@wakestone/websites/styles'
import { themeVariables } from '@wakestone/websites/theme'
import type { Translate } from '#app/i18n/create-i18n.ts'
import { newProps } from './field-specs.ts'

/** Of Puck’s one list of blocks: there are none within others. */
export const rootZone = 'root:default-zone'
export const usePuckState = createUsePuck()

export const toPuck = (blocks: readonly Block[]): Data => ({
  root: { props: {} },
  content: blocks.map(({ id, type, props }) => ({ type, props: { ...props, id } })),
})

export function fromPuck({ content }: Data): Block[] {
  return content.map(blockFrom)
}

export function blockFrom({ type, props: { id, ...props } }: ComponentData): Block {
  return { id, type, props } as unknown as Block
}

/** What blocks in the canvas are shown with: it changes without the blocks changing. */
export const CanvasContext = createContext<{ setting: Setting; theme: WebsiteTheme } | null>(null)

function useCanvas() {
  const canvas = use(CanvasContext)
  if (canvas === null) throw new Error('no canvas')
  return canvas
}

function ShownBlock({ block }: { block: Block }) {
  return <>{showBlock(useCanvas().setting, block)}</>
}

/**
 * Between the page and its blocks lies the library's zone: the blocks keep their distance within it. A card that lies over
 * the landscape above it is part of its own block here, so that the frame of neither goes through it.
 */
const zoneStyles = `
.ws-main>[data-puck-dropzone]{padding:0}
.ws-main>[data-puck-dropzone]>*{padding:var(--gap) var(--edge)}
.ws-main>[data-puck-dropzone]>:has(>.ws-scenic){padding:0}
.ws-main>[data-puck-dropzone]>:nth-child(odd):not(:first-child){background:var(--band)}
.ws-main>[data-puck-dropzone]>:has(>.ws-scenic):has(+*>.ws-join){display:flow-root}
.ws-main>[data-puck-dropzone]>:has(+*>.ws-join)>.ws-scenic{margin-bottom:-2.25rem}
.ws-main>[data-puck-dropzone]>:has(>.ws-scenic)+:has(>.ws-join) .ws-status{margin-top:0}
`

function ShownPage({ children }: { children: ReactNode }) {
  const { theme } = useCanvas()
  return (
    // Whoever edits goes nowhere: links are what they will be, but do not lead away.
    <div
      className="ws-site"
      style={themeVariables(theme) as React.CSSProperties}
      onClickCapture={(event) => {
        if (event.target instanceof Element && event.target.closest('a,button') !== null) event.preventDefault()
      }}
    >
      <style>{styles + zoneStyles}</style>
      <div className="ws-main">{children}</div>
    </div>
  )
}

/** @param server what new blocks are about, where there is but one. */
export function createConfig(t: Translate, server: string): Config {
  const propsOf = (type: BlockType) => {
    const props = newProps[type]()
    return 'server' in props ? { ...props, server } : props
  }
  const component = (type: BlockType) => ({
    label: t(`websites.blocks.${type}`),
    defaultProps: propsOf(type),
    fields: {},
    render: ({ id, puck: _puck, editMode: _editMode, ...props }: Record<string, unknown>) => (
      <ShownBlock block={{ id, type, props } as unknown as Block} />
    ),
  })
  return {
    root: { fields: {}, render: ({ children }: { children: ReactNode }) => <ShownPage>{children}</ShownPage> },
    components: Object.fromEntries(blockTypes.map((type) => [type, component(type)])),
  } as Config
}
