/** Translates Discord's Markdown to this server's dialect. Code stays as it is. */

import { translateEmoji } from '../emoji-names.ts'
import { replaceOutsideCode } from '../code-parts.ts'
import type { Names } from '../records.ts'

/** A mention, a custom emoji or a time. */
const TOKEN = /<(@!?|@&|#|a?:\w{1,64}:|t:)(\d{1,20})(?::[a-zA-Z])?>/g
/** The largest time that a date can have, in seconds. */
const SECONDS_MAX = 8.64e12

export function translateDiscord(text: string, names: Names): string {
  return replaceOutsideCode(text, { code: (code) => code, text: (part) => translatePart(part, names) })
}

function translatePart(part: string, names: Names): string {
  const tokens: string[] = []
  const held = part.replaceAll(TOKEN, (whole, kind: string, id: string) => {
    tokens.push(translateToken(kind, id, names) ?? whole)
    return `\ufdd0${tokens.length - 1}\ufdd0`
  })
  return (
    translateEmoji(held)
      .replaceAll(/@(?:everyone|here)\b/g, '@**all**')
      // Underlined text is strong here.
      .replaceAll(/(?<![\w_])__(?=\S)([^_\n]+(?:_[^_\n]+)*)(?<=\S)__(?![\w_])/g, '**$1**')
      .replaceAll(/^-# /gm, '')
      .replaceAll(/^>>> ([\s\S]*)$/gm, (_, quoted: string) => `> ${quoted.replaceAll('\n', '\n> ')}`)
      .replaceAll(/\ufdd0(\d+)\ufdd0/g, (_, index: string) => tokens[Number(index)] ?? '')
  )
}

function translateToken(kind: string, id: string, names: Names): string | undefined {
  if (kind === '@' || kind === '@!') return names.mention(id) ?? '@unknown'
  if (kind === '@&') return '@role'
  if (kind === '#') return names.channel(id) ?? '#unknown'
  if (kind !== 't:') return `:${kind.replace(/^a/, '').slice(1, -1).toLowerCase()}:`
  return Number(id) <= SECONDS_MAX ? `<time:${new Date(Number(id) * 1000).toISOString()}>` : undefined
}
