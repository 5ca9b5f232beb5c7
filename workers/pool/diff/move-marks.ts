/** Moves marks into the blocks that they contain: a mark must not contain a block. */

import { addText, type Element, isBlockNode, makeElement, type Node } from './build-tree.ts'

/** The nodes, with each mark around blocks replaced by marks inside them. */
export function moveMarks(nodes: Node[]): Node[] {
  if (!nodes.some((node) => node.kind === 'element' && node.hasBlock)) return nodes
  const moved: Node[] = []
  for (const node of nodes) {
    if (node.kind === 'text') addText(moved, node.html)
    else if (node.kind !== 'element' || !node.hasBlock) moved.push(node)
    else if (node.name === 'ins' || node.name === 'del') {
      for (const inner of moveMarks(markAmong(node.children, node.name))) {
        if (inner.kind === 'text') addText(moved, inner.html)
        else moved.push(inner)
      }
    } else {
      node.children = moveMarks(node.children)
      moved.push(node)
    }
  }
  return moved
}

/** Marks the text beside blocks and inside them. */
function markAmong(children: readonly Node[], name: string): Node[] {
  const nodes: Node[] = []
  for (const [index, child] of children.entries()) {
    if (child.kind === 'text') {
      // Text after an element without blocks joins the mark of that element.
      const before = children[index - 1]
      if (before === undefined || isBlockNode(before)) nodes.push(mark([child], name))
    } else if (isBlockNode(child)) {
      if (child.kind === 'element') markWithin(child, name)
      nodes.push(child)
    } else {
      const next = children[index + 1]
      nodes.push(mark(next?.kind === 'text' ? [child, next] : [child], name))
    }
  }
  return nodes
}

function markWithin(element: Element, name: string): void {
  element.children = element.hasBlock ? markAmong(element.children, name) : [mark(element.children, name)]
}

function mark(children: Node[], name: string): Element {
  return makeElement(name, '', children)
}
