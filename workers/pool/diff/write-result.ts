/** Writes the steps of a merge as HTML in which each element stands where it may stand. */

import { holdsWords, isBlock, mayHold } from './html-elements.ts'
import type { Mark, Step } from './merge-versions.ts'

const MARKED: Readonly<Record<Mark, string>> = {
  inserted: '<span class="highlight_text_inserted">',
  deleted: '<span class="highlight_text_deleted">',
}

/** A part of the result; `text` holds words, ready elements and white space. */
type Node =
  | { readonly kind: 'text'; html: string }
  | { readonly kind: 'void'; readonly name: string; readonly html: string }
  | Element
interface Element {
  readonly kind: 'element' | 'mark'
  /** Empty for a mark. */
  readonly name: string
  readonly html: string
  children: Node[]
  hasBlock: boolean
  /** Its name, or for a mark that of what it stands in. */
  readonly context: string
  readonly isPreformatted: boolean
  readonly isInLink: boolean
  /** Tags that may not stand here are left out, with their ends. */
  dropped: string[] | undefined
}

/** The whole result, in an element of its own. */
export function writeResult(steps: readonly Step[]): string {
  const writer = new Writer()
  for (const step of steps) writer.add(step)
  return writer.end()
}

class Writer {
  readonly #open: Element[] = [element('element', 'div', '<div>', undefined)]
  /** What was marked where no words may stand; it goes to the next place where they may. */
  #carried: Node[] = []
  /** Whether what was written last ends with a space; looking at the text itself would copy it each time. */
  #isSpaced = false

  add({ chunk, isParted }: Step): void {
    if (chunk.kind === 'mark') this.#begin(element('mark', '', MARKED[chunk.mark], this.#last))
    else if (chunk.kind === 'unmark') this.#endMark()
    else if (chunk.kind === 'open') this.#beginIfFit(chunk.name, chunk.html)
    else if (chunk.kind === 'close') this.#end(chunk.name)
    else if (chunk.kind === 'content') this.#place({ kind: 'text', html: chunk.html })
    else if (mayHold(this.#last.context, chunk.name))
      this.#place({ kind: 'void', name: chunk.name, html: chunk.html })
    const space = isParted && !this.#last.isPreformatted ? `${chunk.space} ` : chunk.space
    if (space !== '') addText(this.#last.children, space)
    this.#isSpaced = space.endsWith(' ') || (this.#isSpaced && chunk.kind !== 'content')
  }

  end(): string {
    while (this.#open.length > 1) this.#pop()
    this.#setDown()
    const parts: string[] = []
    for (const child of this.#last.children) write(child, parts)
    return `<div>${parts.join('').trim()}</div>`
  }

  get #last(): Element {
    return this.#open[this.#open.length - 1] as Element
  }

  #beginIfFit(name: string, html: string): void {
    const last = this.#last
    if (mayHold(last.context, name) && !(name === 'a' && last.isInLink))
      return this.#begin(element('element', name, html, last))
    last.dropped ??= []
    last.dropped.push(name)
    if (isBlock(name)) this.#part()
  }

  #begin(begun: Element): void {
    this.#open.push(begun)
    if (begun.kind === 'element' && holdsWords(begun.name)) this.#setDown()
  }

  #end(name: string): void {
    const { dropped } = this.#last
    const index = dropped?.lastIndexOf(name) ?? -1
    if (index >= 0) {
      dropped?.splice(index, 1)
      if (isBlock(name)) this.#part()
      return
    }
    if (this.#last.name === name && this.#open.length > 1) return this.#pop()
    const mark = this.#open.findLastIndex(({ kind }) => kind === 'mark')
    const start = this.#open.findLastIndex((element) => element.name === name)
    if (start <= Math.max(mark, 0)) return
    while (this.#open.length > start) this.#pop()
  }

  #endMark(): void {
    while (this.#last.kind !== 'mark') this.#pop()
    this.#pop()
  }

  #pop(): void {
    const ended = this.#open.pop() as Element
    if (ended.kind === 'element') return this.#place(ended)
    for (const node of ended.hasBlock ? spread(ended, this.#last.context) : [ended]) this.#place(node)
  }

  /** Adds a node where it belongs, or keeps it until there is a place for it. */
  #place(node: Node): void {
    const last = this.#last
    if (last.kind === 'element' && !holdsWords(last.name) && !isBlockNode(node) && !isSpace(node)) {
      this.#carried.push(node)
      return
    }
    if (isBlockNode(node)) last.hasBlock = true
    if (node.kind === 'text') addText(last.children, node.html)
    else last.children.push(node)
    if (node.kind === 'element' && this.#carried.length > 0 && holdsWords(last.context)) this.#setDown()
  }

  #setDown(): void {
    if (this.#carried.length === 0) return
    const carried = this.#carried
    this.#carried = []
    for (const node of carried) this.#place(node)
  }

  /** Words on both sides of a block's end were never one word. */
  #part(): void {
    const { children, isPreformatted } = this.#last
    if (isPreformatted || this.#isSpaced || children.length === 0) return
    addText(children, ' ')
    this.#isSpaced = true
  }
}

function element(kind: Element['kind'], name: string, html: string, parent: Element | undefined): Element {
  return {
    kind,
    name,
    html,
    children: [],
    hasBlock: false,
    context: kind === 'mark' && parent ? parent.context : name,
    isPreformatted: name === 'pre' || (parent?.isPreformatted ?? false),
    isInLink: name === 'a' || (parent?.isInLink ?? false),
    dropped: undefined,
  }
}

function addText(nodes: Node[], html: string): void {
  const last = nodes.at(-1)
  if (last?.kind === 'text') last.html += html
  else nodes.push({ kind: 'text', html })
}

function isBlockNode(node: Node): boolean {
  return node.kind !== 'text' && (isBlock(node.name) || (node.kind !== 'void' && node.hasBlock))
}

function isSpace(node: Node): boolean {
  return node.kind === 'text' && node.html.trim() === ''
}

/** A mark around blocks becomes marks within them: no block may stand in a mark. */
function spread(mark: Element, context: string): Node[] {
  const marked = (children: Node[]): Element => ({ ...mark, children, hasBlock: false })
  const inside = (node: Element): Node[] => {
    if (!node.hasBlock) return holdsWords(node.name) ? [marked(node.children)] : node.children
    return among(node.children, node.name)
  }
  /** Each block by itself, with what stands between them. */
  const among = (children: readonly Node[], parent: string): Node[] => {
    const nodes: Node[] = []
    for (const [index, child] of children.entries()) {
      if (child.kind === 'text' && isInlineNode(children[index - 1])) continue // Is in the mark before.
      if (isBlockNode(child)) {
        if (child.kind === 'element') child.children = inside(child)
        nodes.push(child)
        continue
      }
      const next = children[index + 1]
      const tail = child.kind !== 'text' && next?.kind === 'text' ? [next] : []
      if (holdsWords(parent) || !isSpace(child)) nodes.push(marked([child, ...tail]))
      else nodes.push(child)
    }
    return nodes
  }
  return among(mark.children, context)
}

function isInlineNode(node: Node | undefined): boolean {
  return node !== undefined && node.kind !== 'text' && !isBlockNode(node)
}

function write(node: Node, parts: string[]): void {
  parts.push(node.html)
  if (node.kind === 'text' || node.kind === 'void') return
  for (const child of node.children) write(child, parts)
  parts.push(node.kind === 'mark' ? '</span>' : `</${node.name}>`)
}
