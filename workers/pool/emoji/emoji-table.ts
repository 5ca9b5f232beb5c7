/** Unicode emoji: names to codes and back. A code is the characters in hexadecimal, without variation selectors. */

import { readFileSync } from 'node:fs'
import { lazy } from '../../../server/domain/messages/derived.ts'

interface EmojiTable {
  readonly codes: ReadonlyMap<string, string>
  readonly names: ReadonlyMap<string, readonly string[]>
}

/** The code of a name such as `tada`, or undefined. */
export function findEmojiCode(name: string): string | undefined {
  return table().codes.get(name)
}

/** The display name of a code such as `1f389`, or undefined. */
export function findEmojiName(code: string): string | undefined {
  return namesByCode().get(code)?.[0]
}

/** All names by their codes, the display name first, in the order of emoji pickers. */
export function namesByCode(): ReadonlyMap<string, readonly string[]> {
  return table().names
}

/** Whether a code may have a name: known codes their own, and others any valid name. */
export function isNameOfEmoji(name: string, code: string): boolean {
  const emojiCode = findEmojiCode(name)
  return emojiCode === undefined ? /^[a-z0-9_+-]+$/.test(name) : emojiCode === code
}

/**
 * Loaded on first use: most threads and tools never need it. Each line is a code, its display name, and its other
 * names; names are unique. Skin tones are missing: clients have no pictures of them, so such characters stay unchanged.
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
