/** Says in the report of a dry run which names are taken and what would come instead, and who has an account here. */

import { findImported, importKey } from '../../../db/imports/imported-ids.ts'
import { findCustomEmoji } from '../../domain/organization/custom-emoji.ts'
import { foldCase } from '../../../packages/rules/fold-case.ts'
import { checkChosen, type ChosenNames, freeChannelName, type NamesInto } from './channel-names.ts'
import { TAKEN_EMOJI } from './load-emoji.ts'
import type { ForeignSource } from './records.ts'
import type { Report } from './report.ts'

/** Without an organization only names that the archive itself has twice are taken. */
export async function planNames(
  source: ForeignSource,
  report: Report,
  chosen: ChosenNames | undefined,
  into: NamesInto | undefined,
): Promise<void> {
  await checkChosen(source, chosen, into)
  await planChannels(source, report, chosen, into)
  if (into) await planOthers(source, report, into)
}

async function planChannels(
  { product, origin, lists }: ForeignSource,
  report: Report,
  chosen: ChosenNames | undefined,
  into: NamesInto | undefined,
): Promise<void> {
  const planned = new Set<string>()
  const isTaken = (name: string) =>
    planned.has(foldCase(name)) || into?.state.findChannelByName(name) !== undefined
  const keyOf = (id: string) => importKey(origin, 'channel', id)
  const channels = [...lists.channels.values()]
  const known =
    into &&
    (await findImported(
      into.sql,
      channels.map(({ id }) => keyOf(id)),
    ))
  const repeated = repeatedOf(channels.map(({ label }) => label))
  for (const { id, label, name: wanted, isPrivate } of channels) {
    if (known?.has(keyOf(id))) {
      report.channels.created--
      report.channels.already_imported++
      continue
    }
    const own = chosen?.get(label)
    const there = own === undefined ? undefined : into?.state.findChannelByName(own)?.channel
    if (there) {
      report.channels.created--
      report.channels.merged++
    }
    const name = there?.name ?? freeChannelName(product, own ?? wanted, isTaken)
    planned.add(foldCase(name))
    // A choice names a channel by its label, so two with the same label cannot be distinguished.
    if (own === undefined && !repeated.has(label) && name !== freeChannelName(product, wanted, isNever)) {
      const channelId = into?.state.findChannelByName(wanted)?.channel.id ?? null
      report.planned.taken.push({ name: label, importedAs: name, channelId, isPrivate })
    }
    if (name === wanted) continue
    if (!there) report.channels.renamed++
    report.place(label).imported_as = name
  }
}

const isNever = () => false

/** The labels that stand there twice. */
function repeatedOf(labels: readonly string[]): ReadonlySet<string> {
  const seen = new Set<string>()
  return new Set(labels.filter((label) => seen.size === seen.add(label).size))
}

async function planOthers({ origin, lists }: ForeignSource, report: Report, into: NamesInto): Promise<void> {
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
