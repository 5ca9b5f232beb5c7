/** Translates Slack's mrkdwn to this server's dialect. Code stays as it is. */

import { translateEmoji } from '../emoji-names.ts'
import type { Names } from '../records.ts'
import { replaceOutsideCode } from '../code-parts.ts'

/** `<…>`: a mention, a link, or something with a fallback. No token has a line break. */
const TOKEN = /<([^<>\n]{1,4000})>/g
/** Text between two marks, which stand at the edges of words. */
const marked = (mark: string) =>
  new RegExp(
    `(?<![\\p{L}\\p{N}\\\\${mark}])${mark}(?=\\S)([^${mark}\\n]{0,2000}[^${mark}\\s])${mark}(?![\\p{L}\\p{N}${mark}])`,
    'gu',
  )
const BOLD = marked('\\*')
const ITALIC = marked('_')
const STRIKE = marked('~')

export function translateSlack(text: string, names: Names): string {
  return replaceOutsideCode(text, {
    code: (code) => unescape(code.replaceAll(TOKEN, (_, token: string) => plainToken(token))),
    text: (part) => translatePart(part, names),
  })
}

function translatePart(part: string, names: Names): string {
  // Tokens have addresses and names, whose stars and underscores are no marks: they wait outside meanwhile.
  const tokens: string[] = []
  const held = part.replaceAll(TOKEN, (_, token: string) => {
    tokens.push(translateToken(token, names))
    return `\ufdd0${tokens.length - 1}\ufdd0`
  })
  const formatted = translateEmoji(held)
    .replaceAll(ITALIC, '\ufdd1$1\ufdd1')
    .replaceAll(BOLD, '**$1**')
    .replaceAll(STRIKE, '~~$1~~')
    .replaceAll('\ufdd1', '*')
    .replaceAll(/^(\s*)[•◦▪]\s+/gmu, '$1- ')
  return unescape(formatted)
    .replaceAll(/^>>>\s?([\s\S]*)$/gm, (_, quoted: string) => `> ${quoted.replaceAll('\n', '\n> ')}`)
    .replaceAll(/\ufdd0(\d+)\ufdd0/g, (_, index: string) => tokens[Number(index)] ?? '')
}

function translateToken(token: string, names: Names): string {
  const bar = token.indexOf('|')
  const target = bar < 0 ? token : token.slice(0, bar)
  const label = bar < 0 ? '' : unescape(token.slice(bar + 1))
  switch (target[0]) {
    case '@':
      return names.mention(target.slice(1)) ?? `@${label || target.slice(1)}`
    case '#':
      return names.channel(target.slice(1)) ?? `#${label || target.slice(1)}`
    case '!':
      return translateCommand(target.slice(1), label)
  }
  const url = unescape(target)
  if (url.startsWith('mailto:')) return label || url.slice('mailto:'.length)
  if (!URL.canParse(url)) return label || url
  return label === '' || label === url ? url : `[${label.replaceAll(/[[\]]/g, ' ')}](${encodeBrackets(url)})`
}

function translateCommand(command: string, label: string): string {
  const [name = '', value = ''] = command.split('^')
  if (['here', 'channel', 'everyone'].includes(name)) return '@**all**'
  const seconds = Number(value)
  // The largest time that a date can have.
  if (name === 'date' && value !== '' && Math.abs(seconds) <= 8.64e12)
    return `<time:${new Date(seconds * 1000).toISOString()}>`
  return label || `@${value || name}`
}

/** A token within code: what it shows. */
function plainToken(token: string): string {
  const bar = token.indexOf('|')
  return bar < 0 ? token : token.slice(bar + 1)
}

const encodeBrackets = (url: string) =>
  url.replaceAll('(', '%28').replaceAll(')', '%29').replaceAll(' ', '%20')

function unescape(text: string): string {
  return text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&')
}
