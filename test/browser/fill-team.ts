/** A team with conversations as in a real one, for pictures and checks of every view. */

import type { Client } from '../harness/client/client.ts'
import type { Person, TestServer } from '../harness/servers/start-server.ts'

/** Names of the people of the team; one is written from right to left. */
export const NAMES: Readonly<Partial<Record<Person, string>>> = {
  owner: 'Noor Haddad',
  administrator: 'Ines Moreau',
  moderator: 'Tomás Oliveira',
  member: 'Maya Lindqvist',
  member2: 'יעל כהן',
  guest: 'Samuel Osei',
}

const CHANNELS = [
  { name: 'engineering', description: 'How we build it' },
  { name: 'design', description: 'How it looks and feels' },
  { name: 'launch', description: 'Everything for the tenth of March' },
] as const

/** Lines of conversations: channel, topic, writer, text. */
const LINES: readonly (readonly [string, string, Person, string])[] = [
  ['engineering', 'faster search', 'member', 'The new index answers in **12 ms** now, from 90.'],
  ['engineering', 'faster search', 'owner', 'Great! How?'],
  [
    'engineering',
    'faster search',
    'member',
    'One pass fewer over the rows:\n```ts\nconst found = index.find(words)\nreturn found.slice(0, LIMIT)\n```',
  ],
  ['engineering', 'faster search', 'member2', 'נהדר! אבדוק את זה מחר בבוקר.'],
  ['engineering', 'backups', 'moderator', 'Last night’s backup was restored on the spare machine: all well.'],
  [
    'design',
    'empty states',
    'administrator',
    'Each empty view now says what to do next. @**Maya Lindqvist**, could you read the texts?',
  ],
  ['design', 'empty states', 'member', 'I will, this afternoon.'],
  [
    'launch',
    'press',
    'owner',
    '> When is the text ready?\n\nOn Thursday. Three questions are open:\n1. the date\n2. the price\n3. the picture',
  ],
  ['launch', 'press', 'guest', 'The picture is done: https://example.com/picture'],
  ['launch', 'a topic with a name that is long, as people write in a hurry', 'moderator', 'Fixed.'],
]

/** Fills a server with a team: names, channels, conversations, a starred message and one that mentions. */
export async function fillTeam(server: TestServer): Promise<void> {
  const owner = server.as('owner')
  await owner.must('PATCH', '/realm', { name: 'Northwind Labs', description: 'We make *quiet* machines.' })
  for (const [person, full_name] of Object.entries(NAMES) as [Person, string][])
    await owner.must('PATCH', `/users/${server.as(person).userId}`, { full_name })
  await owner.must('POST', '/users/me/subscriptions', {
    subscriptions: CHANNELS,
    principals: (Object.keys(NAMES) as Person[]).map((person) => server.as(person).userId),
    send_new_subscription_messages: false,
  })
  let last = 0
  for (const [channel, topic, person, content] of LINES)
    last = await server.as(person).send(channel, topic, content)
  const member = server.as('member')
  await member.must('POST', '/messages/flags', { messages: [last], op: 'add', flag: 'starred' })
  await talk([server.as('owner'), member], ['Lunch at noon?', 'Yes! The noodle place?', 'See you there 🍜'])
}

/** Direct messages, in turns. */
async function talk([one, two]: readonly [Client, Client], texts: readonly string[]): Promise<void> {
  for (const [index, text] of texts.entries())
    await (index % 2 === 0 ? one.sendDirect([two.userId], text) : two.sendDirect([one.userId], text))
}
