/** How far an address reaches: of the web, behind its scheme or its host, and of mail. */

/** Brackets that may be open at once in a path; an address with more in each other is none. */
const OPEN_BRACKETS_MAX = 7
const PORT_MAX = 65_535

const LETTER = String.raw`[[a-z0-9][^\0-\x7f\p{P}\p{Z}\p{Cc}\uff5c]]`
const LABEL = `_?${LETTER}(?:[_\\-${LETTER.slice(1, -1)}]{0,62}${LETTER})?`
/** A user and a password may stand before a host, which may be an address in brackets. */
const HOST = new RegExp(
  String.raw`//(?:[\w.~%!$&'*+,;=:\-]{1,100}@)?(?:\[[\da-f:.]{2,45}\]|${LABEL}(?:\.${LABEL}){0,30})(?::(\d{1,6}))?`,
  'ivy',
)
/** With this behind it, a host would be cut in the middle. */
const GOES_ON = /@|\.?[\p{L}\p{N}]/uy
/** What ends a path wherever it stands. */
const PATH_END = /[\s\p{Cc}<>"\uff5c]|(?!\p{ASCII})\p{P}/u
/** These belong to the sentence where they stand at the end of an address. */
const SENTENCE_END = "!:;?,.'*"
const CLOSERS: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}' }

/** Where an address of the web ends whose `//` stands at a position, or undefined where none begins there. */
export function readWebAddress(text: string, start: number): number | undefined {
  HOST.lastIndex = start
  const port = HOST.exec(text)?.[1]
  const end = HOST.lastIndex
  GOES_ON.lastIndex = end
  if (end === 0 || Number(port ?? 0) > PORT_MAX || GOES_ON.test(text)) return undefined
  return readPath(text, end)
}

/**
 * Where the path, query and fragment end that begin at a position, if there are any. Undefined where brackets stand too
 * deep in each other. A bracket that nothing closes, or nothing opens, is no part of them.
 */
export function readPath(text: string, start: number): number | undefined {
  const first = text[start]
  if (first !== '/' && first !== '?' && first !== '#') return start
  const open: string[] = []
  let end = first === '?' ? start : start + 1
  for (let position = start + 1; position < text.length; position++) {
    const character = text[position] as string
    if (PATH_END.test(character)) break
    const closer = CLOSERS[character]
    if (closer !== undefined) {
      if (open.length >= OPEN_BRACKETS_MAX) return undefined
      open.push(closer)
    } else if (character === ')' || character === ']' || character === '}') {
      if (open.pop() !== character) break
      if (open.length === 0) end = position + 1
    } else if (open.length === 0 && !SENTENCE_END.includes(character)) end = position + 1
  }
  return end
}

/** Whether an address of mail may end here: with a path, a port or the like behind it, it is another thing. */
export function mayEndMail(text: string, end: number): boolean {
  return !/^(?:\/|[:?#@&=%][^\s\p{P}])/u.test(text.slice(end, end + 3))
}
