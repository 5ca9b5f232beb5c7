/** The names of imported channels: their own ones, those that the operator chose, or with the product's name behind them. */

import { foldCase } from '../../../packages/rules/fold-case.ts'
import { CHANNEL_NAME_LENGTH_MAX } from '../../domain/limits.ts'
import type { OrganizationState } from '../../state/organization-state.ts'
import { findImported, importKey } from '../../../db/imports/imported-ids.ts'
import type { Sql } from '../../../db/connection/connect.ts'
import { findMergeProblem } from '../../domain/organization/imports.ts'
import { type ForeignSource, ImportError } from './records.ts'

const PRODUCT_NAMES = {
  slack: 'Slack',
  mattermost: 'Mattermost',
  'rocket-chat': 'Rocket.Chat',
  discord: 'Discord',
  zulip: 'Zulip',
  parley: 'Parley',
} as const

/** Names here by those of the report; a channel with a name of a present one comes into that one. */
export type ChosenNames = ReadonlyMap<string, string>

/** The name, or with the product's name behind it if another channel has it. */
export function freeChannelName(
  product: ForeignSource['product'],
  wanted: string,
  isTaken: (name: string) => boolean,
): string {
  const clean = wanted.replaceAll(/[\p{Cc}\p{Cs}\p{Cn}]/gu, ' ').trim() || 'unnamed'
  for (let count = 0; ; count++) {
    const number = count > 1 ? ` ${count}` : ''
    const suffix = count === 0 ? '' : ` (${PRODUCT_NAMES[product]}${number})`
    const room = CHANNEL_NAME_LENGTH_MAX - suffix.length
    const name = Array.from(clean).slice(0, room).join('').trim() + suffix
    if (!isTaken(name)) return name
  }
}

/** The organization that an archive comes into. */
export interface NamesInto {
  readonly sql: Sql
  readonly state: OrganizationState
}

/**
 * Throws an `ImportError` if a name was chosen for a channel that the archive does not have, for two that would both have to be
 * made with it, or for one that cannot come into the present one of this name. Without an organization none is there. For a
 * channel that an earlier run has brought over, the choice is made.
 */
export async function checkChosen(
  { origin, lists: { channels } }: Pick<ForeignSource, 'origin' | 'lists'>,
  chosen: ChosenNames = new Map(),
  into?: NamesInto,
): Promise<void> {
  const unknown = new Set(chosen.keys())
  const made = new Set<string>()
  const wanted = [...channels.values()].filter(({ label }) => chosen.has(label))
  const keyOf = (id: string) => importKey(origin, 'channel', id)
  const known =
    into &&
    (await findImported(
      into.sql,
      wanted.map(({ id }) => keyOf(id)),
    ))
  const state = into?.state
  for (const { id, label, isPrivate } of wanted) {
    const name = chosen.get(label)
    unknown.delete(label)
    if (name === undefined || known?.has(keyOf(id))) continue
    const there = state?.findChannelByName(name)
    if (there) checkMerge(label, isPrivate, there.channel)
    else if (state && made.has(foldCase(name)))
      throw new ImportError(
        `two channels cannot become ${name}: make that channel first, and both come into it`,
      )
    made.add(foldCase(name))
  }
  const [first] = unknown
  if (first !== undefined) throw new ImportError(`the archive has no channel ${first}: --channel names one`)
}

/** Throws an `ImportError` if a channel cannot come into a present one: no one may read more by that. */
export function checkMerge(
  label: string,
  isPrivate: boolean,
  there: { readonly name: string; readonly isPrivate: boolean; readonly isArchived: boolean },
): void {
  const problem = findMergeProblem(isPrivate, there)
  if (problem === undefined) return
  const reason = problem === 'archived' ? 'which is archived' : 'which is public: the channel is private'
  throw new ImportError(`${label} cannot come into the channel ${there.name}, ${reason}`)
}
