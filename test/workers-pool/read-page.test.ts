import t from 'tap'
import { PageReader } from '../../workers/pool/page-reader.ts'
import { readPage } from '../../workers/pool/pages/read-page.ts'

const URL_OF_PAGE = 'https://site.test/a/page'
const read = (html: string | Uint8Array, contentType = 'text/html; charset=utf-8') =>
  readPage({
    bytes: typeof html === 'string' ? Buffer.from(html) : html,
    contentType,
    url: URL_OF_PAGE,
  })
const meta = (name: string, content: string) => `<meta property="${name}" content="${content}">`

t.test('[PREVIEW1] the words and the picture of a page are those that it states for previews', async (t) => {
  t.same(
    read(`<!doctype html><html><head><title>Plain &amp; simple</title>
      ${meta('og:title', 'Open &quot;Graph&quot;')}${meta('og:description', 'What it\n  is')}
      ${meta('og:site_name', 'The Site')}${meta('og:image', '/picture.png?a=1&amp;b=2')}
      ${meta('og:title', 'a second title')}</head><body>${meta('og:title', 'of the body')}`),
    {
      title: 'Open "Graph"',
      description: 'What it is',
      siteName: 'The Site',
      imageUrl: 'https://site.test/picture.png?a=1&b=2',
    },
  )
  t.same(read('<title>\n Only\ta title </title><meta name="Description" content="of a search engine">'), {
    title: 'Only a title',
    description: 'of a search engine',
    siteName: '',
    imageUrl: '',
  })
  t.match(read(meta('twitter:title', 'Card') + meta('twitter:image', 'https://cdn.test/x.jpg')), {
    title: 'Card',
    imageUrl: 'https://cdn.test/x.jpg',
  })
  t.match(read(`<base href="https://base.test/b/">${meta('og:image', 'x.png')}`), {
    imageUrl: 'https://base.test/b/x.png',
  })
  for (const odd of [
    'javascript:alert(1)',
    'data:image/png;base64,x',
    'http://',
    `https://x.test/${'a'.repeat(2_000)}`,
  ])
    t.equal(read(meta('og:image', odd)).imageUrl, '', odd)
  t.same(read(''), { title: '', description: '', siteName: '', imageUrl: '' })
  t.same(read('{"no": "page"}').title, '')
})

t.test('[PREVIEW2] only the head counts: scripts, comments and the body say nothing', async (t) => {
  const inside = meta('og:title', 'hidden')
  for (const html of [
    `<script>var a = '${inside}'</script>`,
    `<style>${inside}</style>`,
    `<!-- ${inside} -->`,
    `<template>${inside}</template>`,
    `<noscript>${inside}</noscript>`,
    `<title>${inside}</title>`,
    `<head></head>${inside}`,
    `<p>${inside}`,
    `<svg>${inside}`,
  ])
    t.not(read(`${html}<title>shown</title>`).title, 'hidden', html)
  t.equal(read(`<script>if (a < b) {}</script>${meta('og:title', 'after')}`).title, 'after')
})

t.test('[PREVIEW3] a page is read in the encoding that it states', async (t) => {
  const latin = Buffer.from('<meta charset="ISO-8859-1"><title>Grüße</title>', 'latin1')
  t.equal(read(latin, 'text/html').title, 'Grüße')
  t.equal(
    read(Buffer.from('<title>Grüße</title>', 'latin1'), 'text/html; charset="iso-8859-15"').title,
    'Grüße',
  )
  t.equal(
    read(
      Buffer.concat([Buffer.from('<title>'), Buffer.from([0x93, 0xfa, 0x96, 0x7b]), Buffer.from('</title>')]),
      'text/html; charset=Shift_JIS',
    ).title,
    '日本',
  )
  t.equal(read(Buffer.from('\ufeff<title>Ω</title>', 'utf16le'), 'text/html').title, 'Ω')
  t.equal(read('<meta charset="utf-16"><title>é</title>', 'text/html').title, 'é')
  t.equal(read('<title>é</title>', 'text/html; charset=klingon').title, 'é')
  t.equal(
    read(Buffer.from([0x3c, 0x74, 0x69, 0x74, 0x6c, 0x65, 0x3e, 0xff, 0xfe, 0x41])).title,
    '\ufffd\ufffdA',
  )
})

t.test('[PREVIEW4] words are one line without hidden characters, and have a limit', async (t) => {
  t.equal(read('<title>a\u202eb\u0000c\u200bd\u2028e</title>').title, 'ab cd e')
  const long = read(`<title>${'😀'.repeat(500)}</title>${meta('description', 'x'.repeat(5_000))}`)
  t.equal(Array.from(long.title).length, 200)
  t.ok(long.title.endsWith('😀…'))
  t.equal(long.description.length, 400)
  t.equal(read(`<title>${'y'.repeat(200_000)}`).title, '', 'a title without an end')
})

t.test('[PREVIEW5] a hostile page takes no time', async (t) => {
  // Each takes seconds if it is parsed as a whole: the thread of the test would end by its limit.
  const reader = new PageReader(2_000)
  t.teardown(() => reader.close())
  for (const [html, title] of [
    ['<div>'.repeat(200_000), ''],
    ['<p><table>'.repeat(100_000), ''],
    ['<title>x</title>' + '<template>'.repeat(100_000), 'x'],
    ['<'.repeat(1_000_000), ''],
    [`<meta ${'a '.repeat(400_000)}>`, ''],
    ['<meta property="og:title" content="x">'.repeat(30_000), 'x'],
    [`<!-- ${'-'.repeat(1_000_000)}`, ''],
    ['<noscript>'.repeat(100_000), ''],
    ['<html>'.repeat(150_000), ''],
    ['<head>'.repeat(150_000), ''],
  ] as const) {
    const page = { bytes: Buffer.from(html), contentType: 'text/html', url: URL_OF_PAGE }
    t.equal((await reader.read(page)).title, title, html.slice(0, 20))
  }
})
