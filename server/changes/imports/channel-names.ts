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
 * Throws an `ImportError` if a name was chosen for a channel that the archive does not have, for one that would have to be made with
 * the name of another, chosen or its own, or for one that cannot come into the present one of this name. Without an organization
 * none is there. For a channel that an earlier run has brought over, the choice is made.
 */
export async function checkChosen(
  { product, origin, lists: { channels } }: Pick<ForeignSource, 'product' | 'origin' | 'lists'>,
  chosen: ChosenNames = new Map(),
  into?: NamesInto,
): Promise<void> {
  if (chosen.size === 0) return
  const all = [...channels.values()]
  const labels = new Set(all.map(({ label }) => label))
  const unknown = [...chosen.keys()].find((label) => !labels.has(label))
  if (unknown !== undefined)
    throw new ImportError(`the archive has no channel ${unknown}: --channel names one`)
  if (!into) return
  const { sql, state } = into
  const keyOf = ({ id }: { readonly id: string }) => importKey(origin, 'channel', id)
  const known = await findImported(sql, all.map(keyOf))
  const coming = all.filter((channel) => !known.has(keyOf(channel)))
  const isTaken = (name: string) => state.findChannelByName(name) !== undefined
  const made = new Set(
    coming
      .filter(({ label }) => !chosen.has(label))
      .map(({ name }) => foldCase(freeChannelName(product, name, isTaken))),
  )
  for (const { label, isPrivate } of coming) {
    const name = chosen.get(label)
    if (name === undefined) continue
    const there = state.findChannelByName(name)
    if (there) checkMerge(label, isPrivate, there.channel)
    else if (made.has(foldCase(name)))
      throw new ImportError(
        `two channels cannot become ${name}: make that channel first, and both come into it`,
      )
    else made.add(foldCase(name))
  }
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
