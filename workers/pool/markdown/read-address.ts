/** Finds the end of an address: of a web address after its scheme or host, and of an email address. */

/** Open brackets in a path; an address with deeper nesting is not linked. */
const OPEN_BRACKETS_MAX = 7
const PORT_MAX = 65_535

const LETTER = String.raw`[[a-z0-9][^\0-\x7f\p{P}\p{Z}\p{Cc}\uff5c]]`
const LABEL = `_?${LETTER}(?:[_\\-${LETTER.slice(1, -1)}]{0,62}${LETTER})?`
/** A user and a password may precede a host, which may be an address in brackets. */
const HOST = new RegExp(
  String.raw`//(?:[\w.~%!$&'*+,;=:\-]{1,100}@)?(?:\[[\da-f:.]{2,45}\]|${LABEL}(?:\.${LABEL}){0,30})(?::(\d{1,6}))?`,
  'ivy',
)
/** Characters that would continue the host. */
const GOES_ON = /@|\.?[\p{L}\p{N}]/uy
/** Characters that always end a path. */
const PATH_END = /[\s\p{Cc}<>"\uff5c]|(?!\p{ASCII})\p{P}/u
/** Punctuation at the end of an address belongs to the sentence. */
const SENTENCE_END = "!:;?,.'*"
const CLOSERS: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}' }

/** The end of the web address whose `//` is at a position, or undefined for none. */
export function readWebAddress(text: string, start: number): number | undefined {
  HOST.lastIndex = start
  const port = HOST.exec(text)?.[1]
  const end = HOST.lastIndex
  GOES_ON.lastIndex = end
  if (end === 0 || Number(port ?? 0) > PORT_MAX || GOES_ON.test(text)) return undefined
  return readPath(text, end)
}

/**
 * The end of the path, query and fragment at a position, if any. Undefined if brackets are nested too deeply. Unmatched
 * brackets are not part of them.
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

/** Whether an email address may end here: a path, a port or the like must not follow. */
export function mayEndMail(text: string, end: number): boolean {
  return !/^(?:\/|[:?#@&=%][^\s\p{P}])/u.test(text.slice(end, end + 3))
}
