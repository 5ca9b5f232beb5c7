import t from 'tap'
import { renderMarkdown } from '../../workers/pool/markdown/render-markdown.ts'
import { findMentionCandidates } from '../../workers/pool/markdown/find-mention-candidates.ts'
import type { MentionSnapshot } from '../../workers/pool/markdown/snapshot.ts'
import { checkCases, html, p, SAMPLE } from './sample.ts'

const UPLOAD = '/user_uploads/1/ab'
const THUMBNAIL = '/user_uploads/thumbnail/1/ab'
const SPINNER = '/static/images/loading/loader-black.svg'
const ATTRIBUTES = 'data-original-content-type="image/png" data-original-dimensions="128x64"'
const preview = (href: string, inner: string, title?: string) =>
  `<div class="message_inline_image"><a href="${href}"${title === undefined ? '' : ` title="${title}"`}>${inner}</a></div>`
const link = (href: string, text = href) => `<a href="${href}">${text}</a>`

t.test('[MD72] a linked upload is previewed after its paragraph', async (t) => {
  checkCases(t, {
    [`[cat.png](${UPLOAD}/cat.png)`]: `${p(link(`${UPLOAD}/cat.png`, 'cat.png'))}\n${preview(
      `${UPLOAD}/cat.png`,
      `<img ${ATTRIBUTES} src="${THUMBNAIL}/cat.png/840x560.webp">`,
      'cat.png',
    )}`,
    [`[cat.png](https://chat.example.com${UPLOAD}/cat.png)`]: `${p(link(`${UPLOAD}/cat.png`, 'cat.png'))}\n${preview(
      `${UPLOAD}/cat.png`,
      `<img ${ATTRIBUTES} src="${THUMBNAIL}/cat.png/840x560.webp">`,
      'cat.png',
    )}`,
    [`[](${UPLOAD}/moving.gif) b`]: `${p(`${link(`${UPLOAD}/moving.gif`)} b`)}\n${preview(
      `${UPLOAD}/moving.gif`,
      `<img data-animated="true" ${ATTRIBUTES} src="${THUMBNAIL}/moving.gif/840x560-anim.webp">`,
    )}`,
    [`[](${UPLOAD}/phone.heic) b`]: `${p(`${link(`${UPLOAD}/phone.heic`)} b`)}\n${preview(
      `${UPLOAD}/phone.heic`,
      `<img ${ATTRIBUTES} data-transcoded-image="128x64.webp" src="${THUMBNAIL}/phone.heic/840x560.webp">`,
    )}`,
  })
})

t.test('[MD73] an image has a placeholder until its thumbnail exists', async (t) => {
  checkCases(t, {
    [`[n](${UPLOAD}/new.png)`]: `${p(link(`${UPLOAD}/new.png`, 'n'))}\n${preview(
      `${UPLOAD}/new.png`,
      `<img class="image-loading-placeholder" ${ATTRIBUTES} src="${SPINNER}">`,
      'n',
    )}`,
    [`![n](${UPLOAD}/unseen.png)`]: p(
      `<img alt="n" class="inline-image image-loading-placeholder" data-original-content-type="image/png" data-original-src="${UPLOAD}/unseen.png" src="${SPINNER}">`,
    ),
  })
})

t.test('[MD74] an upload that is unknown or no image is a link', async (t) => {
  checkCases(t, {
    '[x](/user_uploads/1/other/x.png)': p(link('/user_uploads/1/other/x.png', 'x')),
    [`[plan](${UPLOAD}/plan.pdf)`]: p(link(`${UPLOAD}/plan.pdf`, 'plan')),
    '![x](/user_uploads/1/other/x.png)': p(`!${link('/user_uploads/1/other/x.png', 'x')}`),
    [`![plan](${UPLOAD}/plan.pdf)`]: p(`!${link(`${UPLOAD}/plan.pdf`, 'plan')}`),
    '![x](https://example.com/a.png)': p(`!${link('https://example.com/a.png', 'x')}`),
  })
})

