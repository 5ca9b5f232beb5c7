import t from 'tap'
import { renderMarkdown } from '../../workers/pool/markdown/render-markdown.ts'
import { checkCases, p, SAMPLE } from './sample.ts'

t.test('[MD10] a channel is linked by its name', async (t) => {
  const announce = '<a class="stream" data-stream-id="9" href="/#narrow/channel/9-announce">#announce</a>'
  checkCases(t, {
    '#**announce**': p(announce),
    '#**Announce**': p(announce),
    'see #**announce**.': p(`see ${announce}.`),
    '(#**announce**)': p(`(${announce})`),
    '#**R & D**': p(
      '<a class="stream" data-stream-id="10" href="/#narrow/channel/10-R-.26-D">#R &amp; D</a>',
    ),
    '> #**announce**': `<blockquote>\n${p(announce)}\n</blockquote>`,
  })
})

t.test('[MD11] a channel that the sender cannot see is not linked', async (t) => {
  checkCases(t, {
    '#**secret**': p('#<strong>secret</strong>'),
    '#**secret>plans**': p('#<strong>secret&gt;plans</strong>'),
    'a#**announce**': p('a#<strong>announce</strong>'),
    '#announce': p('#announce'),
    '`#**announce**`': p('<code>#**announce**</code>'),
  })
})

t.test('[MD12] a topic link leads to its newest message, if it has one', async (t) => {
  const open = '<a class="stream-topic" data-stream-id="9" href="/#narrow/channel/9-announce/topic/'
  checkCases(t, {
    '#**announce>Release 1.0**': p(`${open}Release.201.2E0/with/214">#announce &gt; Release 1.0</a>`),
    '#**announce>release 1.0**': p(`${open}release.201.2E0/with/214">#announce &gt; release 1.0</a>`),
    '#**announce>new one**': p(`${open}new.20one">#announce &gt; new one</a>`),
    '#**announce>a>b**': p(`${open}a.3Eb">#announce &gt; a&gt;b</a>`),
    "#**announce>(it's) 100%!**": p(`${open}.28it.27s.29.20100.25.21">#announce &gt; (it's) 100%!</a>`),
    '#**announce><b>**': p(`${open}.3Cb.3E">#announce &gt; &lt;b&gt;</a>`),
    '#**announce>**': p(
      '<a class="stream-topic" data-stream-id="9" href="/#narrow/channel/9-announce/topic/with/215">#announce &gt; <em>general chat</em></a>',
    ),
    '#**announce>general chat**': p(
      '<a class="stream-topic" data-stream-id="9" href="/#narrow/channel/9-announce/topic/with/215">#announce &gt; <em>general chat</em></a>',
    ),
    '#**R & D>(no topic)**': p(
      '<a class="stream-topic" data-stream-id="10" href="/#narrow/channel/10-R-.26-D/topic/">#R &amp; D &gt; <em>general chat</em></a>',
    ),
    '#**R & D>**': p(
      '<a class="stream-topic" data-stream-id="10" href="/#narrow/channel/10-R-.26-D/topic/">#R &amp; D &gt; <em>general chat</em></a>',
    ),
  })
})

t.test('[MD13] a message is linked by its id', async (t) => {
  const open = '<a class="message-link" href="/#narrow/channel/9-announce/topic/'
  checkCases(t, {
    '#**announce>Release 1.0@214**': p(
      `${open}Release.201.2E0/near/214">#announce &gt; Release 1.0 @ 💬</a>`,
    ),
    '#**announce>@214**': p(`${open}/near/214">#announce &gt; <em>general chat</em> @ 💬</a>`),
    '#**announce>a@b**': p(
      '<a class="stream-topic" data-stream-id="9" href="/#narrow/channel/9-announce/topic/a.40b">#announce &gt; a@b</a>',
    ),
  })
})

t.test('[MD106] a channel whose name has a > is linked, unless a shorter name is one', async (t) => {
  const upDown = 'data-stream-id="11" href="/#narrow/channel/11-up-.3E-down'
  checkCases(t, {
    '#**up > down**': p(`<a class="stream" ${upDown}">#up &gt; down</a>`),
    '#**up > down>lunch > tea**': p(
      `<a class="stream-topic" ${upDown}/topic/lunch.20.3E.20tea">#up &gt; down &gt; lunch &gt; tea</a>`,
    ),
    '#**up > down>x@7**': p(
      '<a class="message-link" href="/#narrow/channel/11-up-.3E-down/topic/x/near/7">#up &gt; down &gt; x @ 💬</a>',
    ),
    '#**announce>here**': p(
      '<a class="stream-topic" data-stream-id="9" href="/#narrow/channel/9-announce/topic/here">#announce &gt; here</a>',
    ),
    '#**a>b>c>d>e**': p(
      '<a class="stream" data-stream-id="13" href="/#narrow/channel/13-a.3Eb.3Ec.3Ed.3Ee">#a&gt;b&gt;c&gt;d&gt;e</a>',
    ),
    // Each arrow is another name to look for: those of longer names are not tried.
    '#**a>b>c>d>e>f**': p(
      '<a class="stream-topic" data-stream-id="13" href="/#narrow/channel/13-a.3Eb.3Ec.3Ed.3Ee/topic/f">#a&gt;b&gt;c&gt;d&gt;e &gt; f</a>',
    ),
    '#**up > nowhere**': p('#<strong>up &gt; nowhere</strong>'),
  })
})

t.test('[MD14] links do not nest', async (t) => {
  checkCases(t, {
    '[#**announce**](https://example.com)': p('<a href="https://example.com">#<strong>announce</strong></a>'),
    '[example.com #12](https://example.com)': p('<a href="https://example.com">example.com #12</a>'),
  })
})

t.test('[MD15] the renderer reports linked channels', async (t) => {
  const rendered = renderMarkdown(
    '#**announce** #**announce>x** #**announce>X** #**R & D>y@7** #**no**',
    SAMPLE,
  )
  t.match(rendered, {
    linkedChannelIds: [9, 10],
    linkedTopics: [
      { channelId: 9, topic: /^x$/i },
      { channelId: 10, topic: 'y' },
    ],
    linkedMessageIds: [7],
    hasLink: false,
  })
  t.equal(rendered.linkedTopics.length, 2)
})
