/** The pictures of a message: even tiles where several follow each other, and no name that is read twice. */

const PICTURE = 'a.picture'

/** Tiles in a row, by the number of pictures; one alone keeps its form. */
const acrossOf = (count: number) => (count === 2 || count === 4 ? 2 : 3)

/** Pictures one after another stand in tiles of one size. */
export function layTiles(body: HTMLElement): void {
  const runs: HTMLElement[][] = []
  for (const link of body.querySelectorAll<HTMLElement>(PICTURE)) {
    const place = link.closest<HTMLElement>('.message_inline_image') ?? link
    const run = runs.at(-1)
    if (run && nextOf(run.at(-1)) === place) run.push(place)
    else runs.push([place])
  }
  for (const run of runs) {
    const [first] = run
    if (!first || run.length === 1) continue
    // A paragraph may hold the pictures, but no block.
    const tiles = body.ownerDocument.createElement(first.matches('a') ? 'span' : 'div')
    tiles.className = `tiles by-${acrossOf(run.length)}`
    first.before(tiles)
    for (let node = first.nextSibling; node && node !== run.at(-1); ) {
      const next: ChildNode | null = node.nextSibling
      if (isBlank(node) || isLineEnd(node)) node.remove()
      node = next
    }
    tiles.append(...run)
  }
}

/** The next node after an element that is no space and no end of a line. */
function nextOf(element: HTMLElement | undefined): Node | null {
  let next = element?.nextSibling ?? null
  while (next && (isBlank(next) || isLineEnd(next))) next = next.nextSibling
  return next
}

/**
 * A preview has the text of the link that it belongs to. Links that are the whole of a line give way to their pictures;
 * within a sentence the link stays, opens the picture, and is what screen readers read.
 */
export function hideNames(body: HTMLElement): void {
  const pictures = new Map<string | null, HTMLElement>()
  for (const picture of body.querySelectorAll<HTMLElement>(`.message_inline_image > ${PICTURE}`))
    pictures.set(picture.getAttribute('href'), picture)
  if (pictures.size === 0) return
  const isName = (node: Node): node is HTMLAnchorElement =>
    node instanceof HTMLAnchorElement && pictures.has(node.getAttribute('href'))
  for (const paragraph of body.querySelectorAll('p')) {
    for (const line of linesOf(paragraph)) {
      const names = line.filter(isName)
      if (names.length === 0) continue
      const isWhole = line.every((node) => isName(node) || isBlank(node) || isLineEnd(node))
      if (isWhole) for (const node of line) node.parentNode?.removeChild(node)
      else for (const name of names) leadTo(name, pictures.get(name.getAttribute('href')))
    }
    dropEnd(paragraph)
  }
}

function leadTo(name: HTMLAnchorElement, picture: HTMLElement | undefined): void {
  name.dataset.action = 'named-picture'
  picture?.setAttribute('aria-hidden', 'true')
  if (picture) picture.tabIndex = -1
}

/** The nodes of each line, with the element that ends it. */
function linesOf(paragraph: HTMLElement): readonly (readonly Node[])[] {
  const lines: Node[][] = [[]]
  for (const node of paragraph.childNodes) {
    lines.at(-1)?.push(node)
    if (isLineEnd(node)) lines.push([])
  }
  return lines
}

/** A paragraph does not end with the end of a line; an empty one goes. */
function dropEnd(paragraph: HTMLElement): void {
  while (paragraph.lastChild && (isBlank(paragraph.lastChild) || isLineEnd(paragraph.lastChild)))
    paragraph.lastChild.remove()
  if (!paragraph.lastChild) paragraph.remove()
}

function isBlank(node: Node): boolean {
  return node.nodeType === Node.TEXT_NODE && node.nodeValue?.trim() === ''
}

function isLineEnd(node: Node): boolean {
  return node instanceof HTMLBRElement
}
