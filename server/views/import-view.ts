/** Imports by owners, for owners. */

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
} from '../domain/json-schema.ts'
import {
  IMPORT_PHASES,
  IMPORT_PRODUCTS,
  IMPORT_STEPS,
  type ChangedImport,
  type ChosenName,
  type OrganizationImport,
} from '../domain/organization/imports.ts'

const FIELDS = {
  id: INTEGER,
  acting_user_id: INTEGER,
  product: oneOf(...IMPORT_PRODUCTS),
  file_name: STRING,
  fetch_files: BOOLEAN,
  keep_roles: BOOLEAN,
  import_time: NUMBER,
  phase: oneOf(...IMPORT_PHASES),
  /** When the phase began, in UNIX seconds. */
  phase_time: NUMBER,
  /** Of the archive; null until it is whole, and once it is gone. */
  bytes: orNull(INTEGER),
  /** Of the archive; null until it is checked, and once the import is over. */
  messages: orNull(INTEGER),
  progress: orNull(record({ step: oneOf(...IMPORT_STEPS), messages: INTEGER })),
  /** Why it failed. */
  reason: orNull(STRING),
}
/** The names that an owner chose for channels of the archive whose names are taken. */
const NAMES = { channel_names: arrayOf(record({ name: STRING, imported_as: STRING })) }
/** Schema of `viewImport`; the names are there if they changed. */
export const IMPORT = record(FIELDS, NAMES)
/** With the names, and with the path and declared size of the upload that brings the archive, once it has begun. */
export const LISTED_IMPORT = record(
  { ...FIELDS, ...NAMES },
  { upload_path: STRING, upload_bytes: orNull(INTEGER) },
)

export function viewImport(one: ChangedImport): ValueOf<typeof IMPORT> {
  const { id, userId, product, fileName, isFetching, isKeepingRoles, channelNames, requestedAt, state } = one
  return {
    id,
    acting_user_id: userId,
    product,
    file_name: fileName,
    fetch_files: isFetching,
    keep_roles: isKeepingRoles,
    import_time: requestedAt,
    phase: state.phase,
    phase_time: state.at,
    bytes: 'archive' in state ? state.archive.bytes : null,
    messages: 'messages' in state ? state.messages : null,
    progress: 'progress' in state ? state.progress : null,
    reason: state.phase === 'failed' ? state.reason : null,
    ...(channelNames ? { channel_names: channelNames.map(viewChosenName) } : {}),
  }
}

export function viewListedImport(one: OrganizationImport): ValueOf<typeof LISTED_IMPORT> {
  return { ...viewImport(one), channel_names: one.channelNames.map(viewChosenName) }
}

function viewChosenName({ name, importedAs }: ChosenName) {
  return { name, imported_as: importedAs }
}
