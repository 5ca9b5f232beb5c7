import { createRequire } from 'node:module'
import t from 'tap'
import { renderMarkdown } from '../../workers/pool/markdown/render-markdown.ts'
import type { MentionSnapshot } from '../../workers/pool/markdown/snapshot.ts'
import { Renderer } from '../../workers/pool/renderer.ts'
import { findFaults } from './check-html.ts'
import { CONSTRUCTS, PAYLOADS } from './hostile-payloads.ts'
import { hostileTexts, mixedTexts } from './hostile-texts.ts'
import { html, SAMPLE } from './sample.ts'

t.test('[MD93] the safety check of these tests detects each forbidden form', async (t) => {
  const wrong = [
    '<p><div>x</div></p>',
    '<a href="javascript:x">x</a>',
    '<p onclick="x">x</p>',
    '<script>x</script>',
    '<p>x',
    '<a href="/a"><b>x</b></a>',
    '<!-- x -->',
    '<p>"<"</p>',
  ]
  for (const html of wrong) t.not(findFaults(html).length, 0, html)
})

t.test('[MD85] no construct lets a text inject markup, attributes or schemes', async (t) => {
  const linkifiers = [...SAMPLE.linkifiers, { pattern: 'go:(?P<url>.+)', urlTemplate: '{+url}' }]
  const changes: Partial<MentionSnapshot> = {
    linkifiers,
    previewedImages: 'all',
    isTranslatingEmoticons: true,
  }
  let count = 0
  for (const construct of CONSTRUCTS) {
    for (const payload of PAYLOADS) {
      for (const text of [construct(payload), construct(construct(payload)), `x ${construct(payload)} y`]) {
        count++
        const faults = findFaults(html(text, changes))
        if (faults.length > 0) t.same(faults, [], text)
      }
    }
  }
  t.ok(count > 3_000)
})

t.test('[MD95] code in no language can inject markup', async (t) => {
  const languages = createRequire(import.meta.url)('highlight.js') as { listLanguages(): string[] }
  const code = [
    ...PAYLOADS,
    '<?php echo "<b>" ?>',
    '<a b="c">${d}</a>',
    '{{e}} <%= f %> #{g}',
    '*h* _i_ [j](k)',
  ].join('\n')
  for (const language of languages.listLanguages()) {
    t.same(findFaults(html(`\`\`\`${language}\n${code}\n\`\`\``)), [], language)
  }
})

t.test('[MD86] names in the snapshot cannot inject markup', async (t) => {
  for (const payload of PAYLOADS.filter((one) => !/[*\n]/.test(one))) {
    const changes = {
      users: [{ ...(SAMPLE.users[0] as MentionSnapshot['users'][0]), name: payload }],
      groups: [{ ...(SAMPLE.groups[0] as MentionSnapshot['groups'][0]), displayName: payload }],
      channels: [
        { ...(SAMPLE.channels[0] as MentionSnapshot['channels'][0]), name: payload.replace('>', '') },
      ],
      emoji: [{ name: 'x', sourceUrl: `/a${payload}` }],
    }
    const text = `@**|31** @*support* @_*support* #**${payload.replace('>', '')}** #**${payload.replace('>', '')}>a** :x:`
    t.same(findFaults(html(text, changes)), [], payload)
  }
})

t.test('[MD87] a thousand hostile texts are rendered to valid HTML of bounded length', async (t) => {
  const length = 1_000
  let count = 0
  for (const text of hostileTexts(length)) {
    count++
    const found = html(text, { previewedImages: 'all', isTranslatingEmoticons: true })
    // Formulas have a bound of HTML for the whole text; of all else, a table grows most, since its rows are
    // filled.
    if (found.length > length * 300 + 100_000) t.fail(`${found.length} characters of ${text.slice(0, 20)}`)
    const faults = findFaults(found)
    if (faults.length > 0) t.same(faults, [], JSON.stringify(text.slice(0, 40)))
  }
  t.ok(count >= 1_000, `${count} texts`)
})

t.test('[MD88] constructs next to each other give valid HTML', async (t) => {
  for (const text of mixedTexts(2_000, 20_260_301)) {
    const faults = findFaults(html(text, { previewedImages: 'all', isTranslatingEmoticons: true }))
    if (faults.length > 0) t.same(faults, [], JSON.stringify(text))
  }
})

t.test(
  '[MD89] each of a thousand long hostile texts is rendered, and so are texts that wait beside them',
  async (t) => {
    // The limit catches endless loops: the time of a text depends on the machine and its load.
    const renderer = new Renderer(1, 60_000)
    t.teardown(() => renderer.close())
    const units = ['https://example.com/a ', 'ada@example.com ', 'http://', 'a.b/', '@**', '[', '> ', '`']
    const longer = units.map((unit) => unit.repeat(Math.ceil(65_536 / unit.length)))
    // A message has at most 10,000 characters; an error of one kind shows in similar ones.
    const longest = [...hostileTexts(10_000)].filter((_, index) => index % 10 === 0)
    const hostile = [...hostileTexts(2_000), ...longest, ...longer]
    t.ok(hostile.length >= 1_000)
    const harmless = `@**Ada Lovelace** *${'x'.repeat(600)}*`
    const wanted = renderMarkdown(harmless, SAMPLE)
    for (let start = 0; start < hostile.length; start += 20) {
      const texts = [...hostile.slice(start, start + 20), harmless]
      const settled = await Promise.allSettled(
        texts.map(async (text) => renderer.renderMessage(text, SAMPLE)),
      )
      t.same(settled.pop(), { status: 'fulfilled', value: wanted })
      for (const [index, one] of settled.entries()) {
        if (one.status === 'fulfilled') continue
        t.match(one.reason, { name: 'RenderError', message: /becomes too long/ }, `text ${start + index}`)
      }
    }
  },
)
