/** A channel in which much happens, and everything that people arrange: for pictures and checks of every view. */

import type { Client } from '../harness/client/client.ts'
import type { Person, TestServer } from '../harness/servers/start-server.ts'
import { drawImage } from '../harness/client/upload.ts'
import { mustPostFile } from '../harness/client/user-files.ts'
import { fillTeam } from './fill-team.ts'

/** The channel and its topics, as addresses have them. */
export const BUSY = {
  channel: '#narrow/channel/4-release',
  topic: '#narrow/channel/4-release/topic/Release.202.2E4',
  rendered: '#narrow/channel/4-release/topic/how.20it.20renders',
} as const

const LONG_CODE = Array.from(
  { length: 48 },
  (_, line) => `  { id: ${line + 1}, name: 'step ${line + 1}', run: () => steps.run(${line + 1}) },`,
).join('\n')

const RENDERED: readonly string[] = [
  '# Everything in one place\nA list:\n* of **bold**, *slanted* and ~~struck~~ words\n* with `code`, a [link](https://example.com/a) and **[a bold one](https://example.com/b)**\n  * one deeper\n\n1. first\n2. second\n\n> A quote of one line, by @_**Noor Haddad**.\n\n---\nAnd the end.',
  '| Step | Owner | State | Minutes | What is left to do |\n|---|---|---:|---:|---|\n| Build | Maya | done | 12 | nothing |\n| Rehearse | Tomás | running | 41 | read the log of the second machine |\n| Announce | Noor | waiting | 5 | the picture, the price, and the date on the front page |',
  'The sum: $$\\sum_{i=1}^{n} i = \\frac{n(n+1)}{2}$$ and apart:\n```math\n\\int_0^\\infty e^{-x^2}\\,dx = \\frac{\\sqrt{\\pi}}{2}\n```',
  '```spoiler Who won?\nThe green one, by a nose.\n```',
  'Until <time:2026-03-10T09:00:00+01:00> we wait. #**engineering** and #**launch>press** know of it, @**all** too.',
  '🎉 🍜',
  '/me waters the plants',
]

/** Fills a server, and returns the ids of what pictures point at. */
export async function fillBusy(
  server: TestServer,
): Promise<{ readonly pollId: number; readonly lastId: number }> {
  await fillTeam(server)
  const [owner, member, moderator, other] = [
    server.as('owner'),
    server.as('member'),
    server.as('moderator'),
    server.as('member2'),
  ]
  const everybody = [owner, member, moderator, other, server.as('administrator'), server.as('guest')]
  await subscribe(owner, everybody, [
    { name: 'release', description: 'What ships on Thursday, and what stands in its way' },
    { name: 'research', description: 'Reading, and what we learn by it' },
    { name: 'random', description: 'Anything' },
  ])
  await subscribe(owner, [owner, member, moderator], [{ name: 'leads', description: 'For a few' }], {
    invite_only: true,
  })
  await writeRelease(server)
  for (const text of RENDERED) await member.send('release', 'how it renders', text)
  await owner.send('release', 'how it renders', `\`\`\`ts\nexport const STEPS = [\n${LONG_CODE}\n]\n\`\`\``)
  const pollId = await talkOn(server)
  for (const topic of [
    'Index of names',
    'Flaky uploads',
    'a topic with a very long name that does not fit its row',
  ])
    await moderator.send('research', topic, 'One more page to read.')
  await owner.sendDirect([member.userId, moderator.userId], 'The three of us at ten?')
  await other.sendDirect([member.userId], 'תודה!')
  const lastId = await owner.send('random', 'lunch', 'The new place has a queue already')
  await arrange(server, lastId)
  await owner.must('POST', `/messages/${pollId}/pin`, { kind: 'topic' })
  await owner.must('POST', `/messages/${lastId}/pin`)
  return { pollId, lastId }
}

async function subscribe(
  by: Client,
  people: readonly Client[],
  subscriptions: readonly { readonly name: string; readonly description: string }[],
  more: Readonly<Record<string, unknown>> = {},
): Promise<void> {
  await by.must('POST', '/users/me/subscriptions', {
    subscriptions,
    principals: people.map(({ userId }) => userId),
    send_new_subscription_messages: false,
    ...more,
  })
}

