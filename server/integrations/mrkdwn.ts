/** Slack's mrkdwn in the dialect of this server. */

import { cut, link, plain, time } from './markdown.ts'

/** Characters of a text: Slack takes 40,000, and a message has room for less. */
const TEXT_LENGTH_MAX = 12_000
/** In angle brackets; a bracket of the text itself is escaped. */
const BRACKETS = /<([^<>\n]{1,3000})>/g
const CODE = /```[\s\S]*?```|`[^`\n]+`/g

/** Translates; code stays as it is. */
export function translate(text: string): string {
  const short = cut(text.replaceAll(/\r\n?/g, '\n'), TEXT_LENGTH_MAX)
  let [translated, from] = ['', 0]
  for (const match of short.matchAll(CODE)) {
    translated += translateProse(short.slice(from, match.index)) + codeOf(match[0])
    from = match.index + match[0].length
  }
  return translated + translateProse(short.slice(from))
}

/** The plain text of Slack's objects of that type: nothing in it has a meaning. */
export function translatePlain(text: string): string {
  return plain(unescape(text))
}

function codeOf(text: string): string {
  const inner = unescape(text.replaceAll(BRACKETS, (_, reference: string) => labelOf(reference)))
  if (!inner.startsWith('```')) return inner
  // A fence needs lines of its own here.
  return `\n\`\`\`\n${inner.slice(3, -3).replace(/^\n/, '').replace(/\n$/, '')}\n\`\`\`\n`
}

function translateProse(text: string): string {
  let [translated, from] = ['', 0]
  for (const match of text.matchAll(BRACKETS)) {
    translated += translateMarks(text.slice(from, match.index)) + reference(match[1] ?? '')
    from = match.index + match[0].length
  }
  return translated + translateMarks(text.slice(from))
}

/** `*bold*`, `_italic_` and `~strike~`, each around whole words. */
function translateMarks(text: string): string {
  const marked = text
    .replaceAll(/(^|[\s("'>])\*(?=\S)([^*\n]*[^*\s])\*(?=$|[\s.,:;!?)"'])/gm, '$1**$2**')
    .replaceAll(/(^|[\s("'*>])_(?=\S)([^_\n]*[^_\s])_(?=$|[\s.,:;!?)"'*])/gm, '$1*$2*')
    .replaceAll(/(^|[\s("'*>])~(?=\S)([^~\n]*[^~\s])~(?=$|[\s.,:;!?)"'*])/gm, '$1~~$2~~')
    .replaceAll(/^&gt; ?/gm, '> ')
    .replaceAll('](', ']&#40;')
  return unescape(marked)
}

function reference(written: string): string {
  const bar = written.indexOf('|')
  const [target, label] = bar < 0 ? [written, ''] : [written.slice(0, bar), written.slice(bar + 1)]
  if (target.startsWith('!date^')) {
    const at = Number(target.split('^')[1])
    const shown = Number.isFinite(at) && Math.abs(at) < 1e11 ? time(new Date(at * 1000).toISOString()) : ''
    return shown === '' ? plain(unescape(label)) : shown
  }
  if (/^[!@#]/.test(target)) return plain(labelOf(written))
  if (target.startsWith('mailto:'))
    return plain(unescape(label === '' ? target.slice('mailto:'.length) : label))
  const address = unescape(target)
  return label === ''
    ? /^https?:\/\//i.test(address)
      ? link(address, address)
      : plain(address)
    : link(unescape(label), address)
}

/** The text of a reference where nothing can be a link, and of a mention of somebody who is not here. */
function labelOf(written: string): string {
  const bar = written.indexOf('|')
  const label = bar < 0 ? '' : unescape(written.slice(bar + 1))
  const target = bar < 0 ? written : written.slice(0, bar)
  if (target.startsWith('!subteam^')) return label === '' ? '@group' : label
  if (target.startsWith('!')) return `@${target.slice(1).split('^')[0] ?? ''}`
  if (target.startsWith('@') || target.startsWith('#')) {
    const sign = target.slice(0, 1)
    const name = label === '' ? target.slice(1) : label
    return name.startsWith(sign) ? name : sign + name
  }
  return label === '' ? unescape(target) : label
}

function unescape(text: string): string {
  return text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&')
}
