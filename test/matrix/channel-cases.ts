/** The cases of the matrix. */

import {
  type Actor,
  ACTORS,
  type Case,
  type ChannelKind,
  type Grant,
  GRANTS,
  type Holder,
  type Standing,
  STANDINGS,
  USUAL_GRANTS,
} from './channel-rules.ts'

const PRIVACIES: readonly ChannelKind['privacy'][] = [
  'public',
  'web-public',
  'private with shared history',
  'private with protected history',
]

/** Each privacy, archived or not, with the default permissions. */
const PLAIN_KINDS = PRIVACIES.flatMap((privacy) =>
  [false, true].map((isArchived): ChannelKind => ({ privacy, isArchived, grants: USUAL_GRANTS })),
)

/** One permission differs; every holder for the most important ones, one for others. */
const GRANTED_KINDS = GRANTS.flatMap((grant): ChannelKind[] => [
  ...(['self', 'crew', 'fullmembers'] as const).map((holder) =>
    granting('private with protected history', grant, holder),
  ),
  granting('private with shared history', grant, 'self'),
  granting('public', grant, 'crew'),
])

/** Nobody may send, not even administrators; and a user may join a channel that another administers. */
const FURTHER_KINDS: readonly ChannelKind[] = [
  granting('public', 'send', 'nobody'),
  granting('private with shared history', 'send', 'nobody'),
  granting('public', 'remove', 'everyone'),
  granting('private with shared history', 'administer', 'members'),
  granting('private with shared history', 'subscribe', 'members'),
]

/** For a channel, an owner is like an administrator, and a moderator and a bot are like members. */
const GRANTED_ACTORS: readonly Actor[] = ['administrator', 'member', 'newcomer', 'guest']

function granting(privacy: ChannelKind['privacy'], grant: Grant, holder: Holder): ChannelKind {
  return { privacy, isArchived: false, grants: { ...USUAL_GRANTS, [grant]: holder } }
}

/** Every actor in every standing for every plain kind of channel; for others, the affected actors. */
export function listCases(): Case[] {
  return [
    ...PLAIN_KINDS.flatMap((kind) => combine(ACTORS, STANDINGS, kind)),
    ...[...GRANTED_KINDS, ...FURTHER_KINDS].flatMap((kind) => {
      const isPersonal = GRANTS.some((grant) => kind.grants[grant] === 'self')
      // A former subscriber equals a user who never joined, except for messages they read.
      return combine(GRANTED_ACTORS, isPersonal ? STANDINGS : STANDINGS.slice(0, 2), kind)
    }),
  ]
}

function combine(actors: readonly Actor[], standings: readonly Standing[], kind: ChannelKind): Case[] {
  return actors.flatMap((actor) => standings.map((standing): Case => ({ actor, kind, standing })))
}

/** Whether a case differs from the default only by privacy. */
export function isPlain({ kind }: Case): boolean {
  return PLAIN_KINDS.includes(kind)
}

/** A case in words. */
export function describeCase({ actor, kind, standing }: Case): string {
  const grants = GRANTS.filter((grant) => kind.grants[grant] !== USUAL_GRANTS[grant]).map(
    (grant) => ` where ${kind.grants[grant]} may ${grant}`,
  )
  return `${actor}, ${standing}: ${kind.isArchived ? 'archived ' : ''}${kind.privacy}${grants.join('')}`
}
