/** Translates Mattermost's Markdown to this server's dialect, which differs in some marks. Code stays as it is. */

import { replaceOutsideCode } from '../code-parts.ts'
import { translateEmoji } from '../emoji-names.ts'
import type { Names } from '../records.ts'

const EVERYONE = new Set(['all', 'channel', 'here'])
const ADDRESS = /\bhttps?:\/\/[^\s<>]{1,2000}/g
const IMAGE = /!\[([^\]\n]{0,500})\]\(([^\s)]{1,2000})(?:\s+"[^"\n]{0,200}")?(?:\s*=\d*x\d*)?\)/g
/** Underscores for emphasis; within words they are none. */
const ITALIC = /(?<![\p{L}\p{N}\\*_])_(?=\S)([^_\n]{0,2000}[^_\s])_(?![\p{L}\p{N}*_])/gu
const STRONG = /(?<![\p{L}\p{N}\\*_])__(?=\S)([^_\n]{0,2000}[^_\s])__(?![\p{L}\p{N}*_])/gu
const MENTION = /(?<![\p{L}\p{N}@_])@([a-z0-9][a-z0-9._-]{0,63})/giu
const CHANNEL = /(?<![\p{L}\p{N}~])~([a-z0-9][a-z0-9_-]{0,63})(?![~\p{L}\p{N}])/giu

/** `team` begins the ids of the channels that names mean. */
export function translateMattermost(text: string, names: Names, team: string): string {
  return replaceOutsideCode(text, { code: (code) => code, text: (part) => translatePart(part, names, team) })
}

function translatePart(part: string, names: Names, team: string): string {
  // Addresses have underscores and tildes of their own: they wait outside meanwhile.
  const held: string[] = []
  const hold = (value: string) => {
    held.push(value)
    return `\ufdd0${held.length - 1}\ufdd0`
  }
  const kept = part
    .replaceAll(IMAGE, (_, label: string, url: string) => `[${label || 'image'}](${hold(url)})`)
    .replaceAll(ADDRESS, hold)
  return translateEmoji(kept)
    .replaceAll(MENTION, (whole, name: string) => {
      const mention = findMention(name, names)
      return mention === undefined ? whole : hold(mention.text) + mention.rest
    })
    .replaceAll(CHANNEL, (whole, name: string) => {
      const link = names.channel(team + name.toLowerCase())
      return link === undefined ? whole : hold(link)
    })
    .replaceAll(STRONG, '**$1**')
    .replaceAll(ITALIC, '*$1*')
    .replaceAll(/\ufdd0(\d+)\ufdd0/g, (_, index: string) => held[Number(index)] ?? '')
}

/** The user that a name means, perhaps without the punctuation at its end. */
function findMention(name: string, names: Names): { text: string; rest: string } | undefined {
  for (let end = name.length; end > 0; end--) {
    const short = name.slice(0, end).toLowerCase()
    const text = EVERYONE.has(short) ? '@**all**' : names.mention(short)
    if (text !== undefined) return { text, rest: name.slice(end) }
    if (!/[._-]/.test(name[end - 1] ?? '')) return undefined
  }
  return undefined
}
