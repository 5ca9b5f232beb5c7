/** A diff result as a tree, in which marks may still contain blocks. */

import { isBlock } from './html-elements.ts'
import type { TagSink } from './read-tags.ts'

/** A node of the result; `text` holds words and white space, `void` an element that is copied unchanged. */
export type Node =
  | { readonly kind: 'text'; html: string }
  | { readonly kind: 'void'; readonly name: string; readonly html: string }
  | Element

/** An element with its children. */
export interface Element {
  readonly kind: 'element'
  readonly name: string
  readonly html: string
  children: Node[]
  /** Whether it contains a block, at any depth. */
  hasBlock: boolean
}

/** An element without blocks. */
export function makeElement(name: string, html: string, children: Node[]): Element {
  return { kind: 'element', name, html, children, hasBlock: false }
}

/** Adds text to a list of nodes; adjacent texts are merged. */
export function addText(nodes: Node[], html: string): void {
  const last = nodes[nodes.length - 1]
  if (last?.kind === 'text') last.html += html
  else nodes.push({ kind: 'text', html })
}

/** Whether a node is or contains a block. */
export function isBlockNode(node: Node): boolean {
  return node.kind !== 'text' && ((node.kind === 'element' && node.hasBlock) || isBlock(node.name))
}

/** Builds the tree from tags. */
export class TreeBuilder implements TagSink {
  readonly #root = makeElement('', '', [])
  readonly #open: Element[] = []
  #last = this.#root

  get nodes(): Node[] {
    return this.#root.children
  }

  start(name: string, html: string): void {
    this.#open.push(this.#last)
    this.#last = makeElement(name, html, [])
  }

  end(): void {
    const ended = this.#last
    this.#last = this.#open.pop() as Element
    this.#add(ended)
  }

  addVoid(name: string, html: string): void {
    this.#add({ kind: 'void', name, html })
  }

  addText(html: string): void {
    addText(this.#last.children, html)
  }

  #add(node: Node): void {
    this.#last.children.push(node)
    this.#last.hasBlock ||= isBlockNode(node)
  }
}
