import t from 'tap'
import { renderMarkdown } from '../../workers/pool/markdown/render-markdown.ts'
import { checkCases, p, SAMPLE } from './sample.ts'

const ADA = '<span class="user-mention" data-user-id="31">@Ada Lovelace</span>'
const SILENT_ADA = '<span class="user-mention silent" data-user-id="31">Ada Lovelace</span>'

t.test('[MD1] a user is mentioned by name, by name and id, or by id alone', async (t) => {
  checkCases(t, {
    '@**Ada Lovelace**': p(ADA),
    '@**ada lovelace**': p(ADA),
    '@**Ada Lovelace|31**': p(ADA),
    '@**|31**': p(ADA),
    'hi @**Ada Lovelace**!': p(`hi ${ADA}!`),
    '(@**Ada Lovelace**)': p(`(${ADA})`),
    '*hi @**Ada Lovelace***': p(`<em>hi ${ADA}</em>`),
    '@**Sam**': p('<span class="user-mention" data-user-id="33">@Sam</span>'),
    '@**Sam|34**': p('<span class="user-mention" data-user-id="34">@Sam</span>'),
    '@**Bar | 12**': p('<span class="user-mention" data-user-id="36">@Bar | 12</span>'),
    '@**Ada Lovelace** @**Sam|34**': p(`${ADA} <span class="user-mention" data-user-id="34">@Sam</span>`),
  })
})

t.test('[MD2] users missing from the snapshot are not mentioned', async (t) => {
  checkCases(t, {
    'Hey @**Nobody Here**': p('Hey @<strong>Nobody Here</strong>'),
    '@**Ada Lovelace|32**': p('@<strong>Ada Lovelace|32</strong>'),
    '@**Sam|99**': p('@<strong>Sam|99</strong>'),
    '@*nobodies*': p('@<em>nobodies</em>'),
    '@Ada Lovelace': p('@Ada Lovelace'),
    'a@**Ada Lovelace**': p('a@<strong>Ada Lovelace</strong>'),
    '@**Ada\nLovelace**': p('@**Ada<br>\nLovelace**'),
    '`@**Ada Lovelace**`': p('<code>@**Ada Lovelace**</code>'),
  })
})

t.test('[MD3] names are escaped', async (t) => {
  checkCases(t, {
    '@**Zoë <b>**': p('<span class="user-mention" data-user-id="32">@Zoë &lt;b&gt;</span>'),
  })
})

t.test('[MD4] a silent mention has its class and no sign', async (t) => {
  checkCases(t, {
    '@_**Ada Lovelace**': p(SILENT_ADA),
    '@_**Ada Lovelace|31**': p(SILENT_ADA),
    '@_*support*': p('<span class="user-group-mention silent" data-user-group-id="17">support</span>'),
    '@_*role:administrators*': p(
      '<span class="user-group-mention silent" data-user-group-id="5">Administrators</span>',
    ),
    '@_**all**': p('<span class="user-mention channel-wildcard-mention silent" data-user-id="*">all</span>'),
  })
})

t.test(
  '[MD5] wildcards mention everyone in a channel or topic, with precedence over users of that name',
  async (t) => {
    const channel = (word: string) =>
      p(`<span class="user-mention channel-wildcard-mention" data-user-id="*">@${word}</span>`)
    checkCases(t, {
      '@**all**': channel('all'),
      '@**everyone**': channel('everyone'),
      '@**channel**': channel('channel'),
      '@**stream**': channel('stream'),
      '@**topic**': p('<span class="topic-mention">@topic</span>'),
      '@**all|35**': p('<span class="user-mention" data-user-id="35">@all</span>'),
      '@all': p('@all'),
    })
  },
)

t.test('[MD6] a group is mentioned by name; a deactivated one only silently', async (t) => {
  checkCases(t, {
    '@*support*': p('<span class="user-group-mention" data-user-group-id="17">@support</span>'),
    '@*Support*': p('<span class="user-group-mention" data-user-group-id="17">@support</span>'),
    '@*gone*': p('<span class="user-group-mention silent" data-user-group-id="19">gone</span>'),
    '@*board*': p('<span class="user-group-mention" data-user-group-id="18">@board</span>'),
    '@**support**': p('@<strong>support</strong>'),
  })
})

t.test('[MD7] mentions in quotes are silent', async (t) => {
  const quoted = `<blockquote>\n<p>${SILENT_ADA}</p>\n</blockquote>`
  checkCases(t, {
    '> @**Ada Lovelace**': quoted,
    '```quote\n@**Ada Lovelace**\n```': quoted,
    '> a\n\n@**Ada Lovelace**': `<blockquote>\n<p>a</p>\n</blockquote>\n${p(ADA)}`,
    '> @*support*':
      '<blockquote>\n<p><span class="user-group-mention silent" data-user-group-id="17">support</span></p>\n</blockquote>',
  })
})

t.test('[MD8] the renderer reports loud and silent mentions, each once', async (t) => {
  const text =
    '@**Ada Lovelace** @**Ada Lovelace|31** @_**Sam** @*support* @*board* @_*board* @**all** @**topic** @**everyone**\n\n> @**Zoë <b>** @**all**'
  const rendered = renderMarkdown(text, SAMPLE)
  t.match(rendered, {
    mentionedUserIds: [31],
    silentlyMentionedUserIds: [33, 32],
    mentionedGroupIds: [17],
    silentlyMentionedGroupIds: [18],
    forbiddenGroupIds: [18],
    wildcards: ['all', 'topic'],
  })
  t.same(renderMarkdown('`@**all**` @**Nobody**', SAMPLE).wildcards, [])
  t.same(renderMarkdown('> @**all**', SAMPLE).wildcards, [])
})

t.test('[MD9] a mention within a link counts once', async (t) => {
  const rendered = renderMarkdown('[see @**Ada Lovelace**](https://example.com)', SAMPLE)
  t.equal(rendered.html, p(`<a href="https://example.com">see ${ADA}</a>`))
  t.same(rendered.mentionedUserIds, [31])
})
