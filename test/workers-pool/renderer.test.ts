import t from 'tap'
import { renderMarkdown } from '../../workers/pool/render-markdown.ts'
import { RenderBudget, SHARE_OF_SERVER } from '../../workers/pool/render-budget.ts'
import { RenderBudgetError, RenderError, Renderer, RenderOverloadError } from '../../workers/pool/renderer.ts'

interface TestContext {
  teardown(task: () => unknown): void
}
function startRenderer(t: TestContext, threads = 1, msMax = 10_000): Renderer {
  const renderer = new Renderer(threads, msMax)
  t.teardown(() => renderer.close())
  return renderer
}

const WORDS = '**bold** [link](https://example.com) `code` a@example.com\n'
/** Texts that would expose slow or deep recursion in a parser. */
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

t.test('[RENDER1] a worker thread renders the same as the main thread', async (t) => {
  const renderer = startRenderer(t)
  for (const text of [WORDS.repeat(20), ...Object.values(HOSTILE)]) {
    const rendered = renderer.render(text)
    t.type(rendered, Promise)
    t.equal(await rendered, renderMarkdown(text))
  }
})

t.test('[RENDER2] short texts are rendered in place, until their time is spent', async (t) => {
  const renderer = startRenderer(t)
  t.equal(renderer.render(WORDS), renderMarkdown(WORDS))
  t.type(renderer.render('x'.repeat(500)), 'string')
  t.type(renderer.render('x'.repeat(501)), Promise)
  // In one turn, endless short texts are also sent to a thread.
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

t.test('[RENDER4] a text that takes too long fails alone, and the next ones are rendered', async (t) => {
  const renderer = startRenderer(t, 1, 200)
  const slow = '![['.repeat(100_000) // Two seconds; messages cannot be this long.
  const fast = 'x'.repeat(600)
  const all = [slow, ...Array.from({ length: 10 }, () => fast), slow, fast]
  const settled = await Promise.allSettled(all.map(async (text) => renderer.render(text)))
  for (const [index, one] of settled.entries()) {
    if (all[index] === fast) t.equal(one.status, 'fulfilled', `text ${index}`)
    else t.match(one, { status: 'rejected', reason: { name: 'RenderError' } })
  }
  for (let again = 0; again < 3; again++) t.equal(await renderer.render(fast), renderMarkdown(fast))
})

t.test('[RENDER5] a text with too long a result fails, and the next ones are rendered', async (t) => {
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

t.test('[RENDER7] closing rejects all waiting texts', async (t) => {
  const renderer = new Renderer(1, 10_000)
  const all = Array.from({ length: 100 }, async () => renderer.render('x'.repeat(501)))
  const settled = Promise.allSettled(all)
  await renderer.close()
  t.equal((await settled).length, 100)
  const long = 'x'.repeat(1024 * 1024)
  for (let count = 0; count < 40; count++)
    await t.rejects(async () => renderer.render(long), RenderError, 'refused texts leave the queue')
})

/** It takes a thread a few milliseconds, and goes there by itself. */
const FORMULAS = '$$\\frac{a}{b}$$ '.repeat(40)
const send = (userId: number) => ({ userId, kind: 'send' }) as const
const preview = (userId: number) => ({ userId, kind: 'preview' }) as const

t.test('[RENDER8] users take turns, and sends have precedence over previews', async (t) => {
  const renderer = startRenderer(t)
  const done: string[] = []
  const render = async (name: string, share: ReturnType<typeof send> | ReturnType<typeof preview>) => {
    await renderer.render(FORMULAS, undefined, share)
    done.push(name)
  }
  const all = Array.from({ length: 10 }, (_, index) => render(`preview ${index}`, preview(1)))
  all.push(...Array.from({ length: 10 }, (_, index) => render(`send ${index}`, send(1))))
  all.push(render('one send of another', send(2)), render('one preview of another', preview(2)))
  await all[10] // The first is under way: the next waits only for that one.
  all.push(render('one send of a third', send(3)))
  await Promise.all(all)
  const placeOf = (name: string) => done.indexOf(name)
  t.ok(placeOf('one send of another') <= 1, done.join(', '))
  t.ok(placeOf('one send of a third') <= 3, done.join(', '))
  t.ok(placeOf('send 9') < placeOf('preview 0'), done.join(', '))
  t.ok(placeOf('one preview of another') <= placeOf('preview 1'), done.join(', '))
  t.ok(placeOf('send 0') < placeOf('send 9'), 'the texts of one user keep their order')
})

t.test(
  '[RENDER9] a user who has used up their minute is refused, for sends later than for previews',
  async (t) => {
    const renderer = new Renderer(1, 10_000, 40)
    t.teardown(() => renderer.close())
    const many = (share: ReturnType<typeof send> | ReturnType<typeof preview>) =>
      Promise.allSettled(Array.from({ length: 60 }, async () => renderer.render(FORMULAS, undefined, share)))
    const countOf = (settled: readonly PromiseSettledResult<string>[], status: string) =>
      settled.filter((one) => one.status === status).length
    // The thread loads large programs with its first formulas, which would be counted.
    await renderer.render(FORMULAS, undefined, SHARE_OF_SERVER)
    const previews = await many(preview(1))
    t.ok(countOf(previews, 'fulfilled') > 0)
    t.ok(countOf(previews, 'rejected') > 0)
    for (const one of previews)
      if (one.status === 'rejected')
        t.match(one.reason, { name: 'RenderBudgetError', retryAfterSeconds: Number })
    t.throws(() => renderer.render('x', undefined, preview(1)), RenderBudgetError, 'a short one, too')
    t.equal(renderer.render('x', undefined, send(1)), '<p>x</p>', 'a send has more')
    const sends = await many(send(1))
    t.ok(countOf(sends, 'fulfilled') > 0)
    t.ok(countOf(sends, 'rejected') > 0)
    t.equal(
      await renderer.render(FORMULAS, undefined, send(2)),
      renderMarkdown(FORMULAS),
      'others have theirs',
    )
    t.equal(countOf(await many(SHARE_OF_SERVER), 'rejected'), 0, 'the server has no end')
  },
)

t.test('[RENDER10] a text that is aborted for its time counts with all of it', async (t) => {
  const renderer = new Renderer(1, 200, 200)
  t.teardown(() => renderer.close())
  const slow = '![['.repeat(100_000)
  await t.rejects(async () => renderer.render(slow, undefined, send(1)), RenderError)
  t.throws(() => renderer.render('x', undefined, send(1)), RenderBudgetError)
  t.equal(renderer.render('x', undefined, send(2)), '<p>x</p>')
})

t.test('[RENDER62] each minute every user has their full share again', (t) => {
  const budget = new RenderBudget(100)
  budget.spend(send(1), 100, 0)
  t.equal(budget.findWaitSeconds(send(1), 59_000), 1)
  t.equal(budget.findWaitSeconds(send(1), 60_000), undefined)
  budget.spend(send(2), 1, 60_000)
  t.equal(budget.findWaitSeconds(send(1), 60_001), undefined)
  t.end()
})
