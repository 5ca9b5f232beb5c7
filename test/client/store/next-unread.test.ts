/** The next unread conversation, from the state of a real server. */

import t from 'tap'
import type { State } from '../../../client/store/apply.ts'
import { nextOf, unreadConversations, unreadDirects } from '../../../client/store/derived/next-unread.ts'
import { REGISTRATION } from '../../../client/store/registration.ts'
import { ofDirect, ofTopic, term } from '../../../client/store/narrows/narrow.ts'
import type { Fields } from '../../harness/client/client.ts'
import { startTestServer } from '../../harness/servers/start-server.ts'

const server = await startTestServer(t)
const [owner, member] = [server.as('owner'), server.as('member')]

t.test(
  '[STORE46] unread conversations are visited in the order of the side, muted ones left out',
  async (t) => {
    await owner.subscribe(['beta'], { principals: [1, 4] })
    await owner.subscribe(['alpha'], { principals: [1, 4] })
    await owner.send('beta', 'one', 'text')
    await owner.send('beta', 'two', 'text')
    await owner.send('beta', 'muted', 'text')
    await owner.send('alpha', 'three', 'text')
    await owner.sendDirect([4], 'text')
    await member.must('POST', '/user_topics', { stream_id: 1, topic: 'muted', visibility_policy: 1 })
    const state = (await member.register(REGISTRATION as Fields)).state as unknown as State
    const narrows = unreadConversations(state)
    const [direct, three, two, one] = [
      ofDirect([1]),
      ofTopic(2, 'three'),
      ofTopic(1, 'two'),
      ofTopic(1, 'one'),
    ]
    t.same(narrows, [direct, three, two, one])
    t.same(unreadDirects(state), [direct])
    t.same(nextOf(narrows, undefined), direct, 'it begins with the first')
    t.same(nextOf(narrows, [...three, term('near', 4)]), two)
    t.same(nextOf(narrows, one), direct, 'after the last it begins again')
    t.same(nextOf(narrows, ofTopic(1, 'read')), direct)
    t.equal(nextOf([one], one), undefined)
    t.equal(nextOf([], one), undefined)
  },
)
