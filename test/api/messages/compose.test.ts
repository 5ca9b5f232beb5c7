/** The dialect over HTTP: each rule of the table once, with the names that the caller can see. */

import t from 'tap'
import { renderNotice } from '../../../server/changes/messages/compose-message.ts'
import type { ChannelId, UserId } from '../../../server/domain/ids.ts'
import { EXTRA_EMOJI_NAME } from '../../../server/views/names.ts'
import { commitEvents } from '../../harness/worlds/commit-events.ts'
import { type Person, startTestServer } from '../../harness/servers/start-server.ts'

const server = await startTestServer(t)
const owner = server.as('owner')
const member = server.as('member')
await owner.subscribe(['announce', 'R & D'], { principals: [1, 4, 6] })
await member.subscribe(['secret'], { invite_only: true, history_public_to_subscribers: true })
await member.subscribe(['protected'], { invite_only: true, history_public_to_subscribers: false })
const [ANNOUNCE, R_AND_D, SECRET, PROTECTED] = [1, 2, 3, 4]
const newest = await member.send('announce', 'Release 1.0', 'out')
const untitled = await member.send('announce', '', 'no topic')
const hidden = await member.send('secret', 'plans', 'psst')
const beforeJoining = await member.send('protected', 'plans', 'of old')
await member.subscribe(['protected'], { principals: [5] })
const { group_id: SUPPORT } = await member.must('POST', '/user_groups/create', {
  name: 'support',
  description: '',
  members: [4, 5],
})

const render = async (content: string, person: Person = 'member'): Promise<string> =>
  (await server.as(person).must('POST', '/messages/render', { content })).rendered
const p = (inner: string) => `<p>${inner}</p>`
const user = (id: number, name: string) => `<span class="user-mention" data-user-id="${id}">@${name}</span>`
const everyone = (word: string) =>
  p(`<span class="user-mention channel-wildcard-mention" data-user-id="*">@${word}</span>`)
const code = (inner: string, language = '') =>
  `<div class="codehilite"${language}><pre><span></span><code>${inner}</code></pre></div>`
const topic = (href: string, shown: string) =>
  p(`<a class="stream-topic" data-stream-id="${ANNOUNCE}" href="/#narrow/channel/${href}">${shown}</a>`)

