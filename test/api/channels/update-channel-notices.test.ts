import t from 'tap'
import type { Fields } from '../../harness/client/client.ts'
import { commitEvents } from '../../harness/worlds/commit-events.ts'
import { channelIdOf } from '../../harness/worlds/set-up-channel.ts'
import { startTestServer } from '../../harness/servers/start-server.ts'

const server = await startTestServer(t)
const owner = server.as('owner')
const settle = (sendsChannelEvents: boolean) =>
  commitEvents(server, [{ type: 'realm/update_dict', changes: { settings: { sendsChannelEvents } } }])
await settle(true)

/** The Markdown of the newest notices of a channel, oldest first, without the one of its creation. */
async function noticesOf(name: string, topic = 'channel events'): Promise<string[]> {
  const { messages } = await owner.must('GET', '/messages', {
    anchor: 'newest',
    num_before: 100,
    num_after: 0,
    apply_markdown: false,
    allow_empty_topic_name: true,
    narrow: [
      ['channel', name],
      ['topic', topic],
    ],
  })
  return messages
    .map(({ content }: { content: string }) => content)
    .filter((content: string) => !content.includes('created by'))
}
async function update(name: string, fields: Fields): Promise<void> {
  await owner.must('PATCH', `/streams/${channelIdOf(server, name)}`, fields)
}

t.test('[CHUP31] a channel gets notices of its changes, with old and new values', async (t) => {
  await owner.subscribe(['plain'])
  const folder = {
    id: 1 as never,
    name: 'Team',
    description: '',
    renderedDescription: '',
    createdAt: 1,
    creatorId: null,
  }
  await commitEvents(server, [{ type: 'channel_folder/add', folder: { ...folder, isArchived: false } }])
  await update('plain', { new_name: 'fancy' })
  await update('fancy', { description: 'Of *all*' })
  await update('fancy', { description: '' })
  await update('fancy', { is_private: true })
  await update('fancy', { history_public_to_subscribers: true })
  await update('fancy', { message_retention_days: 1 })
  await update('fancy', { message_retention_days: 'unlimited' })
  await update('fancy', { message_retention_days: 'realm_default' })
  await update('fancy', { can_send_message_group: { new: 2 } })
  await update('fancy', { folder_id: 1 })
  await update('fancy', { folder_id: null })
  const by = '@_**The owner|1**'
  const retention = (before: string, after: string) =>
    `${by} changed the message retention period for this channel:\n` +
    `* **Old retention period**: ${before}\n* **New retention period**: ${after}`
  const organizationDefault = 'Organization default (Forever)'
  t.same(await noticesOf('fancy'), [
    `${by} renamed channel \`plain\` to \`fancy\`.`,
    `${by} changed the description for this channel.\n\n**Old description:**\n\n*No description.*\n\n**New description:**\n\n> Of *all*`,
    `${by} changed the description for this channel.\n\n**Old description:**\n\n> Of *all*\n\n**New description:**\n\n*No description.*`,
    `${by} changed the access permissions for this channel from **Public** to **Private, protected history**.`,
    `${by} changed the access permissions for this channel from **Private, protected history** to **Private, shared history**.`,
    retention(organizationDefault, '1 day'),
    retention('1 day', 'Forever'),
    retention('Forever', organizationDefault),
    `${by} changed who can send messages to this channel (\`can_send_message_group\`).`,
    `${by} moved this channel from no folder to folder \`Team\`.`,
    `${by} moved this channel from folder \`Team\` to no folder.`,
  ])
})

t.test('[CHUP32] names and descriptions are escaped in notices', async (t) => {
  const names = ['`tick', '**bold** [x](http://a.example)', '```', '  ` `` ']
  await owner.subscribe(['start'])
  for (const [index, name] of names.entries())
    await update(index === 0 ? 'start' : (names[index - 1] as string).trim(), { new_name: name })
  const last = (names.at(-1) as string).trim()
  const { messages } = await owner.must('GET', '/messages', {
    anchor: 'newest',
    num_before: 4,
    num_after: 0,
    narrow: [['channel', last]],
  })
  const shown = messages.map(({ content }: { content: string }) =>
    [...content.matchAll(/<code>(.*?)<\/code>/g)].map(([, text]) => text?.trim()),
  )
  t.same(shown, [
    ['start', '`tick'],
    ['`tick', '**bold** [x](http://a.example)'],
    ['**bold** [x](http://a.example)', '```'],
    ['```', '` ``'],
  ])
})

t.test('[CHUP33] no notice is sent if nothing changes or the organization turns notices off', async (t) => {
  await owner.subscribe(['quiet'])
  await update('quiet', { description: '', topics_policy: 'allow_empty_topic' })
  await settle(false)
  await update('quiet', { description: 'unheard' })
  await settle(true)
  t.same(await noticesOf('quiet'), [])
})

t.test(
  '[CHUP34] a channel with only the empty topic gets notices there; an archived one gets none',
  async (t) => {
    await settle(false)
    await owner.subscribe(['one topic'])
    await settle(true)
    await update('one topic', { topics_policy: 'empty_topic_only' })
    await update('one topic', { new_name: 'single' })
    t.same(await noticesOf('single', ''), ['@_**The owner|1** renamed channel `one topic` to `single`.'])
    await owner.must('DELETE', `/streams/${channelIdOf(server, 'single')}`)
    await update('single', { new_name: 'gone' })
    await update('gone', { is_archived: false })
    t.same(await noticesOf('gone', ''), [
      '@_**The owner|1** renamed channel `one topic` to `single`.',
      '@_**The owner|1** unarchived channel `gone`.',
    ])
  },
)
