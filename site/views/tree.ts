import { type ComponentChildren, Fragment, type FunctionComponent, toChildArray, type VNode } from 'preact'
import type { Tree } from '../../api/views/define-view.ts'

/**
 * Parts of pages as a tree for the frame that shows them in another program: elements, attributes and texts, with components
 * rendered, which pages may as they have no state.
 */
function treeOf(children: ComponentChildren): (Tree | string)[] {
  return toChildArray(children).flatMap((child) => {
    if (typeof child !== 'object') return [String(child)]
    const { type, props } = child as VNode<{ children?: ComponentChildren }>
    if (type === Fragment) return treeOf(props.children)
    if (typeof type === 'function') return treeOf((type as FunctionComponent<object>)(props))
    return [[type, attributesOf(props), ...treeOf(props.children)] satisfies Tree]
  })
}

const attributesOf = (props: object): Tree[1] =>
  Object.fromEntries(
    Object.entries(props).flatMap(([name, value]) =>
      name === 'children' || value === undefined || value === null || value === false
        ? []
        : [[name, value === true ? '' : String(value)]],
    ),
  )

/** A picture, which is made of elements alone. */
export const pictureOf = (children: ComponentChildren): Tree[] =>
  treeOf(children).filter((part) => typeof part !== 'string')
