/** Says in the report of a dry run which names are taken, and what would come instead. */

import { findImported, importKey } from '../../../db/imports/imported-ids.ts'
import type { Sql } from '../../../db/connection/connect.ts'
import { findCustomEmoji } from '../../domain/organization/custom-emoji.ts'
import { foldCase } from '../../../packages/rules/fold-case.ts'
import type { OrganizationState } from '../../state/organization-state.ts'
import { checkChosen, type ChosenNames, freeChannelName } from './channel-names.ts'
import { TAKEN_EMOJI } from './load-emoji.ts'
import type { ForeignSource } from './records.ts'
import type { Report } from './report.ts'

/** The organization that the archive would come into. */
interface Into {
  readonly sql: Sql
  readonly state: OrganizationState
}

/** Without an organization only names that the archive itself has twice are taken. */
export async function planNames(
  source: ForeignSource,
  report: Report,
  chosen: ChosenNames | undefined,
  into: Into | undefined,
): Promise<void> {
  checkChosen(source.lists, chosen, into?.state)
  await planChannels(source, report, chosen, into)
  if (into) await planOthers(source, report, into)
}

async function planChannels(
  { product, origin, lists }: ForeignSource,
  report: Report,
  chosen: ChosenNames | undefined,
  into: Into | undefined,
): Promise<void> {
  const planned = new Set<string>()
  const isTaken = (name: string) =>
    planned.has(foldCase(name)) || into?.state.findChannelByName(name) !== undefined
  const keyOf = (id: string) => importKey(origin, 'channel', id)
  const ids = [...lists.channels.values()].map(({ id }) => id)
  const known = into && (await findImported(into.sql, ids.map(keyOf)))
  for (const channel of lists.channels.values()) {
    if (known?.has(keyOf(channel.id))) {
      report.channels.created--
      report.channels.already_imported++
      continue
    }
    const own = chosen?.get(channel.label)
    const there = own === undefined ? undefined : into?.state.findChannelByName(own)?.channel
    if (there) {
      report.channels.created--
      report.channels.merged++
    }
    const name = there?.name ?? freeChannelName(product, own ?? channel.name, isTaken)
    planned.add(foldCase(name))
    if (name === channel.name) continue
    if (!there) report.channels.renamed++
    report.place(channel.label).imported_as = name
  }
}

async function planOthers({ origin, lists }: ForeignSource, report: Report, into: Into): Promise<void> {
  const { sql, state } = into
  const isNew = async (kind: string, id: string) => {
    const key = importKey(origin, kind, id)
    return !(await findImported(sql, [key])).has(key)
  }
  const groups = new Set([...state.groups.groups.values()].map(({ group }) => foldCase(group.name)))
  for (const { id, name } of lists.groups.values())
    if (groups.has(foldCase(name)) && (await isNew('group', id)))
      report.lose({ place: undefined, reason: 'a group of people', example: `${name}: the name is taken` })
  for (const { name } of lists.emoji.values())
    if (findCustomEmoji(state.emoji, name) && (await isNew('emoji', name)))
      report.lose({ place: undefined, reason: TAKEN_EMOJI, example: `:${name}:` })
}
