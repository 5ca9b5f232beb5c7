/** Highlighted code, in the classes that clients of this API family have styles for. */

import { createRequire } from 'node:module'
import type { HLJSApi, LanguageFn } from 'highlight.js'
import { TOKEN_CLASSES } from './token-classes.ts'

/** Names that clients know a language by, where they are not the highlighter's own. */
const DISPLAY_NAMES: Readonly<Record<string, string>> = {
  'HTML, XML': 'HTML',
  'Plain text': 'Text only',
  'python-repl': 'Python console session',
  'Shell Session': 'Bash Session',
  'TOML, also INI': 'INI',
  'Visual Basic .NET': 'VB.net',
  'Batch file (DOS)': 'Batchfile',
  Dockerfile: 'Docker',
  LaTeX: 'TeX',
  'Nginx config': 'Nginx configuration file',
  'Protocol Buffers': 'Protocol Buffer',
  'Vim Script': 'VimL',
  php: 'PHP',
}

/** Languages besides the common ones, by the names of the highlighter's modules. */
const MORE_LANGUAGES = (
  'clojure cmake dart dockerfile dos elixir elm erlang fsharp groovy haskell http julia latex matlab nginx nix ' +
  'ocaml powershell protobuf scala vim'
).split(' ')

/** Characters of one line; some grammars look from each word to the line's end. Only made code has longer ones. */
const LINE_LENGTH_MAX = 400

let highlighter: HLJSApi | undefined

/** A language that can be highlighted. */
export interface CodeLanguage {
  /** As in code fences, such as `py`. */
  readonly alias: string
  /** As clients show it, such as `Python`. */
  readonly displayName: string
}

/** The language of a name or alias, or undefined. */
export function findCodeLanguage(alias: string): CodeLanguage | undefined {
  const found = loadHighlighter().getLanguage(alias)
  const name = found?.name
  return name === undefined ? undefined : { alias, displayName: DISPLAY_NAMES[name] ?? name }
}

/** Whether no line of some code is too long to be highlighted. */
export function isHighlightable(code: string): boolean {
  let start = 0
  while (start < code.length) {
    const end = code.indexOf('\n', start)
    if ((end < 0 ? code.length : end) - start > LINE_LENGTH_MAX) return false
    if (end < 0) return true
    start = end + 1
  }
  return true
}

/** The HTML of some code; it holds nothing but text and spans with classes. */
export function highlightCode(code: string, { alias }: CodeLanguage): string {
  const { value } = loadHighlighter().highlight(code, { language: alias, ignoreIllegals: true })
  return value.replace(/<span class="([^"]*)">/g, (_, scope: string) => {
    return `<span class="${TOKEN_CLASSES[scope] ?? TOKEN_CLASSES[scope.split(' ')[0] as string] ?? 'n'}">`
  })
}

/** Loaded with the first code that names its language: it is large, and most tools never meet one. */
function loadHighlighter(): HLJSApi {
  if (highlighter) return highlighter
  const require = createRequire(import.meta.url)
  highlighter = require('highlight.js/lib/common') as HLJSApi
  for (const name of MORE_LANGUAGES) {
    highlighter.registerLanguage(name, require(`highlight.js/lib/languages/${name}`) as LanguageFn)
  }
  return highlighter
}
