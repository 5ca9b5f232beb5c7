/** The report of an import for owners, within bounds: an archive may have any number of channels and reasons. */

import {
  arrayOf,
  BOOLEAN,
  INTEGER,
  NUMBER,
  oneOf,
  orNull,
  record,
  STRING,
  type ValueOf,
} from '../../domain/json-schema.ts'
import { IMPORT_LISTED_NAMES_MAX } from '../../domain/limits.ts'
import type { PlannedNames } from '../../domain/organization/imports.ts'
import type { LeftOut, PlaceReport, Report } from './report.ts'

/** Channels and conversations, those with most messages first. */
const PLACES_MAX = 1_000
/** Reasons in one place, the most frequent first, and examples of each. */
const REASONS_MAX = 20
const EXAMPLES_MAX = 3
/** UTF-16 units of a name that the archive has. */
const NAME_LENGTH_MAX = 100

const LEFT_OUT = arrayOf(record({ reason: STRING, count: INTEGER, examples: arrayOf(STRING) }))
const PLACE = record({
  name: STRING,
  imported_as: orNull(STRING),
  kind: oneOf('public', 'private', 'direct', 'unknown'),
  messages: INTEGER,
  already_imported: INTEGER,
  topics: INTEGER,
  reactions: INTEGER,
  files_as_links: INTEGER,
  members: INTEGER,
  left_out: LEFT_OUT,
})

/** Schema of a report. `estimated_…` are those of a dry run. */
export const IMPORT_REPORT = record(
  {
    seconds: NUMBER,
    users: record({
      created: INTEGER,
      matched: INTEGER,
      already_imported: INTEGER,
      deactivated: INTEGER,
      bots: INTEGER,
      placeholders: INTEGER,
    }),
    channels: record(
      { created: INTEGER, already_imported: INTEGER, archived: INTEGER, renamed: INTEGER },
      // Into channels that were here; reports of the first release do not have it.
      { merged: INTEGER },
    ),
    messages: INTEGER,
    already_imported: INTEGER,
    topics: INTEGER,
    files: INTEGER,
    files_as_links: INTEGER,
    left_out: LEFT_OUT,
    places: arrayOf(PLACE),
    /** Places with fewer messages, which are not listed. */
    more_places: INTEGER,
  },
  {
    estimated_minutes: INTEGER,
    estimated_disk_mib: INTEGER,
    /** `imported_as` is the name if nobody chooses one, and `stream_id` the channel here that has its name. */
    taken_channels: arrayOf(
      record({ name: STRING, imported_as: STRING, stream_id: orNull(INTEGER), is_private: BOOLEAN }),
    ),
    /** People with accounts here, by their addresses. */
    matched_people: arrayOf(record({ name: STRING, user_id: INTEGER })),
  },
)

/** The figures of a run or a dry run beside its report. */
interface Head {
  readonly seconds: number
  readonly estimated_minutes?: number
  readonly estimated_disk_mib?: number
}

export function reportForOwner(
  { seconds, estimated_minutes, estimated_disk_mib }: Head,
  report: Report,
): ValueOf<typeof IMPORT_REPORT> {
  const { pictures: _, stars: __, ...users } = report.users
  const { messages, already_imported, topics, files, files_as_links } = report.summary()
  const places = [...report.places].sort((one, other) => countOf(other) - countOf(one))
  return {
    seconds,
    ...(estimated_minutes === undefined ? {} : { estimated_minutes }),
    ...(estimated_disk_mib === undefined ? {} : { estimated_disk_mib, ...viewPlanned(report) }),
    users,
    channels: report.channels,
    messages,
    already_imported,
    topics,
    files,
    files_as_links,
    left_out: bound(report.leftOutOfAll),
    places: places.slice(0, PLACES_MAX).map(viewPlace),
    more_places: Math.max(places.length - PLACES_MAX, 0),
  }
}

/** Names that a report cannot hold whole are left out, so that nobody chooses for one: those channels get their new names. */
function viewPlanned({ planned: { taken, matched } }: Report) {
  return {
    taken_channels: taken
      .filter(({ name }) => cut(name) === name)
      .slice(0, IMPORT_LISTED_NAMES_MAX)
      .map(({ name, importedAs, channelId, isPrivate }) => ({
        name,
        imported_as: importedAs,
        stream_id: channelId,
        is_private: isPrivate,
      })),
    matched_people: matched
      .slice(0, IMPORT_LISTED_NAMES_MAX)
      .map(({ name, userId }) => ({ name: cut(name), user_id: userId })),
  }
}

/** The names of channels that the report of a check plans. */
export function plannedNames({
  places,
  taken_channels: taken = [],
}: ValueOf<typeof IMPORT_REPORT>): PlannedNames {
  const takenNames = new Set(taken.map(({ name }) => name))
  return {
    taken: taken.map(({ name, imported_as: importedAs, is_private: isPrivate }) => ({
      name,
      importedAs,
      isPrivate,
    })),
    others: places
      .filter(({ name, kind }) => (kind === 'public' || kind === 'private') && !takenNames.has(name))
      .map(({ name, imported_as: here }) => here ?? name),
  }
}

const countOf = ({ messages, already_imported: known }: PlaceReport) => messages + known

function viewPlace({ name, imported_as, left_out, ...counts }: PlaceReport) {
  return { name: cut(name), imported_as: imported_as ?? null, ...counts, left_out: bound(left_out) }
}

function bound(reasons: readonly LeftOut[]) {
  return [...reasons]
    .sort((one, other) => other.count - one.count)
    .slice(0, REASONS_MAX)
    .map(({ reason, count, examples }) => ({
      reason: cut(reason),
      count,
      examples: examples.slice(0, EXAMPLES_MAX),
    }))
}

/** PostgreSQL stores no character NUL, and no half of a pair. */
function cut(text: string): string {
  return text.slice(0, NAME_LENGTH_MAX).replaceAll('\0', ' ').toWellFormed()
}
