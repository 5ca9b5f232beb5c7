import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseFragment } from 'parse5'
import t from 'tap'
import { diffHtml, diffWhole } from '../../workers/pool/diff/diff-html.ts'
import { matchTokens } from '../../workers/pool/diff/match-tokens.ts'
import { renderMarkdown } from '../../workers/pool/render-markdown.ts'
import { CONSTRUCTS, PAYLOADS } from '../markdown/hostile-payloads.ts'
import { hostileTexts, mixedTexts } from '../markdown/hostile-texts.ts'
import { REWRITES } from './rewrites.ts'

const INSERTED = 'highlight_text_inserted'
const DELETED = 'highlight_text_deleted'

interface Node {
  readonly nodeName: string
  readonly value?: string
  readonly attrs?: readonly { readonly name: string; readonly value: string }[]
  readonly childNodes?: readonly Node[]
}

const spell = (html: string) =>
  `<div>${html
    .replaceAll('[+', `<span class="${INSERTED}">`)
    .replaceAll('[-', `<span class="${DELETED}">`)
    .replaceAll('+]', '</span>')
    .replaceAll('-]', '</span>')}</div>`

/** A tag as the renderer writes it, or text; quoted attributes may contain `>`. */
const TAG_OR_TEXT = /<(\/?)([a-z][a-z0-9]*)((?:[^>"]|"[^"]*")*)>|[^<]+|</g
const VOID = new Set(['br', 'hr', 'img'])

/** Words without white space and with addresses that only the diff shows, without the highlighted ones. */
function textOf(html: string, left?: string): string {
  let text = ''
  const open: boolean[] = []
  for (const [part, slash, name, attributes] of html.matchAll(TAG_OR_TEXT)) {
    if (name === undefined) text += open.includes(true) ? '' : part
    else if (slash === '/') open.pop()
    else if (!VOID.has(name)) open.push(attributes === ` class="${left}"`)
  }
  const decoded = (parseFragment(text.replace(/ Link: \S+/g, '')) as Node).childNodes?.[0]?.value ?? ''
  return decoded.replace(/[\s\x85]+/g, '')
}

/** Whether each element ends within the element in which it starts. */
function nests(html: string): boolean {
  const open: string[] = []
  for (const [, slash, name] of html.matchAll(TAG_OR_TEXT)) {
    if (name === undefined || VOID.has(name)) continue
    if (slash !== '/') open.push(name)
    else if (open.pop() !== name) return false
  }
  return open.length === 0
}

/** Tags of a difference that neither version has, except for the highlights. */
function strangeTags(html: string, previous: string, now: string): string[] {
  const known = new Set([...tagsOf(previous), ...tagsOf(now), 'div []'])
  return [...tagsOf(html)].filter((tag) => !known.has(tag) && !tag.includes('"highlight_text_'))
}

/** Every element with its attributes, as a browser parses it. */
function tagsOf(html: string): Set<string> {
  const tags = new Set<string>()
  const walk = (node: Node) => {
    for (const child of node.childNodes ?? []) {
      if (child.attrs) tags.add(`${child.nodeName} ${JSON.stringify(child.attrs)}`)
      walk(child)
    }
  }
  walk(parseFragment(html) as Node)
  return tags
}

t.test('[DIFF1] changed words are highlighted, insertions first', (t) => {
  t.equal(
    diffHtml('<p>content before edit</p>', '<p>content after edit</p>'),
    '<div><p>content <span class="highlight_text_inserted">after</span> <span class="highlight_text_deleted">before</span> edit</p></div>',
  )
  t.equal(
    diffHtml(
      '<p>content before edit, line 1</p>\n<p>content before edit, line 3</p>',
      '<p>content before edit, line 1<br>\ncontent after edit, line 2<br>\ncontent before edit, line 3</p>',
    ),
    '<div><p>content before edit, line 1<br> content <span class="highlight_text_inserted">after edit, line 2<br> content</span> before edit, line 3</p></div>',
  )
  t.equal(
    diffHtml(
      '<p>Here is a link to <a href="http://www.old.example">home</a>.</p>',
      '<p>Here is a link to <a href="http://www.new.example">home</a>.</p>',
    ),
    '<div><p>Here is a link to <a href="http://www.new.example">home <span class="highlight_text_inserted"> Link: http://www.new.example .</span> ' +
      '<span class="highlight_text_deleted"> Link: http://www.old.example .</span> </a></p></div>',
  )
  t.equal(diffHtml('', ''), '<div></div>')
  t.equal(diffHtml('<p>a</p>', '<p>a</p>'), '<div><p>a</p></div>')
  t.end()
})

t.test('[DIFF2] each construct is rewritten as the list of rewrites says, and nests', (t) => {
  for (const [why, previous, now, wanted] of REWRITES) {
    const html = diffHtml(renderMarkdown(previous), renderMarkdown(now))
    t.equal(html, spell(wanted), why)
    t.ok(nests(html), why)
  }
  t.end()
})

/**
 * Category, previous and new HTML, and the output of `lxml.html.diff` 5.4 for them; tabs, line ends and
 * backslashes are escaped.
 */
t.test('[DIFF10] edits of each construct equal the reference byte for byte', (t) => {
  const lines = readFileSync(join(import.meta.dirname, 'reference-diffs.tsv'), 'utf8')
    .trimEnd()
    .split('\n')
  const unescape = (field: string) =>
    field.replace(/\\(.)/g, (_, character) => ({ n: '\n', t: '\t' })[character as 'n' | 't'] ?? character)
  const counts: Record<string, number> = {}
  for (const line of lines) {
    const [category = '', previous = '', now = '', wanted = ''] = line.split('\t').map(unescape)
    counts[category] = (counts[category] ?? 0) + 1
    const html = diffHtml(previous, now)
    if (html !== wanted) t.equal(html, wanted, `${category}: ${previous} -> ${now}`)
  }
  t.same(counts, {
    paragraphs: 50,
    inline: 50,
    quotes: 50,
    lists: 50,
    code: 50,
    tables: 43,
    mixed: 25,
    rare: 21,
  })
  t.end()
})

t.test('[DIFF3] images are compared by address, mentions by text', (t) => {
  const image = (src: string, alt = '') =>
    `<div class="message_inline_image"><a href="/a"><img src="${src}" alt="${alt}"></a></div>`
  const mention = (id: number, name: string) =>
    `<p>ask <span class="user-mention" data-user-id="${id}">@${name}</span> now</p>`
  t.equal(
    diffHtml(image('/b.png'), image('/c.png')),
    spell(
      '<div class="message_inline_image"><a href="/a"> [+<img src="/c.png" alt="">+] [-<img src="/b.png" alt="">-] </a></div>',
    ),
  )
  t.equal(diffHtml(image('/b.png'), image('/b.png', 'a cat')), `<div>${image('/b.png', 'a cat')}</div>`)
  t.equal(
    diffHtml(mention(1, 'Ada'), mention(2, 'Grace')),
    spell(
      '<p>ask [+<span class="user-mention" data-user-id="2">@Grace</span>+] [-<span class="user-mention" data-user-id="1">@Ada</span>-] now</p>',
    ),
  )
  t.equal(diffHtml(mention(1, 'Ada'), mention(2, 'Ada')), `<div>${mention(2, 'Ada')}</div>`)
  t.end()
})

t.test(
  '[DIFF4] for any two texts the result nests, has both texts whole, and no tag that neither version has',
  (t) => {
    const htmls = [
      ...mixedTexts(250, 11),
      ...[...hostileTexts(120)].filter((_, index) => index % 6 === 0),
    ].map((text) => renderMarkdown(text))
    const faults: unknown[] = []
    for (const [index, now] of htmls.entries()) {
      const previous = htmls[(index * 7 + 1) % htmls.length] as string
      if (previous.includes('<svg') || now.includes('<svg')) continue // Browsers spell SVG differently.
      for (const html of [diffHtml(previous, now), diffWhole(previous, now)]) {
        const strange = strangeTags(html, previous, now)
        const isRight =
          nests(html) &&
          textOf(html, DELETED) === textOf(now) &&
          textOf(html, INSERTED) === textOf(previous) &&
          strange.length === 0
        if (!isRight) faults.push({ previous, now, html, strange })
      }
    }
    t.same(faults.slice(0, 3), [])
    t.end()
  },
)

t.test('[DIFF9] an edit between two attacks cannot form a new tag in any construct', (t) => {
  const faults: unknown[] = []
  for (const [index, construct] of CONSTRUCTS.entries()) {
    const htmls = PAYLOADS.map((payload) => renderMarkdown(construct(payload)))
    for (const [at, now] of htmls.entries()) {
      for (const previous of [
        htmls.at(at - 1),
        renderMarkdown(CONSTRUCTS.at(index - 1)?.(PAYLOADS[at] ?? '') ?? ''),
      ]) {
        const html = diffHtml(previous ?? '', now)
        const strange = strangeTags(html, previous ?? '', now)
        if (strange.length > 0) faults.push({ previous, now, html, strange })
      }
    }
  }
  t.same(faults.slice(0, 3), [])
  t.end()
})

t.test('[DIFF5] a small change highlights only that change', (t) => {
  const words = Array.from({ length: 150 }, (_, index) => `word${index}`)
  for (const place of [0, 1, 75, 148, 149]) {
    const changed = words.with(place, 'other')
    const html = diffHtml(`<p>${words.join(' ')}</p>`, `<p>${changed.join(' ')}</p>`)
    const marked = html.match(/<span class="[^"]+">[^<]+<\/span>/g)
    // Runs of up to two words are chance, so the rest of them at an edge is highlighted, too.
    t.ok(marked?.length === 2, `at ${place}`)
    t.match(marked?.[0], /other/)
    t.match(marked?.[1], new RegExp(`word${place}\\b`))
  }
  t.end()
})

t.test('[DIFF6] broken tags are text, and hostile attributes stay attributes', (t) => {
  for (const hostile of [
    '<',
    '<script',
    '</',
    '<a href="',
    '<p',
    '&lt;script&gt;alert(1)&lt;/script&gt;',
    '<1>',
    '< b>',
  ]) {
    for (const html of [diffHtml(hostile, '<p>x</p>'), diffHtml('<p>x</p>', hostile)]) {
      t.same(
        [...tagsOf(html)].filter((tag) => !tag.includes('highlight_text_')).sort(),
        ['div []', 'p []'],
        hostile,
      )
    }
  }
  const link = (href: string) => `<p>see <a href="${href}">this</a> now</p>`
  const html = diffHtml(link('/a'), link('/&lt;img src=x onerror=alert(1)&gt;&quot;'))
  t.notOk([...tagsOf(html)].some((tag) => tag.startsWith('img')))
  t.equal(textOf(html, DELETED), 'seethissrc=xonerror=alert(1)>"now')
  t.end()
})

t.test('[DIFF7] the work is bounded: the rest counts as different, and the result is deterministic', (t) => {
  const words = (step: number) =>
    Array.from({ length: 5_000 }, (_, index) => String.fromCharCode(0x4e00 + ((index * step) % 100)))
  const [old, now] = [words(1), words(37)]
  t.same(matchTokens(old, now, 0), [])
  const some = matchTokens(old, now, 300_000)
  t.same(matchTokens(old, now, 300_000), some)
  const html = (texts: readonly string[]) => `<p>${texts.join(' ')}</p>`
  t.equal(diffHtml(html(old), html(now)), diffHtml(html(old), html(now)))
  t.equal(diffWhole('<p>a b</p>', '<p>a c</p>'), spell('<p>[+a c+]</p> <p>[-a b-]</p>'))
  t.end()
})

t.test('[DIFF8] nested elements are read to a bounded depth', (t) => {
  const deep = `${'<em>'.repeat(20_000)}deep${'</em>'.repeat(20_000)}`
  const html = diffHtml('<p>flat</p>', `<p>${deep}</p>`)
  t.equal(textOf(html, DELETED), 'deep')
  t.ok(nests(html))
  t.end()
})
