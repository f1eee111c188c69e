import { Children, cloneElement, isValidElement, type ReactNode } from 'react'
import { Scripts as useScripts } from 'react-router'

/**
 * The page's scripts, asked for after what is needed to see it: React puts their preloads before the style sheets, and
 * on a slow line each would take its share from them.
 */
export function LateScripts() {
  return <>{withLowPriority(useScripts({}))}</>
}

type Preload = { rel?: string; fetchPriority?: 'low'; children?: ReactNode }

function withLowPriority(node: ReactNode): ReactNode {
  return Children.map(node, (child) => {
    if (!isValidElement<Preload>(child)) return child
    if (child.props.rel === 'modulepreload') return cloneElement(child, { fetchPriority: 'low' })
    return child.type === 'script' || child.props.children === undefined
      ? child
      : cloneElement(child, undefined, withLowPriority(child.props.children))
  })
}
