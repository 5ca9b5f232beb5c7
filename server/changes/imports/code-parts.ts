/** Code within a text, in which nothing may be translated. */

/** Blocks between three marks, and spans between one or two; what does not end is no code. */
const CODE = /```[\s\S]*?```|``[^`\n]+``|`[^`\n]+`/g

/** Translates code and the text around it, each by its own function. */
export function replaceOutsideCode(
  text: string,
  { code, text: plain }: { readonly code: (part: string) => string; readonly text: (part: string) => string },
): string {
  let result = ''
  let end = 0
  for (const { 0: part, index } of text.matchAll(CODE)) {
    result += plain(text.slice(end, index))
    const translated = code(part)
    result += part.startsWith('```')
      ? ownLines(translated, result, text.slice(index + part.length))
      : translated
    end = index + part.length
  }
  return result + plain(text.slice(end))
}

/** A block of code on lines of its own, as this dialect wants its marks; without line breaks a span is enough. */
function ownLines(block: string, before: string, after: string): string {
  const content = block.slice(3, -3)
  const isFence = content.includes('\n')
  if (!isFence && before.trim() !== '' && !before.endsWith('\n')) return `\`${content}\``
  // A language may follow the marks; Slack has none, and puts the first line of the code there.
  const [first = ''] = content.split('\n', 1)
  const isLanguage = isFence && /^[\w+#-]*$/.test(first) && first.length <= 20
  const inner = isLanguage ? content : `\n${content}`
  const lead = before === '' || before.endsWith('\n') ? '' : '\n'
  const trail = after === '' || after.startsWith('\n') ? '' : '\n'
  return `${lead}\`\`\`${inner}${inner.endsWith('\n') ? '' : '\n'}\`\`\`${trail}`
}
