/** Highlights code, with the class names that clients of this API family have styles for. */

import { lazy } from '../../../server/domain/messages/derived.ts'
import { createRequire } from 'node:module'
import type { HLJSApi, LanguageFn } from 'highlight.js'
import { TOKEN_CLASSES } from './token-classes.ts'

/** Display names of languages that differ from the highlighter's. */
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

/** Further names of languages, with the highlighter's name and the display name. */
const MORE_NAMES: ReadonlyMap<string, readonly [alias: string, displayName: string]> = new Map([
  ['apacheconf', ['ini', 'ApacheConf']],
  ['arduino', ['cpp', 'Arduino']],
  ['bash-session', ['console', 'Bash Session']],
  ['cfg', ['ini', 'INI']],
  ['cuda', ['cpp', 'CUDA']],
  ['cython', ['python', 'Cython']],
  ['django', ['html', 'Django/Jinja']],
  ['dosbatch', ['bat', 'Batchfile']],
  ['dosini', ['ini', 'INI']],
  ['erb', ['html', 'ERB']],
  ['glsl', ['c', 'GLSL']],
  ['hlsl', ['c', 'HLSL']],
  ['iex', ['elixir', 'Elixir iex session']],
  ['jinja', ['html', 'Django/Jinja']],
  ['jsonl', ['json', 'JSON']],
  ['ksh', ['bash', 'Bash']],
  ['mysql', ['sql', 'MySQL']],
  ['objective-c', ['objectivec', 'Objective-C']],
  ['octave', ['matlab', 'Octave']],
  ['plpgsql', ['sql', 'PL/pgSQL']],
  ['posh', ['powershell', 'PowerShell']],
  ['postgres', ['sql', 'PostgreSQL SQL dialect']],
  ['postgresql', ['sql', 'PostgreSQL SQL dialect']],
  ['py2', ['python', 'Python 2.x']],
  ['python2', ['python', 'Python 2.x']],
  ['pyx', ['python', 'Cython']],
  ['rhtml', ['html', 'RHTML']],
  ['sage', ['python', 'Sage']],
  ['sass', ['scss', 'Sass']],
  ['shell-session', ['console', 'Bash Session']],
  ['sqlite3', ['sql', 'sqlite3con']],
  ['svg', ['xml', 'XML']],
  ['toml', ['ini', 'TOML']],
  ['tsql', ['sql', 'Transact-SQL']],
  ['udiff', ['diff', 'Diff']],
  ['vb.net', ['vbnet', 'VB.net']],
  ['viml', ['vim', 'VimL']],
  ['xml', ['xml', 'XML']],
  ['xslt', ['xml', 'XSLT']],
])

/** Languages besides the common ones, by the highlighter's module names. */
const MORE_LANGUAGES = (
  'clojure cmake dart dockerfile dos elixir elm erlang fsharp groovy haskell http julia latex matlab nginx nix ' +
  'ocaml powershell protobuf scala vim'
).split(' ')

/**
 * Characters of one line; some grammars scan from each word to the line's end. Only generated code has longer lines.
 */
const LINE_LENGTH_MAX = 400

/** Loaded with the first code block that names a language: it is large. */
const highlighter = lazy((): HLJSApi => {
  const require = createRequire(import.meta.url)
  const loaded = require('highlight.js/lib/common') as HLJSApi
  for (const name of MORE_LANGUAGES) {
    loaded.registerLanguage(name, require(`highlight.js/lib/languages/${name}`) as LanguageFn)
  }
  return loaded
})

/** A supported language. */
export interface CodeLanguage {
  /** A name in code fences, such as `py`. */
  readonly alias: string
  /** The display name, such as `Python`. */
  readonly displayName: string
}

/**
 * The language of a name or alias, or undefined; `css+php` means its first part, `python3.14` the name without its
 * number.
 */
export function findCodeLanguage(written: string): CodeLanguage | undefined {
  const [alias, displayName] = MORE_NAMES.get(written.toLowerCase()) ?? [written]
  const name = displayName ?? highlighter().getLanguage(alias)?.name
  if (name !== undefined) return { alias, displayName: DISPLAY_NAMES[name] ?? name }
  const [, base = '', more] = /^(.*[^\d.-])-?\d[\d.]*$/.exec(written) ?? /^([^+]+)\+(.+)$/.exec(written) ?? []
  // Names of one letter are too common to be a base name.
  const found = base.length < 2 ? undefined : findCodeLanguage(base)
  if (!found || more === undefined) return found
  return { ...found, displayName: `${found.displayName}+${findCodeLanguage(more)?.displayName ?? more}` }
}

/** Whether all lines of some code are short enough to highlight. */
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

/** The HTML of some code; it contains only text, and spans with classes. */
export function highlightCode(code: string, { alias }: CodeLanguage): string {
  const { value } = highlighter().highlight(code, { language: alias, ignoreIllegals: true })
  return value.replace(/<span class="([^"]*)">/g, (_, scope: string) => {
    return `<span class="${TOKEN_CLASSES[scope] ?? TOKEN_CLASSES[scope.split(' ')[0] as string] ?? 'n'}">`
  })
}
