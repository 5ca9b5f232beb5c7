/** The combinations that the matrix runs through. */

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

/** Each privacy, archived or not, with the usual grants. */
const PLAIN_KINDS = PRIVACIES.flatMap((privacy) =>
  [false, true].map((isArchived): ChannelKind => ({ privacy, isArchived, grants: USUAL_GRANTS })),
)

/** One grant differs; every holder where it matters most, one elsewhere. */
const GRANTED_KINDS = GRANTS.flatMap((grant): ChannelKind[] => [
  ...(['self', 'crew', 'fullmembers'] as const).map((holder) =>
    granting('private with protected history', grant, holder),
  ),
  granting('private with shared history', grant, 'self'),
  granting('public', grant, 'crew'),
])

/** Nobody may send, not even administrators; and one may join what another administers. */
const FURTHER_KINDS: readonly ChannelKind[] = [
  granting('public', 'send', 'nobody'),
  granting('private with shared history', 'send', 'nobody'),
  granting('public', 'remove', 'everyone'),
  granting('private with shared history', 'administer', 'members'),
  granting('private with shared history', 'subscribe', 'members'),
]

/** An owner is an administrator to a channel; a moderator and a bot are members. */
const GRANTED_ACTORS: readonly Actor[] = ['administrator', 'member', 'newcomer', 'guest']

function granting(privacy: ChannelKind['privacy'], grant: Grant, holder: Holder): ChannelKind {
  return { privacy, isArchived: false, grants: { ...USUAL_GRANTS, [grant]: holder } }
}

/** Every actor in every standing before every plain kind of channel; before others, those whom it may concern. */
export function listCases(): Case[] {
  return [
    ...PLAIN_KINDS.flatMap((kind) => combine(ACTORS, STANDINGS, kind)),
    ...[...GRANTED_KINDS, ...FURTHER_KINDS].flatMap((kind) => {
      const isPersonal = GRANTS.some((grant) => kind.grants[grant] === 'self')
      // Who left is one who never came, but for what they have read.
      return combine(GRANTED_ACTORS, isPersonal ? STANDINGS : STANDINGS.slice(0, 2), kind)
    }),
  ]
}

function combine(actors: readonly Actor[], standings: readonly Standing[], kind: ChannelKind): Case[] {
  return actors.flatMap((actor) => standings.map((standing): Case => ({ actor, kind, standing })))
}

/** Whether nothing but its privacy sets the channel of a case apart. */
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