const ROWS: readonly (readonly [text: string, html: string])[] = [
  ['@**The member**', p(user(4, 'The member'))],
  ['@**the MEMBER**', p(user(4, 'The member'))],
  ['@**The member|4**', p(user(4, 'The member'))],
  ['@**|4**', p(user(4, 'The member'))],
  ['@**The bot**', p(user(7, 'The bot'))],
  ['@**The member|5**', p('@<strong>The member|5</strong>')],
  ['@_**The member**', p('<span class="user-mention silent" data-user-id="4">The member</span>')],
  ['@**all**', everyone('all')],
  ['@**everyone**', everyone('everyone')],
  ['@**channel**', everyone('channel')],
  ['@**stream**', everyone('stream')],
  ['@**topic**', p('<span class="topic-mention">@topic</span>')],
  ['@*support*', p(`<span class="user-group-mention" data-user-group-id="${SUPPORT}">@support</span>`)],
  [
    '@_*support*',
    p(`<span class="user-group-mention silent" data-user-group-id="${SUPPORT}">support</span>`),
  ],
  [
    '@_*role:administrators*',
    p('<span class="user-group-mention silent" data-user-group-id="2">Administrators</span>'),
  ],
  [
    '#**announce**',
    p(`<a class="stream" data-stream-id="${ANNOUNCE}" href="/#narrow/channel/1-announce">#announce</a>`),
  ],
  [
    '#**r & d**',
    p(`<a class="stream" data-stream-id="${R_AND_D}" href="/#narrow/channel/2-R-.26-D">#R &amp; D</a>`),
  ],
  [
    '#**announce>release 1.0**',
    topic(`1-announce/topic/release.201.2E0/with/${newest}`, '#announce &gt; release 1.0'),
  ],
  ['#**announce>nothing yet**', topic('1-announce/topic/nothing.20yet', '#announce &gt; nothing yet')],
  ['#**announce>**', topic(`1-announce/topic/with/${untitled}`, '#announce &gt; <em>general chat</em>')],
  [
    `#**announce>Release 1.0@${newest}**`,
    p(
      `<a class="message-link" href="/#narrow/channel/1-announce/topic/Release.201.2E0/near/${newest}">` +
        '#announce &gt; Release 1.0 @ 💬</a>',
    ),
  ],
  [
    ':smile:',
    p('<span aria-label="smile" class="emoji emoji-1f642" role="img" title="smile">:smile:</span>'),
  ],
  [
    '\u{1f642}',
    p('<span aria-label="smile" class="emoji emoji-1f642" role="img" title="smile">:smile:</span>'),
  ],
  [':parley:', p('<img alt=":parley:" class="emoji" src="/static/emoji/parley.png" title="parley">')],
  [
    `:${EXTRA_EMOJI_NAME}:`,
    p(
      `<img alt=":${EXTRA_EMOJI_NAME}:" class="emoji" src="/static/emoji/parley.png" title="${EXTRA_EMOJI_NAME}">`,
    ),
  ],
  ['```py\nx\n```', code('x\n', ' data-code-language="Python"')],
  ['```nosuchlanguage\nx\n```', code('x\n', ' data-code-language="nosuchlanguage"')],
  ['```\n@**all**\n```', code('@**all**\n')],
  ['    x', code('x\n')],
  ['> a', `<blockquote>\n${p('a')}\n</blockquote>`],
  [
    '```quote\n@**The member**\n```',
    `<blockquote>\n${p('<span class="user-mention silent" data-user-id="4">The member</span>')}\n</blockquote>`,
  ],
  [
    '```spoiler end\nthey marry\n```',
    `<div class="spoiler-block"><div class="spoiler-header">\n${p('end')}\n</div>` +
      `<div class="spoiler-content" aria-hidden="true">\n${p('they marry')}\n</div></div>`,
  ],
  ['$$\\nosuch$$', p('<span class="tex-error">$$\\nosuch$$</span>')],
  ['<time:2026-03-01T12:00:00Z>', p('<time datetime="2026-03-01T12:00:00Z">2026-03-01T12:00:00Z</time>')],
  ['https://example.com/a', p('<a href="https://example.com/a">https://example.com/a</a>')],
  ['example.com', p('<a href="http://example.com">example.com</a>')],
  ['ada@example.com', p('<a href="mailto:ada@example.com">ada@example.com</a>')],
  ['[t](https://example.com)', p('<a href="https://example.com">t</a>')],
  [`[t](${server.node.url}/#narrow/channel/1)`, p('<a href="#narrow/channel/1">t</a>')],
  ['*a* **b** ~~c~~ _d_ __e__', p('<em>a</em> <strong>b</strong> <del>c</del> _d_ __e__')],
  ['a\nb', p('a<br>\nb')],
  ['- a\n+ b\n  * c', '<ul>\n<li>a</li>\n<li>b\n<ul>\n<li>c</li>\n</ul>\n</li>\n</ul>'],
  ['<b>a</b>', p('&lt;b&gt;a&lt;/b&gt;')],
  [
    '[a]: https://example.com\n\n[a]',
    `${p('[a]: <a href="https://example.com">https://example.com</a>')}\n${p('[a]')}`,
  ],
  [
    '|a|\n|-|\n|b|',
    '<table>\n<thead>\n<tr>\n<th>a</th>\n</tr>\n</thead>\n<tbody>\n<tr>\n<td>b</td>\n</tr>\n</tbody>\n</table>',
  ],
]

t.test('[COMPOSE1] each rule of the dialect renders as clients expect', async (t) => {
  for (const [text, wanted] of ROWS) t.equal(await render(text), wanted, text)
  t.match(await render('$$x$$'), /^<p><span class="katex">/)
  t.match(await render('```math\nx\n```'), /^<p><span class="katex-display"><span class="katex">/)
})

