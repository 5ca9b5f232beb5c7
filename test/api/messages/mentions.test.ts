/** Mentions: flags in events and pages, wildcards, groups, and permissions. */

import t from 'tap'
import { composeMessage } from '../../../server/changes/messages/compose-message.ts'
import { findMentions } from '../../../server/decisions/messages/find-mentions.ts'
import { fail } from '../../../server/errors/api-error.ts'
import type { UserId } from '../../../server/domain/ids.ts'
import { MESSAGE_FLAGS } from '../../../server/domain/messages/message-flags.ts'
import type { OrganizationPermissions } from '../../../server/domain/groups/permissions.ts'
import { UserSet } from '../../../server/domain/users/user-set.ts'
import { addCrowd } from '../../harness/worlds/add-crowd.ts'
import type { Client, Fields } from '../../harness/client/client.ts'
import { expectConsistent } from '../../harness/states/expect-consistent.ts'
import { expectRefusal } from '../../harness/client/expect-refusal.ts'
import { type Person, startTestServer } from '../../harness/servers/start-server.ts'

const server = await startTestServer(t, { redis: true })
const PEOPLE = ['owner', 'administrator', 'moderator', 'member', 'member2', 'guest', 'bot'] as const
const owner = server.as('owner')
const member = server.as('member')
await owner.subscribe(['town'], { principals: [1, 4, 5, 6, 7] })

const ALL = ['stream_wildcard_mentioned', 'wildcard_mentioned']
const TOPIC = ['topic_wildcard_mentioned', 'wildcard_mentioned']

/** The flags of a message for each of its readers, without `read`. */
async function flagsOf(id: number): Promise<Record<string, string[]>> {
  const found: Record<string, string[]> = {}
  for (const person of PEOPLE) {
    const { status, body } = await server.as(person).get(`/messages/${id}`)
    if (status !== 200) continue
    const flags = body.message.flags.filter((flag: string) => flag !== 'read' && flag !== 'historical')
    if (flags.length > 0) found[person] = flags
  }
  return found
}
async function sayInTown(content: string, person: Person = 'owner', topic = 'news') {
  return flagsOf(await server.as(person).send('town', topic, content))
}
async function createGroup(name: string, members: number[], fields: Fields = {}): Promise<number> {
  const wanted = { name, description: '', members, ...fields }
  return (await member.must('POST', '/user_groups/create', wanted)).group_id
}
async function setPermission(permissions: Partial<OrganizationPermissions>): Promise<void> {
  const { committer, state } = server.node.services
  const all = { ...state.permissions, ...permissions }
  const audience = { kind: 'users', users: state.rights.activeUsers } as const
  const event = { type: 'realm/update_dict', changes: { permissions: all } } as const
  await committer.submit({
    kind: 'structure',
    decide: () => ({ events: [{ event, audience }], reply: () => undefined }),
  })
}
async function unreadMentions(person: Person): Promise<number[]> {
  const { state } = await server
    .as(person)
    .register({ fetch_event_types: ['message', 'update_message_flags'] })
  return state.unread_msgs.mentions
}
const MESSAGES = { event_types: ['message'] }
const attempt = (client: Client, fields: Fields) =>
  client.post('/messages', { type: 'channel', to: 'town', topic: 'news', ...fields })

t.test('[MENTION1] mentioned recipients get the flag with the message and in their counts', async (t) => {
  const events = await expectConsistent(server, () =>
    owner.send('town', 'news', '@**The member** and @_**The guest**'),
  )
  t.same(events.owner?.[0].flags, [])
  t.same(events.member?.[0].flags, ['mentioned'])
  t.same(events.guest?.[0].flags, [])
  const id = events.member?.[0].message.id
  t.ok((await unreadMentions('member')).includes(id))
  t.notOk((await unreadMentions('guest')).includes(id))
  t.same(await flagsOf(id), { member: ['mentioned'] })
})

t.test('[MENTION2] authors and bots are mentioned like other users', async (t) => {
  t.same(await sayInTown('@**The owner** @**The bot**'), { owner: ['mentioned'], bot: ['mentioned'] })
})

t.test('[MENTION3] a mentioned user who does not receive the message gets no flag', async (t) => {
  const id = await owner.send('town', 'news', '@**The moderator**')
  const { message } = await server.as('moderator').must('GET', `/messages/${id}`)
  t.match(message.content, 'data-user-id="3"')
  t.same(await flagsOf(id), {})
})

t.test('[MENTION4] a quoted, silent or code mention sets no flag', async (t) => {
  t.same(await sayInTown('> @**The member**\n\n`@**The member**` @_**The member** @_**all** @_**topic**'), {})
})

