import t from 'tap'
import { html, p } from './sample.ts'

/** The source in the HTML of a formula, for readers without styles. */
const source = (text: string) =>
  Array.from(
    html(text).matchAll(/<annotation encoding="application\/x-tex">(.*?)<\/annotation>/gs),
    ([, tex]) => tex,
  )

t.test('[MD64] an inline formula stands between double dollar signs', async (t) => {
  const formulas: Record<string, string[]> = {
    '$$a + b$$': ['a + b'],
    '$$  n  =  1 $$': ['  n  =  1 '],
    'so $$a$$ and $$b$$.': ['a', 'b'],
    'costs $$c = 9\\$$$': ['c = 9\\$'],
    '$$\\text{*b*}$$': ['\\text{*b*}'],
    '**$$a$$**': ['a'],
    '($$a$$)': ['a'],
  }
  for (const [text, wanted] of Object.entries(formulas)) t.same(source(text), wanted, text)
  t.match(html('$$a$$'), /^<p><span class="katex"><span class="katex-mathml">/)
  t.notMatch(html('$$\\text{*b*}$$'), /<em>/)
})

t.test('[MD65] other dollar signs stay text', async (t) => {
  const texts = [
    '$3 or $4',
    'from $$$ up to $$$$$',
    '$x and$$',
    '$$_$$ looks tired',
    'a$$b$$',
    '$$b$$c',
    '$$ $$',
    '$a$',
  ]
  for (const text of texts) t.equal(html(text), p(text), text)
  t.equal(html('$$a=1\nb=2$$'), p('$$a=1<br>\nb=2$$'))
  t.equal(html('`$$a$$`'), p('<code>$$a$$</code>'))
})

t.test('[MD66] a fenced formula is displayed; empty lines separate formulas', async (t) => {
  t.match(html('```math\na^2\n```'), /^<p><span class="katex-display"><span class="katex">.*<\/span><\/p>$/s)
  t.same(source('~~~math\na\n\nb\n~~~'), ['a', 'b'])
  t.same(source('```math\n\\text{*b*}\n```'), ['\\text{*b*}'])
})

t.test('[MD67] an invalid formula is shown as written', async (t) => {
  const error = (text: string) => p(`<span class="tex-error">${text}</span>`)
  t.equal(html('$$\\nosuch{*b*}$$'), error('$$\\nosuch{*b*}$$'))
  t.equal(html('```math\n\\nosuch{*b*}\n```'), error('\\nosuch{*b*}'))
  t.equal(html('$$\\<b>$$'), error('$$\\&lt;b&gt;$$'))
  t.equal(html('$$\\frac{$$'), error('$$\\frac{$$'))
})

t.test('[MD68] a formula creates no links, images, attributes or files', async (t) => {
  const commands = [
    '\\href{javascript:alert(1)}{x}',
    '\\url{https://example.com}',
    '\\includegraphics{https://example.com/a.png}',
    '\\htmlId{a}{x}',
    '\\htmlStyle{color:red}{x}',
    '\\htmlClass{a}{x}',
    '\\htmlData{a=b}{x}',
  ]
  for (const command of commands) {
    const found = html(`$$${command}$$`)
    t.notMatch(found, /<a[\s>]|<img|href=|src=|id=|data-/, command)
  }
})

t.test('[MD69] formulas that are long, deep, or expand for ever are shown as written', async (t) => {
  const isShownAsWritten = (tex: string) => html(`$$${tex}$$`).startsWith('<p><span class="tex-error">')
  t.notOk(isShownAsWritten('a'.repeat(1_000)))
  t.ok(isShownAsWritten('a'.repeat(2_000)))
  t.ok(isShownAsWritten(`${'{'.repeat(200)}a${'}'.repeat(200)}`))
  t.ok(isShownAsWritten('\\def\\a{\\a\\a}\\a'))
  t.ok(isShownAsWritten('\\def\\a{bbbbb}'.concat('\\a'.repeat(300))))
  t.ok(isShownAsWritten('\\left('.repeat(60)))
  t.notOk(isShownAsWritten('\\def\\a{bbb}\\a\\a'))
  t.ok(isShownAsWritten(`\\def\\a{${'b'.repeat(600)}}${'\\a'.repeat(150)}`))
})

t.test('[MD70] all formulas of a text make at most 100,000 characters of HTML', async (t) => {
  const found = html('$$\\sqrt{1}$$ '.repeat(700))
  t.ok(found.length < 200_000, `${found.length}`)
  t.match(found, /class="katex"/)
  t.match(found, /class="tex-error"/)
})

t.test('[MD71] a formula cannot cover its surroundings', async (t) => {
  t.match(html('$$\\rule{1000em}{1000em}$$'), /50em/)
  t.notMatch(html('$$\\rule{1000em}{1000em}$$'), /style="[^"]*1000em/)
})
