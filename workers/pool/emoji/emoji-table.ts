/** Emoji of Unicode: names to codes and back. A code is the characters in hexadecimal, without variation selectors. */

import { readFileSync } from 'node:fs'
import { lazy } from '../../../server/domain/derived.ts'

interface EmojiTable {
  readonly codes: ReadonlyMap<string, string>
  readonly names: ReadonlyMap<string, readonly string[]>
}

/** The code of a name such as `tada`, or undefined. */
export function findEmojiCode(name: string): string | undefined {
  return table().codes.get(name)
}

/** The name that a code such as `1f389` is shown as, or undefined. */
export function findEmojiName(code: string): string | undefined {
  return namesByCode().get(code)?.[0]
}

/** All names by their codes, the one that is shown first, in the order in which people look for emoji. */
export function namesByCode(): ReadonlyMap<string, readonly string[]> {
  return table().names
}

/** Whether a code may go by a name: the known one by its own, and else by one of the form of names. */
export function isNameOfEmoji(name: string, code: string): boolean {
  const known = findEmojiCode(name)
  return known === undefined ? /^[a-z0-9_+-]+$/.test(name) : known === code
}

/**
 * Read when first asked for: most threads and tools never meet an emoji. Each line is a code, the name that the
 * character is shown as, and its other names; no name stands twice. There are none with skin tones: clients have no
 * pictures of them, so such a character is left as it is.
 */
const table = lazy((): EmojiTable => {
  const codes = new Map<string, string>()
  const names = new Map<string, readonly string[]>()
  for (const line of readFileSync(new URL('emoji-names.txt', import.meta.url), 'utf8')
    .trimEnd()
    .split('\n')) {
    const [code = '', ...own] = line.split(' ')
    names.set(code, own)
    for (const name of own) codes.set(name, code)
  }
  return { codes, names }
})
