import t from 'tap'
import { renderMarkdown } from '../../workers/pool/render-markdown.ts'
import { RenderError, Renderer, RenderOverloadError } from '../../workers/pool/renderer.ts'

interface TestContext {
  teardown(task: () => unknown): void
}
function startRenderer(t: TestContext, threads = 1, msMax = 10_000): Renderer {
  const renderer = new Renderer(threads, msMax)
  t.teardown(() => renderer.close())
  return renderer
}

const WORDS = '**bold** [link](https://example.com) `code` a@example.com\n'
/** Texts that slow or deep recursion in a parser would show at. */
const HOSTILE = {
  quotes: '>'.repeat(5_000),
  'quotes with spaces': '> '.repeat(5_000),
  lists: '- '.repeat(5_000),
  'numbered lists': '1. '.repeat(3_333),
  brackets: '['.repeat(10_000),
  'closing brackets': ']'.repeat(10_000),
  links: '[a]('.repeat(2_500),
  'image links': '![['.repeat(3_333),
  references: '[a]: '.repeat(2_000),
  emphasis: '*a '.repeat(3_333),
  'strong emphasis': '**a *b '.repeat(1_428),
  ticks: Array.from({ length: 140 }, (_, index) => '`'.repeat(index)).join(' '),
  addresses: 'http://a('.repeat(1_111),
  mails: 'a@'.repeat(5_000),
  entities: '&#'.repeat(5_000),
  tags: '<a:'.repeat(3_333),
  fences: '```\n'.repeat(2_500),
}

t.test('[RENDER1] a thread renders as this one does', async (t) => {
  const renderer = startRenderer(t)
  for (const text of [WORDS.repeat(20), ...Object.values(HOSTILE)]) {
    const rendered = renderer.render(text)
    t.type(rendered, Promise)
    t.equal(await rendered, renderMarkdown(text))
  }
})

t.test('[RENDER2] short texts are rendered in place, until they have taken their time', async (t) => {
  const renderer = startRenderer(t)
  t.equal(renderer.render(WORDS), renderMarkdown(WORDS))
  t.type(renderer.render('x'.repeat(500)), 'string')
  t.type(renderer.render('x'.repeat(501)), Promise)
  // In one turn, short texts without end are handed over, too.
  const text = '![['.repeat(166)
  const all = Array.from({ length: 2_000 }, () => renderer.render(text))
  const handedOver = all.filter((one) => typeof one !== 'string')
  t.ok(handedOver.length > 0)
  const wanted = renderMarkdown(text)
  t.ok((await Promise.all(all.map(async (one) => one))).every((html) => html === wanted))
})

t.test('[RENDER3] each text of a batch gets its own HTML', async (t) => {
  const renderer = startRenderer(t, 2)
  const texts = Array.from({ length: 100 }, (_, index) => `${index} ${WORDS.repeat(10)}`)
  t.same(
    await Promise.all(texts.map(async (text) => renderer.render(text))),
    texts.map((text) => renderMarkdown(text)),
  )
})

t.test('[RENDER4] a text that takes too long fails alone, and the next ones render', async (t) => {
  const renderer = startRenderer(t, 1, 200)
  const slow = '![['.repeat(100_000) // Two seconds; messages are not allowed to be so long.
  const fast = 'x'.repeat(600)
  const all = [slow, ...Array.from({ length: 10 }, () => fast), slow, fast]
  const settled = await Promise.allSettled(all.map(async (text) => renderer.render(text)))
  for (const [index, one] of settled.entries()) {
    if (all[index] === fast) t.equal(one.status, 'fulfilled', `text ${index}`)
    else t.match(one, { status: 'rejected', reason: { name: 'RenderError' } })
  }
  for (let again = 0; again < 3; again++) t.equal(await renderer.render(fast), renderMarkdown(fast))
})

t.test('[RENDER5] a text that becomes too long fails, and the next ones render', async (t) => {
  const renderer = startRenderer(t)
  // Each row of a table is filled up to its width.
  const table = `${'|a'.repeat(50)}\n${'|-'.repeat(50)}\n${'|\n'.repeat(4_800)}`
  await t.rejects(async () => renderer.render(table), RenderError)
  t.equal(await renderer.render('"'.repeat(10_000)), `<p>${'&quot;'.repeat(10_000)}</p>`)
})

t.test('[RENDER6] more than 10,000 waiting texts are refused', async (t) => {
  const renderer = startRenderer(t)
  const text = 'x'.repeat(501)
  const all = Array.from({ length: 10_000 }, () => renderer.render(text))
  t.throws(() => renderer.render(text), RenderOverloadError)
  await Promise.all(all.map(async (one) => one))
  t.equal(await renderer.render(text), `<p>${text}</p>`)
})

t.test('[RENDER7] closing leaves no text waiting for ever', async (t) => {
  const renderer = new Renderer(1, 10_000)
  const all = Array.from({ length: 100 }, async () => renderer.render('x'.repeat(501)))
  const settled = Promise.allSettled(all)
  await renderer.close()
  t.equal((await settled).length, 100)
})
