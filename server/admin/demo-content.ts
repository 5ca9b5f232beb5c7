/** The content of the demo organization: enough to look around, with one example of each kind. */

import type { RoleName } from '../domain/entities.ts'

/** A person or bot of the demo; its address before `@example.com` identifies it below. */
export interface DemoUser {
  readonly name: string
  readonly fullName: string
  readonly role: RoleName
  /** The owner of a bot. */
  readonly owner?: string
}

export const ORGANIZATION = {
  name: 'Parley Demo',
  description: 'A small team, to look around in. Everything here may be changed or thrown away.',
}

/** Owners of bots come before their bots. */
export const USERS: readonly DemoUser[] = [
  { name: 'owner', fullName: 'Ada Brook', role: 'owner' },
  { name: 'administrator', fullName: 'Ben Castillo', role: 'administrator' },
  { name: 'moderator', fullName: 'Chidi Okafor', role: 'moderator' },
  { name: 'member', fullName: 'Dana Lindqvist', role: 'member' },
  { name: 'member2', fullName: 'Emre Yilmaz', role: 'member' },
  { name: 'guest', fullName: 'Fay Tanaka', role: 'guest' },
  { name: 'bot', fullName: 'Build Bot', role: 'member', owner: 'member' },
]

const STAFF = ['owner', 'administrator', 'moderator', 'member', 'member2']

/** Created by the owner. */
export const CHANNELS = [
  {
    name: 'general',
    description: 'For everyone, about anything',
    isPrivate: false,
    subscribers: [...STAFF, 'guest', 'bot'],
  },
  {
    name: 'design',
    description: 'How things look and feel, with *pictures*',
    isPrivate: false,
    subscribers: STAFF,
  },
  {
    name: 'builds',
    description: 'What the build bot has to say',
    isPrivate: false,
    subscribers: ['member', 'member2', 'bot'],
  },
  {
    name: 'leadership',
    description: 'Plans before they are news',
    isPrivate: true,
    subscribers: ['owner', 'administrator', 'moderator'],
  },
] as const

/** In the order of sending. */
export const MESSAGES: readonly {
  readonly from: string
  readonly to: { readonly channel: string; readonly topic: string } | { readonly partners: readonly string[] }
  readonly content: string
}[] = [
  {
    from: 'owner',
    to: { channel: 'general', topic: 'welcome' },
    content:
      'Welcome to **Parley**! Channels hold topics, and topics hold messages: reply here, or start a topic of your own.',
  },
  {
    from: 'member',
    to: { channel: 'general', topic: 'welcome' },
    content: 'Hello everyone. I have brought a bot along; it is harmless.',
  },
  {
    from: 'guest',
    to: { channel: 'general', topic: 'welcome' },
    content: 'Thanks for having me. As a guest I see this channel only.',
  },
  { from: 'moderator', to: { channel: 'general', topic: 'lunch' }, content: 'Soup or noodles?' },
  {
    from: 'member2',
    to: { channel: 'general', topic: 'lunch' },
    content: 'Noodles. The list so far:\n\n1. Emre\n2. Dana\n3. anyone who joins us',
  },
  {
    from: 'administrator',
    to: { channel: 'design', topic: 'colours' },
    content: 'The new palette: `#2f6f4e` for links, `#f4f1ea` behind them.',
  },
  {
    from: 'member2',
    to: { channel: 'design', topic: 'colours' },
    content: '> `#2f6f4e` for links\n\nOn the dark theme that is hard to read. Could it be lighter there?',
  },
  {
    from: 'bot',
    to: { channel: 'builds', topic: 'main' },
    content: 'Build 1 passed in 41 s.\n\n```\n212 tests, 0 failed\n```',
  },
  {
    from: 'owner',
    to: { channel: 'leadership', topic: 'next quarter' },
    content: 'Let us collect ideas here before we tell the others.',
  },
  {
    from: 'member2',
    to: { partners: ['member'] },
    content: 'Does your bot take requests?',
  },
  {
    from: 'member',
    to: { partners: ['member2'] },
    content: 'For noodles, always.',
  },
]