t.test(
  '[MENTION5] a group mention flags its members who receive the message, subgroups included',
  async (t) => {
    const inner = await createGroup('inner', [5, 3])
    await createGroup('outer', [4], { subgroups: [inner] })
    t.same(await sayInTown('@*outer*'), { member: ['mentioned'], member2: ['mentioned'] })
    t.same(await sayInTown('@_*outer*'), {})
    t.same(await flagsOf(await owner.sendDirect([4], '@*outer*')), { member: ['mentioned'] })
  },
)

t.test('[MENTION6] a group mention needs its permission; a silent mention does not', async (t) => {
  await createGroup('closed', [5], { can_mention_group: { direct_members: [5], direct_subgroups: [] } })
  const refused = "You are not allowed to mention user group 'closed'."
  for (const client of [owner, member, server.as('guest')]) {
    expectRefusal(t, await attempt(client, { content: 'hi @*Closed*' }), refused)
    const direct = { type: 'direct', to: [5], content: '@*closed*' }
    expectRefusal(t, await client.post('/messages', direct), refused)
    t.equal((await attempt(client, { content: '@_*closed*' })).status, 200)
    t.equal((await attempt(client, { content: '> @*closed*' })).status, 200)
    t.match(await client.must('POST', '/messages/render', { content: '@*closed*' }), { rendered: /@closed/ })
  }
  t.same(await sayInTown('@*closed*', 'member2'), { member2: ['mentioned'] })
  expectRefusal(
    t,
    await attempt(owner, { content: '@*role:members*' }),
    "You are not allowed to mention user group 'role:members'.",
  )
})

t.test('[MENTION7] a deactivated group mentions nobody', async (t) => {
  const id = await createGroup('gone', [5])
  t.same(await sayInTown('@*gone*'), { member2: ['mentioned'] })
  await member.must('POST', `/user_groups/${id}/deactivate`)
  t.same(await sayInTown('@*gone*'), {})
})

t.test('[MENTION8] permissions and memberships are checked at the commit', async (t) => {
  const id = await createGroup('narrowed', [5])
  const { services } = server.node
  const author = services.state.getUser(1 as UserId)
  const audience = { kind: 'direct', userIds: [] } as const
  const composed = await composeMessage('@*narrowed*', author, audience, services)
  const recipients = UserSet.of([1, 4, 5] as UserId[])
  const decide = () => findMentions({ state: services.state, caller: author, fail }, composed, recipients)
  t.same(decide(), { mentions: [[5, MESSAGE_FLAGS.mentioned]] })
  await member.must('POST', `/user_groups/${id}/members`, { add: [4, 6] })
  t.same(
    decide().mentions?.map(([userId]) => userId),
    [4, 5],
  )
  await member.must('PATCH', `/user_groups/${id}`, { can_mention_group: { new: 8 } })
  t.throws(decide, { message: "You are not allowed to mention user group 'narrowed'." })
  await member.must('POST', `/user_groups/${id}/deactivate`)
  t.same(decide(), {}, 'a group deactivated meanwhile mentions nobody')
})

t.test('[WILDCARD1] a channel wildcard mentions everyone who receives the message', async (t) => {
  const everyone = { owner: ALL, member: ALL, member2: ALL, guest: ALL, bot: ALL }
  for (const word of ['all', 'everyone', 'channel', 'stream']) {
    t.same(await sayInTown(`@**${word}**`, 'guest'), everyone, word)
  }
  const queues = [await member.register(MESSAGES), await server.as('guest').register(MESSAGES)] as const
  const id = await owner.send('town', 'news', '@**all** @**The member**')
  t.match(await member.events(queues[0]), [{ flags: ['mentioned', ...ALL] }])
  t.match(await server.as('guest').events(queues[1]), [{ flags: ALL }])
  t.ok((await unreadMentions('guest')).includes(id))
})

t.test(
  '[WILDCARD2] a topic wildcard mentions users who wrote or reacted there, in any case of its name',
  async (t) => {
    await server.as('member2').send('town', 'Lunch', 'pizza?')
    const id = await server.as('guest').send('town', 'LUNCH', 'yes')
    await server.as('bot').must('POST', `/messages/${id}/reactions`, { emoji_name: 'heart' })
    t.same(await sayInTown('@**topic** @**The guest**', 'member', 'lunch'), {
      member: TOPIC,
      member2: TOPIC,
      guest: ['mentioned', ...TOPIC],
      bot: TOPIC,
    })
    t.same(await sayInTown('@**topic**', 'owner', 'a new one'), { owner: TOPIC })
  },
)

t.test(
  '[WILDCARD3] in a direct message the channel wildcard mentions all participants, and the topic wildcard nobody',
  async (t) => {
    t.same(await flagsOf(await owner.sendDirect([4, 6], '@**all**')), { owner: ALL, member: ALL, guest: ALL })
    t.same(await flagsOf(await owner.sendDirect([4, 6], '@**topic** @**The guest**')), {
      guest: ['mentioned'],
    })
  },
)

