import t from 'tap'
import { findMentionCandidates } from '../../workers/pool/markdown/find-mention-candidates.ts'
import { renderMarkdown } from '../../workers/pool/markdown/render-markdown.ts'

t.test('[MD80] a text that begins with /me names its sender', async (t) => {
  t.match(renderMarkdown('/me waves'), { isMeMessage: true, html: '<p>/me waves</p>' })
  t.match(renderMarkdown('/me'), { isMeMessage: false })
  t.match(renderMarkdown('x /me waves'), { isMeMessage: false })
  t.match(renderMarkdown('/mean'), { isMeMessage: false })
})

t.test('[MD81] /poll and /todo open a widget', async (t) => {
  t.equal(renderMarkdown('/poll Lunch?\nyes\nno').submessage, 'poll')
  t.equal(renderMarkdown('/poll').submessage, 'poll')
  t.equal(renderMarkdown('/todo\na').submessage, 'todo')
  t.equal(renderMarkdown('/polls').submessage, null)
  t.equal(renderMarkdown('a /poll').submessage, null)
})

t.test('[MD82] without a snapshot no mentions are made, and everything else is rendered', async (t) => {
  const rendered = renderMarkdown('@**Ada** @**all** #**x** `a` :smile:')
  t.match(rendered, { mentionedUserIds: [], wildcards: ['all'], linkedChannelIds: [] })
  t.match(rendered.html, /class="emoji/)
})

t.test('[MD83] the names that a text may refer to are found beforehand', async (t) => {
  const text =
    'hi @**Ada Lovelace|31** @_**Sam** @*support* @**|7** #**announce** #**R & D>plans@12** :party_cat:tada: ' +
    '[f](/user_uploads/1/ab/cat.png) https://chat.example.com/user_uploads/2/x.pdf a@**b** ` @**code**`'
  t.same(findMentionCandidates(text), {
    userNames: ['Ada Lovelace|31', 'Sam', '|7', 'code'],
    userIds: [31, 7],
    groupNames: ['support'],
    channelNames: ['announce', 'R & D', 'R & D>plans@12'],
    topics: [{ channelName: 'R & D', topic: 'plans' }],
    emojiNames: ['party_cat', 'tada'],
    uploadPaths: ['/user_uploads/1/ab/cat.png', '/user_uploads/2/x.pdf'],
  })
})

t.test('[MD84] a text without names has no candidates', async (t) => {
  const none = {
    userNames: [],
    userIds: [],
    groupNames: [],
    channelNames: [],
    topics: [],
    emojiNames: [],
    uploadPaths: [],
  }
  for (const text of ['', 'hello', 'a@example.com', '# head', '12:30', 'x'.repeat(10_000)]) {
    t.same(findMentionCandidates(text), none)
  }
})