/** A conversation with pictures, quotes, code, reactions and a mention. */
async function writeRelease(server: TestServer): Promise<void> {
  const say = (person: Person, text: string) => server.as(person).send('release', 'Release 2.4', text)
  const moderator = server.as('moderator')
  const notes = await mustPostFile(moderator, '# Steps\n', 'runbook-2.4.md')
  const rehearsed = await say(
    'moderator',
    `Migration rehearsed on a copy of production: **41 s**, no locks over 200 ms. Steps are in [runbook-2.4.md](${notes}).`,
  )
  await react(server, rehearsed, ['owner', 'member', 'member2', 'guest'], 'tada')
  await react(server, rehearsed, ['administrator'], 'eyes')
  await say('member', '> no locks over 200 ms\n\nLovely. Which statement held longest?')
  await say(
    'moderator',
    "```sql\nupdate uploads set kind = 'image'\n where kind is null and id between $1 and $2;  -- 5,000 rows at a time\n```",
  )
  await say('moderator', 'It ran twice, to be sure.')
  await say('moderator', 'The second time it was faster, since the pages were in memory already.')
  const pictures: string[] = []
  for (const [name, color, width, height] of [
    ['trace.png', '#0b7a75', 900, 420],
    ['before.png', '#c2691c', 480, 320],
    ['after.png', '#3f6fb5', 480, 640],
  ] as const)
    pictures.push(
      `[${name}](${await mustPostFile(server.as('owner'), await drawImage(color, { width, height }), name)})`,
    )
  await say(
    'owner',
    `@**Maya Lindqvist** can you look at the upload test once more? It fails about one time in fifty here.\n${pictures[0]}`,
  )
  const row = await say('owner', pictures.slice(1).join(' '))
  for (const name of [
    '+1',
    'heart',
    'rocket',
    'tada',
    'eyes',
    'fire',
    'wave',
    'joy',
    'octopus',
    'bulb',
    'bug',
    'sparkles',
  ])
    await react(
      server,
      row,
      name === 'heart' || name === 'rocket' ? ['member', 'member2', 'guest'] : ['moderator'],
      name,
    )
  await say(
    'guest',
    'Readers ask for the date: https://example.com/a/very/long/address/without/any/space/that/has/to/be/broken/somewhere/by/the/browser?and=parameters',
  )
}

/** A poll, a to-do list and the last words; returns the id of the poll. */
async function talkOn(server: TestServer): Promise<number> {
  const say = (person: Person, text: string) => server.as(person).send('release', 'Release 2.4', text)
  const pollId = await say(
    'administrator',
    '/poll When do we announce?\nThursday, with the release\nFriday morning',
  )
  for (const [index, people] of [['owner', 'member', 'guest'], ['moderator']].entries())
    for (const person of people as Person[])
      await server.as(person).must('POST', '/submessage', {
        message_id: pollId,
        msg_type: 'widget',
        content: JSON.stringify({ type: 'vote', key: `canned,${index}`, vote: 1 }),
      })
  await say('owner', '/todo Before Thursday\nRead the notes: twice\nAsk the press')
  await say('member', 'Found it: the second request ends the first one’s `body`. The fix is on the way.')
  return pollId
}

async function react(server: TestServer, id: number, people: readonly Person[], name: string): Promise<void> {
  for (const person of people)
    await server.as(person).must('POST', `/messages/${id}/reactions`, { emoji_name: name })
}

/** Folders, statuses, groups, drafts and what is sent later, of the member, who wants to be reminded of a message. */
async function arrange(server: TestServer, messageId: number): Promise<void> {
  const tomorrow = Math.floor(Date.now() / 1_000) + 86_400
  const [owner, member] = [server.as('owner'), server.as('member')]
  const { channel_folder_id: product } = await owner.must('POST', '/channel_folders/create', {
    name: 'Product',
  })
  for (const channel of [4, 5]) await owner.must('PATCH', `/streams/${channel}`, { folder_id: product })
  await member.must('POST', '/users/me/status', { status_text: 'Focus until 15:00', emoji_name: 'herb' })
  await owner.must('POST', '/users/me/status', { status_text: 'In a meeting', emoji_name: 'calendar' })
  await owner.must('POST', '/user_groups/create', {
    name: 'release crew',
    description: 'People who ship',
    members: [owner.userId, member.userId],
  })
  await member.must('POST', '/drafts', {
    drafts: [
      { type: 'stream', to: [3], topic: 'press', content: 'The text is **nearly** done' },
      { type: 'private', to: [owner.userId], topic: '', content: 'I will be late' },
    ],
  })
  await member.must('POST', '/scheduled_messages', {
    type: 'channel',
    to: 3,
    topic: 'press',
    content: 'Good morning! The notes are out.',
    scheduled_delivery_timestamp: tomorrow,
  })
  await member.must('POST', '/reminders', { message_id: messageId, scheduled_delivery_timestamp: tomorrow })
}
