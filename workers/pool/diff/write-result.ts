/** Writes the steps of a merge as nested HTML. */

import { type Node, TreeBuilder } from './build-tree.ts'
import type { Mark, Step } from './merge-versions.ts'
import { moveMarks } from './move-marks.ts'
import { TagReader, type TagSink } from './read-tags.ts'

/** Marks become spans only on output: other elements end spans, but not marks. */
const MARKED: Readonly<Record<Mark, string>> = {
  ins: '<span class="highlight_text_inserted">',
  del: '<span class="highlight_text_deleted">',
}

/**
 * The whole result, in its own element. It is parsed twice, like in the reference: blocks inside a mark end each other
 * only after they have left it.
 */
export function writeResult(steps: readonly Step[]): string {
  const nodes = moveMarks(readSteps(steps))
  trim(nodes)
  const writer = new Writer()
  const reader = new TagReader(writer)
  for (const node of nodes) readAgain(node, reader)
  reader.endAll()
  return `<div>${writer.html}</div>`
}

function readSteps(steps: readonly Step[]): Node[] {
  const builder = new TreeBuilder()
  const reader = new TagReader(builder)
  for (const step of steps) {
    if (step.kind === 'mark') reader.start(step.name, '')
    else if (step.kind === 'open') reader.start(step.name, step.html)
    else if (step.kind === 'unmark' || step.kind === 'close') reader.end(step.name)
    else if (step.kind === 'void') reader.addVoid(step.name, step.html)
    else reader.addText(step.html)
    reader.addText(step.space)
  }
  reader.endAll()
  return builder.nodes
}

/** Trims the white space at both ends. */
function trim(nodes: readonly Node[]): void {
  const [first, last] = [nodes.at(0), nodes.at(-1)]
  if (first?.kind === 'text') first.html = first.html.trimStart()
  if (last?.kind === 'text') last.html = last.html.trimEnd()
}

function readAgain(node: Node, reader: TagReader): void {
  if (node.kind === 'text') return reader.addText(node.html)
  if (node.kind === 'void') return reader.addVoid(node.name, node.html)
  reader.start(node.name, node.html)
  for (const child of node.children) readAgain(child, reader)
  reader.end(node.name)
}

class Writer implements TagSink {
  html = ''

  start(name: string, html: string): void {
    this.html += isMark(name) ? MARKED[name] : html
  }

  end(name: string): void {
    this.html += isMark(name) ? '</span>' : `</${name}>`
  }

  addVoid(_: string, html: string): void {
    this.html += html
  }

  addText(html: string): void {
    this.html += html
  }
}

/** The versions contain no such elements of their own. */
function isMark(name: string): name is Mark {
  return name === 'ins' || name === 'del'
}