t.test('[MENTION9] a queue narrowed to mentions gets those by name', async (t) => {
  const queue = await member.register({ event_types: ['message'], narrow: [['is', 'mentioned']] })
  const other = await server.as('guest').register({ event_types: ['message'], narrow: [['is', 'mentioned']] })
  const id = await owner.send('town', 'news', '@**The member**')
  await owner.send('town', 'news', 'nobody')
  t.same(
    (await member.events(queue)).map(({ message }) => message.id),
    [id],
  )
  t.same(await server.as('guest').events(other), [])
})

t.test('[MENTION10] a client that reconnects to another process gets the same flags', async (t) => {
  const queue = await server.as('member2').register(MESSAGES)
  await createGroup('late', [5])
  await owner.send('town', 'late', '@*late*')
  await owner.send('town', 'late', '@**all**')
  await server.as('member2').send('town', 'late', '@**topic**')
  await owner.sendDirect([5], '@**The member2** @**The member**')
  const other = await server.startAnotherNode()
  const events = await other.as('member2').events(queue)
  t.same(
    events.map(({ flags }) => flags.filter((flag: string) => flag !== 'read')),
    [['mentioned'], ALL, TOPIC, ['mentioned']],
  )
})

t.test('[MENTION11] a retry returns the message it sent, unchanged', async (t) => {
  const queue = await owner.register(MESSAGES)
  const fields = { content: '@**The member** @*late*', queue_id: queue.queueId, local_id: '1.1' }
  const first = await attempt(owner, fields)
  const again = await attempt(owner, fields)
  t.same(again.body, first.body)
  t.same(await flagsOf(first.body.id), { member: ['mentioned'], member2: ['mentioned'] })
})

t.test('[MENTION12] messages of one sender keep their order, whatever each has to load', async (t) => {
  const texts = ['#**town>news** first', 'second', '@**topic** third', '```py\nx\n```', 'fifth']
  const ids = await Promise.all(texts.map((content) => owner.send('town', 'order', content)))
  t.same(
    ids,
    [...ids].sort((a, b) => a - b),
  )
})

t.test('[WILDCARD4] a wildcard needs the permission if there are more than fifteen recipients', async (t) => {
  const crowd = await addCrowd(server, 13, 1_700_000_000)
  await owner.subscribe(['square'], { principals: [1, 4, ...crowd] })
  const channel = {
    code: 'STREAM_WILDCARD_MENTION_NOT_ALLOWED',
    msg: 'You do not have permission to use channel wildcard mentions in this channel.',
  }
  const topic = {
    code: 'TOPIC_WILDCARD_MENTION_NOT_ALLOWED',
    msg: 'You do not have permission to use topic wildcard mentions in this topic.',
  }
  const say = (client: Client, content: string) => attempt(client, { to: 'square', topic: 'many', content })
  t.equal((await say(member, '@**all**')).status, 200, 'fifteen')
  await server.as('guest').sendDirect([4], '@**all**')
  await owner.subscribe(['square'], { principals: [5] })
  expectRefusal(t, await say(member, '@**everyone**'), channel.msg, { code: channel.code })
  t.equal((await say(member, '@_**all** > @**The owner**')).status, 200)
  t.equal((await say(owner, '@**all**')).status, 200)
  t.equal((await say(member, '@**topic**')).status, 200, 'few take part')

  const { committer } = server.node.services
  const channelId = server.node.services.state.findChannelByName('square')?.channel.id ?? null
  await Promise.all(
    crowd.map((senderId) =>
      committer.submit({
        kind: 'messages',
        decide: () => ({
          events: [
            {
              event: {
                type: 'message',
                channelId,
                conversationId: null,
                userIds: null,
                topic: 'many',
                senderId,
                content: 'hi',
                rendered: '<p>hi</p>',
                sentAt: 1_700_000_000,
                client: 'test',
                readById: null,
                queueId: null,
                localId: null,
              },
              audience: { kind: 'subscribers', channelId: channelId as never },
            },
          ],
          reply: () => undefined,
        }),
      }),
    ),
  )
  t.equal((await say(member, '@**topic**')).status, 200, 'fifteen')
  t.equal((await say(server.as('member2'), 'me too')).status, 200)
  expectRefusal(t, await say(member, '@**topic**'), topic.msg, { code: topic.code })
  t.equal((await say(owner, '@**topic**')).status, 200)
  t.equal((await attempt(member, { to: 'square', topic: 'few', content: '@**topic**' })).status, 200)

  await setPermission({ canMentionManyUsers: { directMembers: [4 as never], directSubgroups: [] } })
  expectRefusal(t, await say(owner, '@**all**'), channel.msg, { code: channel.code })
  expectRefusal(t, await say(owner, '@**topic**'), topic.msg, { code: topic.code })
  t.equal((await say(member, '@**all** @**topic**')).status, 200)
})
