/** The text of Slack's blocks, in Slack's own markup: some programs send blocks only. */

import { firstText, plainAddress, toFields, toList, toText } from '../fields.ts'

/** Blocks within blocks; Slack itself allows fewer. */
const DEPTH_MAX = 8

export function textOfBlocks(blocks: readonly unknown[]): string {
  return blocks
    .map((block) => textOf(block, 0))
    .filter((text) => text.trim() !== '')
    .join('\n')
}

function textOf(value: unknown, depth: number): string {
  if (depth > DEPTH_MAX) return ''
  const fields = toFields(value)
  const inner = (part: unknown) => textOf(part, depth + 1)
  switch (fields['type']) {
    case 'header':
      return `*${inner(fields['text'])}*`
    case 'section':
      return [inner(fields['text']), ...toList(fields['fields']).map(inner)].filter(Boolean).join('\n')
    case 'plain_text':
      return escapeSlack(toText(fields['text']))
    case 'mrkdwn':
    case 'markdown':
      return toText(fields['text'])
    case 'image':
      return linkSlack(plainAddress(fields['image_url']), firstText(fields['alt_text'], 'image'))
    case 'context':
    case 'actions':
      return toList(fields['elements']).map(inner).filter(Boolean).join(' ')
    case 'rich_text':
    case 'rich_text_section':
      return toList(fields['elements']).map(inner).join('')
    case 'rich_text_list':
      return `${toList(fields['elements'])
        .map((one) => `• ${inner(one)}`)
        .join('\n')}\n`
    case 'rich_text_quote':
      return `&gt; ${toList(fields['elements']).map(inner).join('').replaceAll('\n', '\n&gt; ')}\n`
    case 'rich_text_preformatted':
      return `\`\`\`\n${toList(fields['elements']).map(inner).join('')}\n\`\`\`\n`
    case 'text':
      return styled(escapeSlack(toText(fields['text'])), toFields(fields['style']))
    case 'link':
      return linkSlack(toText(fields['url']), toText(fields['text']))
    case 'user':
      return `<@${toText(fields['user_id'])}>`
    case 'channel':
      return `<#${toText(fields['channel_id'])}>`
    case 'broadcast':
      return `<!${toText(fields['range'])}>`
    case 'emoji':
      return `:${toText(fields['name'])}:`
    default:
      return ''
  }
}

function styled(text: string, style: Readonly<Record<string, unknown>>): string {
  if (text.trim() === '' || text.includes('\n')) return text
  const marks = [
    ['code', '`'],
    ['strike', '~'],
    ['italic', '_'],
    ['bold', '*'],
  ] as const
  return marks.reduce((marked, [name, mark]) => (style[name] === true ? mark + marked + mark : marked), text)
}

/** A link in Slack's markup. */
export function linkSlack(url: string | undefined, text: string): string {
  if (url === undefined || url === '') return escapeSlack(text)
  return text === '' ? `<${url}>` : `<${url}|${escapeSlack(text)}>`
}

function escapeSlack(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
