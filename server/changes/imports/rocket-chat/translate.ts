/** Translates Rocket.Chat's Markdown to this server's dialect. Code stays as it is. */

import { replaceOutsideCode } from '../code-parts.ts'
import { translateEmoji } from '../emoji-names.ts'
import type { Names } from '../records.ts'

const ADDRESS = /https?:\/\/[^\s)>\]]+/g
const MENTION = /(?<![\p{L}\p{N}_@.])@([\p{L}\p{N}_.-]{1,100})/gu
const CHANNEL = /(?<![\p{L}\p{N}_#&/])#([\p{L}\p{N}_.-]{1,100})/gu
const EVERYONE = new Set(['all', 'here'])
/** Text between two single marks, which stand at the edges of words. */
const marked = (mark: string) =>
  new RegExp(
    `(?<![\\p{L}\\p{N}\\\\${mark}])${mark}(?=[^\\s${mark}])([^${mark}\\n]{0,2000}[^${mark}\\s]|[^${mark}\\s])${mark}(?![\\p{L}\\p{N}${mark}])`,
    'gu',
  )
const BOLD = marked('\\*')
const ITALIC = marked('_')
const STRIKE = marked('~')

export function translateRocketChat(text: string, names: Names): string {
  return replaceOutsideCode(text, { code: (code) => code, text: (part) => translatePart(part, names) })
}

function translatePart(part: string, names: Names): string {
  // Addresses and names have marks of their own: they wait outside meanwhile.
  const held: string[] = []
  const hold = (value: string) => {
    held.push(value)
    return `\ufdd0${held.length - 1}\ufdd0`
  }
  return translateEmoji(part.replaceAll(ADDRESS, hold))
    .replaceAll(
      MENTION,
      (whole, name: string) =>
        findName(name, (short) => (EVERYONE.has(short) ? '@**all**' : names.mention(short)), hold) ?? whole,
    )
    .replaceAll(
      CHANNEL,
      (whole, name: string) => findName(name, (short) => names.channel(short), hold) ?? whole,
    )
    .replaceAll(ITALIC, '\ufdd1$1\ufdd1')
    .replaceAll(BOLD, '**$1**')
    .replaceAll(STRIKE, '~~$1~~')
    .replaceAll('\ufdd1', '*')
    .replaceAll(/\ufdd0(\d+)\ufdd0/g, (_, index: string) => held[Number(index)] ?? '')
}

/** The known name at the start of a word, perhaps without the punctuation at its end. */
function findName(
  name: string,
  find: (short: string) => string | undefined,
  hold: (value: string) => string,
): string | undefined {
  for (let end = name.length; end > 0; end--) {
    const found = find(name.slice(0, end))
    if (found !== undefined) return hold(found) + name.slice(end)
    if (!/[._-]/.test(name[end - 1] ?? '')) return undefined
  }
  return undefined
}