t.test('[COMPOSE2] a sent message equals its preview', async (t) => {
  const text = '@**The owner** #**announce>Release 1.0** :parley: @_*support*'
  const id = await member.sendDirect([1], text)
  const { message } = await owner.must('GET', `/messages/${id}`)
  t.equal(message.content, await render(text))
  t.match(message.content, /with\/\d+"/)
})

t.test(
  '[COMPOSE3] a channel link to an invisible channel renders like one to an absent channel',
  async (t) => {
    for (const person of ['member2', 'moderator', 'guest', 'bot'] as const) {
      for (const rest of ['', '>plans', '>nothing', `>plans@${hidden}`]) {
        const found = await render(`#**secret${rest}**`, person)
        t.equal(found, (await render(`#**nowhere${rest}**`, person)).replaceAll('nowhere', 'secret'), person)
        t.notMatch(found, /href/)
      }
    }
    t.match(await render('#**secret**'), `data-stream-id="${SECRET}"`)
  },
)

t.test('[COMPOSE4] a guest can link only channels they are subscribed to', async (t) => {
  await owner.subscribe(['members only'])
  t.match(await render('#**announce**', 'guest'), /href/)
  t.equal(await render('#**members only**', 'guest'), p('#<strong>members only</strong>'))
  t.match(await render('#**members only**', 'member2'), /href/)
})

t.test('[COMPOSE5] a topic link leads to the newest message that the author may read', async (t) => {
  t.match(await render('#**secret>plans**'), `/with/${hidden}"`)
  t.match(await render('#**secret>plans**', 'owner'), /topic\/plans">/, 'sees the channel, reads nothing')
  t.match(await render('#**protected>plans**'), `/with/${beforeJoining}"`)
  t.match(await render('#**protected>plans**', 'member2'), `channel/${PROTECTED}-protected/topic/plans">`)
  const sinceJoining = await member.send('protected', 'PLANS', 'of now')
  t.match(await render('#**protected>plans**', 'member2'), `/with/${sinceJoining}"`)
  await owner.must('DELETE', '/users/me/subscriptions', { subscriptions: ['protected'], principals: [5] })
  const sinceLeaving = await member.send('protected', 'plans', 'later')
  t.match(await render('#**protected>plans**'), `/with/${sinceLeaving}"`)
  t.equal(await render('#**protected>plans**', 'member2'), p('#<strong>protected&gt;plans</strong>'))
  await member.subscribe(['protected'], { principals: [5] })
  t.match(
    await render('#**protected>plans**', 'member2'),
    `/with/${sinceJoining}"`,
    'read messages stay unchanged',
  )
  const texts = Array.from({ length: 120 }, (_, index) => `#**announce>${index}**`)
  t.match(await render([...texts, '#**announce>release 1.0**'].join(' ')), /release.201.2E0">/, 'bounded')
})

t.test('[COMPOSE6] a mention of a name that several users have means the first active one', async (t) => {
  const state = server.node.services.state
  const twin = (id: number, isActive: boolean) =>
    ({
      type: 'realm_user/add',
      user: {
        ...state.getUser(4 as UserId),
        id: id as UserId,
        email: `twin${id}@example.com`,
        fullName: 'Ambiguous',
        isActive,
      },
    }) as const
  await commitEvents(server, [twin(8, false), twin(9, true), twin(10, true)])
  t.equal(await render('@**ambiguous**'), p(user(9, 'Ambiguous')))
  t.equal(await render('@**Ambiguous|10**'), p(user(10, 'Ambiguous')))
  t.equal(await render('@**Ambiguous|8**'), p(user(8, 'Ambiguous')))
})

t.test('[COMPOSE7] emoticons become emoji for users with that setting', async (t) => {
  t.equal(await render('a :)'), p('a :)'))
  const change = { name: 'translatesEmoticons', value: true } as const
  await commitEvents(server, [{ type: 'user_settings/update', userId: 4 as UserId, change }])
  for (const text of [':) x', '@**The owner** :)']) t.match(await render(text), /emoji-1f642/)
  t.notMatch(await render(':) x', 'owner'), /emoji/)
})

t.test('[COMPOSE8] files that messages link are served', async (t) => {
  const { url } = server.node
  for (const [path, type] of [
    ['/static/emoji/parley.png', 'image/png'],
    [`/static/generated/emoji/images/emoji/unicode/${EXTRA_EMOJI_NAME}.png`, 'image/png'],
    ['/static/images/loading/loader-black.svg', 'image/svg+xml'],
    ['/static/emoji/names.json', 'application/json'],
    ['/static/generated/emoji/emoji_api.json', 'application/json'],
  ] as const) {
    const response = await fetch(url + path)
    t.equal(response.status, 200, path)
    t.equal(response.headers.get('content-type'), type)
    t.match(response.headers.get('cache-control'), /max-age=\d+/)
    t.ok((await response.arrayBuffer()).byteLength > 100)
  }
})

t.test(
  '[COMPOSE9] a notice shows only what all of its readers may know, and mentions silently',
  async (t) => {
    const { services } = server.node
    const inChannel = (channelId: number, content: string) =>
      renderNotice(content, { kind: 'channel', channelId: channelId as ChannelId }, services)
    const toUsers = (userIds: number[], content: string) =>
      renderNotice(content, { kind: 'direct', userIds: userIds as UserId[] }, services)
    t.equal(
      await inChannel(ANNOUNCE as number, '@_**The member|4** made #**R & D**, not #**secret**. @*support*'),
      p(
        '<span class="user-mention silent" data-user-id="4">The member</span> made ' +
          `<a class="stream" data-stream-id="${R_AND_D}" href="/#narrow/channel/2-R-.26-D">#R &amp; D</a>, ` +
          'not #<strong>secret</strong>. ' +
          `<span class="user-group-mention silent" data-user-group-id="${SUPPORT}">support</span>`,
      ),
    )
    t.match(await inChannel(SECRET as number, '#**secret>plans**'), `/with/${hidden}"`)
    t.match(
      await inChannel(PROTECTED as number, '#**protected>plans**'),
      /topic\/plans">/,
      'its past is closed',
    )
    t.match(await toUsers([4], '#**secret**'), /href/)
    t.notMatch(await toUsers([4, 5], '#**secret**'), /href/)
    t.notMatch(await toUsers([6], '#**members only**'), /href/)
    t.equal(await toUsers([4], 'hello'), p('hello'))
  },
)
