import t from 'tap'
import { Renderer } from '../../workers/pool/renderer.ts'
import { renderMarkdown } from '../../workers/pool/markdown/render-markdown.ts'
import { mixedTexts } from './hostile-texts.ts'
import { SAMPLE } from './sample.ts'

t.test('[MD90] a worker thread renders and reports the same as the main thread', async (t) => {
  const renderer = new Renderer(1, 60_000)
  t.teardown(() => renderer.close())
  const padding = 'x'.repeat(600)
  for (const text of mixedTexts(200, 7)) {
    const long = `${text}\n\n${padding}`
    t.same(await renderer.renderMessage(long, SAMPLE), renderMarkdown(long, SAMPLE))
  }
})

t.test('[MD91] formulas, code blocks and dates in words go to threads, however short', async (t) => {
  const renderer = new Renderer(1, 60_000)
  t.teardown(() => renderer.close())
  for (const text of ['$$a$$', '```js\nlet a\n```', '~~~math\na\n~~~', '<time:4 Jul 2025>']) {
    const rendered = renderer.renderMessage(text)
    t.type(rendered, Promise)
    t.same(await rendered, renderMarkdown(text))
  }
  t.notOk(renderer.renderMessage('**a** `b` :smile: <time:2026-03-01T12:00:00Z>') instanceof Promise)
})

t.test('[MD92] each text of a batch is rendered with its own snapshot', async (t) => {
  const renderer = new Renderer(1, 60_000)
  t.teardown(() => renderer.close())
  const text = `@**Ada Lovelace** ${'x'.repeat(600)}`
  const [known, unknown] = await Promise.all([
    renderer.renderMessage(text, SAMPLE),
    renderer.renderMessage(text),
  ])
  t.same(known.mentionedUserIds, [31])
  t.same(unknown.mentionedUserIds, [])
  t.equal(await renderer.render(text, SAMPLE), known.html)
})