t.test('[MD75] an uploaded image can be inline, and a sound gets a player', async (t) => {
  const image = (alt: string) =>
    `<img alt="${alt}" class="inline-image" ${ATTRIBUTES} data-original-src="${UPLOAD}/cat.png" src="${THUMBNAIL}/cat.png/840x560.webp">`
  checkCases(t, {
    [`a ![a cat](${UPLOAD}/cat.png) b`]: p(`a ${image('a cat')} b`),
    [`![<"&>](${UPLOAD}/cat.png)`]: p(image('&lt;&quot;&amp;&gt;')),
    [`- ![](${UPLOAD}/cat.png)`]: `<ul>\n<li>${image('')}</li>\n</ul>`,
    [`![song.mp3](${UPLOAD}/song.mp3)`]: p(
      `<audio controls preload="metadata" src="${UPLOAD}/song.mp3" title="song.mp3"></audio>`,
    ),
  })
})

t.test('[MD76] a video is previewed', async (t) => {
  const video = `<div class="message_inline_image message_inline_video"><a href="${UPLOAD}/film.mp4" title="f"><video preload="metadata" src="${UPLOAD}/film.mp4"></video></a></div>`
  checkCases(t, {
    [`[f](${UPLOAD}/film.mp4)`]: `${p(link(`${UPLOAD}/film.mp4`, 'f'))}\n${video}`,
    [`![f](${UPLOAD}/film.mp4)`]: `${p(link(`${UPLOAD}/film.mp4`, 'f'))}\n${video}`,
  })
})

t.test('[MD77] external images are previewed if the organization allows it', async (t) => {
  const url = 'https://example.com/a.png'
  const image = preview(url, `<img src="${url}">`)
  checkCases(
    t,
    {
      [`see ${url}`]: `${p(`see ${link(url)}`)}\n${image}`,
      [url]: image,
      [`${url}\n\nb`]: `${image}${p('b')}`,
      [`[x](${url})`]: `${p(link(url, 'x'))}\n${preview(url, `<img src="${url}">`, 'x')}`,
      [`a ${url} b ${url}`]: `${p(`a ${link(url)} b ${link(url)}`)}\n${image}`,
      [`* a\n* b ${url}`]: `<ul>\n<li>a</li>\n<li>b ${link(url)}${image}</li>\n</ul>`,
      [`> ${url}`]: `<blockquote>\n${p(link(url))}\n</blockquote>`,
      [`# ${url}`]: `<h1>${link(url)}</h1>`,
      'https://example.com/a.png/': p(link('https://example.com/a.png/')),
      'https://example.com/?a.png': p(link('https://example.com/?a.png')),
    },
    { previewedImages: 'all' },
  )
  t.equal(html(url), p(link(url)))
  t.equal(
    html(`[cat.png](${UPLOAD}/cat.png)`, { previewedImages: 'none' }),
    p(link(`${UPLOAD}/cat.png`, 'cat.png')),
  )
})

t.test('[MD78] a message with more than 24 previews gets none', async (t) => {
  const many = (count: number) =>
    Array.from({ length: count }, (_, index) => `https://example.com/${index}.png`)
  const count = (length: number) =>
    html(many(length).join(' '), { previewedImages: 'all' }).split('message_inline_image').length - 1
  t.equal(count(24), 24)
  t.equal(count(25), 0)
})

t.test('[MD94] an upload is recognized by its name, whatever the encoding of the link', async (t) => {
  const path = '/user_uploads/1/ab/Füße 2.png'
  const uploads = [{ ...(SAMPLE.uploads[0] as MentionSnapshot['uploads'][0]), path }]
  const encoded = '/user_uploads/1/ab/F%C3%BC%C3%9Fe%202.png'
  const thumbnail = '/user_uploads/thumbnail/1/ab/F%C3%BC%C3%9Fe%202.png/840x560.webp'
  for (const text of [`[x](${encoded})`, `[x](<${path}>)`]) {
    const found = renderMarkdown(text, { ...SAMPLE, uploads })
    t.match(found.html, `href="${encoded}"`)
    t.match(found.html, `src="${thumbnail}"`)
    t.same(found.attachmentPaths, [path])
  }
  t.same(findMentionCandidates(`[x](${encoded})`).uploadPaths, [path])
})

t.test('[MD79] the renderer reports images and attachments', async (t) => {
  t.match(renderMarkdown(`[x](${UPLOAD}/cat.png) ![y](${UPLOAD}/new.png)`, SAMPLE), {
    hasImage: true,
    hasAttachment: true,
    attachmentPaths: [`${UPLOAD}/new.png`, `${UPLOAD}/cat.png`],
  })
  t.match(renderMarkdown(`![y](${UPLOAD}/song.mp3)`, SAMPLE), { hasImage: false, hasAttachment: true })
})
