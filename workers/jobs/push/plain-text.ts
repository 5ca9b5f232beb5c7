/** The text of a rendered message, for notifications. The markup is the server's own, so tags and attributes are regular. */

/** Elements that end a line. */
const BLOCKS: readonly string[] = 'p li br pre tr h1 h2 h3 h4 h5 h6 blockquote div hr'.split(' ')
const VOIDS: readonly string[] = ['br', 'img', 'hr', 'input', 'wbr', 'source']
const ENTITIES: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
  '&nbsp;': ' ',
}

const decode = (text: string): string =>
  text.replaceAll(/&(?:amp|lt|gt|quot|#39|nbsp);/g, (name) => ENTITIES[name] ?? name)

interface Open {
  readonly name: string
  /** Whether its text is left out. */
  readonly isHidden: boolean
  /** Whether only its source is shown, as of a formula. */
  readonly isFormula: boolean
}

/** The text, in lines, without what spoilers hide and without cards of links. */
export function plainTextOf(html: string): string {
  const open: Open[] = []
  let text = ''
  for (const [token] of html.matchAll(/<[^>]*>|[^<]+/g)) {
    const [, slash, name = ''] = /^<(\/?)([a-zA-Z0-9]+)/.exec(token) ?? []
    const parent = open.at(-1)
    if (name === '') {
      if (!parent?.isHidden) text += decode(token)
    } else if (slash === '/') {
      const index = open.findLastIndex((one) => one.name === name)
      if (index >= 0) open.length = index
      if (BLOCKS.includes(name)) text += '\n'
    } else {
      const isFormula = /class="katex"/.test(token) || parent?.isFormula === true
      const isHidden = isFormula
        ? name !== 'annotation'
        : parent?.isHidden === true || /spoiler-content|class="message_embed"/.test(token)
      const emoji = isHidden ? undefined : emojiOf(token)
      if (emoji !== undefined) text += emoji
      if (!VOIDS.includes(name)) open.push({ name, isFormula, isHidden: isHidden || emoji !== undefined })
      else if (name !== 'img') text += '\n'
    }
  }
  return text
    .replaceAll(/[ \t]+/g, ' ')
    .replaceAll(/ *\n\s*/g, '\n')
    .trim()
}

/** The characters of an emoji, or the name of one of the organization; undefined for other elements. */
function emojiOf(token: string): string | undefined {
  const code = /class="emoji emoji-([0-9a-f-]+)"/.exec(token)?.[1]
  if (code !== undefined)
    return String.fromCodePoint(...code.split('-').map((part) => Number.parseInt(part, 16)))
  if (!/^<img [^>]*class="emoji"/.test(token)) return undefined
  return decode(/alt="([^"]*)"/.exec(token)?.[1] ?? '')
}
