/** Emoji of Unicode: names to codes and back. A code is the characters in hexadecimal, without variation selectors. */

import { createRequire } from 'node:module'
import { FAMILY_EMOJI_NAMES } from './emoji-names.ts'

interface EmojiTable {
  readonly codes: ReadonlyMap<string, string>
  readonly names: ReadonlyMap<string, string>
}

let table: EmojiTable | undefined

/** The code of a name such as `tada`, or undefined. */
export function findEmojiCode(name: string): string | undefined {
  table ??= readTable()
  return table.codes.get(name)
}

/** The name that a code such as `1f389` is shown as, or undefined. */
export function findEmojiName(code: string): string | undefined {
  table ??= readTable()
  return table.names.get(code)
}

/** All names by their codes, the one that is shown first. */
export function namesByCode(): ReadonlyMap<string, readonly string[]> {
  table ??= readTable()
  const { codes, names } = table
  const all = new Map([...names].map(([code, shown]) => [code, [shown]]))
  for (const [name, code] of codes) if (name !== names.get(code)) all.get(code)?.push(name)
  return all
}

/** Whether a code may go by a name: the known one by its own, and else by one of the form of names. */
export function isNameOfEmoji(name: string, code: string): boolean {
  return (findEmojiCode(name) ?? code) === code && /^[a-z0-9_+-]+$/.test(name)
}

/** Read when first asked for: most threads and tools never meet an emoji. */
function readTable(): EmojiTable {
  const require = createRequire(import.meta.url)
  const data = require('emojibase-data/en/shortcodes/iamcal.json') as Record<string, string | string[]>
  const codes = new Map<string, string>()
  const names = new Map<string, string>()
  const add = (code: string, own: readonly string[]) => {
    for (const name of own) if (!codes.has(name)) codes.set(name, code)
    const [first] = own
    if (first !== undefined && !names.has(code)) names.set(code, first)
  }
  for (const [code, own] of Object.entries(FAMILY_EMOJI_NAMES)) add(code, own)
  for (const [hexadecimal, own] of Object.entries(data)) {
    const code = hexadecimal.toLowerCase().replaceAll('-fe0f', '')
    if (!SKIN_TONE.test(code)) add(code, Array.isArray(own) ? own : [own])
  }
  return { codes, names }
}

/** Clients have no pictures of skin tones: such a character is left as it is. */
const SKIN_TONE = /1f3f[b-f]/
