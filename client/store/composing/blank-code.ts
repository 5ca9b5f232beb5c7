/** Code in a text that is being written: the server reads no names there. */

/** Marks of a fenced block; the same mark alone on a line closes it. */
const FENCE = /^(?:`{3,}|~{3,})/
/** Code within a line, between one or two marks. */
const SPAN = /``[^`\n]+``|`[^`\n]+`/g

interface Block {
  readonly mark: string
  readonly kind: 'code' | 'quote' | 'spoiler'
}

/** The text with line breaks in the place of code, and of fenced quotes if they are unwanted: the rest stays where it is. */
export function blankCode(text: string, { hasQuotes }: { readonly hasQuotes: boolean }): string {
  const open: Block[] = []
  const read = (line: string): string => {
    const content = line.trim()
    const current = open.at(-1)
    if (content === current?.mark) open.pop()
    else if (current?.kind !== 'code') {
      const next = openerOf(content)
      if (next) open.push(next)
      const isRead = open.at(-1)?.kind !== 'code' && (hasQuotes || !open.some(({ kind }) => kind === 'quote'))
      // The opening line of a spoiler has its header.
      if (isRead) return line.replaceAll(SPAN, blank)
    }
    return blank(line)
  }
  return text.split('\n').map(read).join('\n')
}

function openerOf(line: string): Block | undefined {
  const mark = FENCE.exec(line)?.[0]
  // With a further mark it is a span of code.
  if (mark === undefined || line.includes('`', mark.length) || line.includes('~', mark.length))
    return undefined
  const [word = ''] = line.slice(mark.length).trim().split(/\s/, 1)
  return { mark, kind: word === 'quote' || word === 'spoiler' ? word : 'code' }
}

const blank = (part: string) => '\n'.repeat(part.length)
