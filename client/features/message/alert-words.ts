/** Marks the words that alert a user. */

/** Elements whose text is left as it is. */
const SKIPPED = 'code, pre, math, .katex'
const IS_LETTER = /[\p{L}\p{N}_]/u

export function markAlertWords(body: HTMLElement, words: readonly string[]): void {
  const lower = words.map((word) => word.toLowerCase()).filter((word) => word !== '')
  const walker = body.ownerDocument.createTreeWalker(body, NodeFilter.SHOW_TEXT)
  const texts: Text[] = []
  while (walker.nextNode()) texts.push(walker.currentNode as Text)
  for (const text of texts) if (!text.parentElement?.closest(SKIPPED)) markText(text, lower)
}

function markText(node: Text, words: readonly string[]): void {
  let rest = node
  for (;;) {
    const found = findFirst(rest.data, words)
    if (!found) return
    const match = rest.splitText(found.start)
    rest = match.splitText(found.length)
    const mark = node.ownerDocument.createElement('mark')
    mark.className = 'alert-word'
    match.replaceWith(mark)
    mark.append(match)
  }
}

/** The first whole word of a text that is one of the words. */
function findFirst(
  text: string,
  words: readonly string[],
): { readonly start: number; readonly length: number } | undefined {
  const lower = text.toLowerCase()
  // A change of case that changes the length would shift the places.
  if (lower.length !== text.length) return undefined
  let first: { start: number; length: number } | undefined
  for (const word of words) {
    for (let start = lower.indexOf(word); start >= 0; start = lower.indexOf(word, start + 1)) {
      if (first && start >= first.start) break
      if (!isWhole(lower, start, word.length)) continue
      first = { start, length: word.length }
      break
    }
  }
  return first
}

function isWhole(text: string, start: number, length: number): boolean {
  return !IS_LETTER.test(text.charAt(start - 1)) && !IS_LETTER.test(text.charAt(start + length))
}
