/** Exports for clients. */

import { BOOLEAN, INTEGER, NUMBER, orNull, record, STRING, type ValueOf } from '../domain/json-schema.ts'
import { UPLOADS_BASE } from '../domain/files/uploads.ts'
import type { ExportId } from '../domain/ids.ts'
import { EXPORT_KINDS, type ExportOfAll, type OrganizationExport } from '../domain/organization/exports.ts'

/** Archives are below it. */
const EXPORTS_BASE = `${UPLOADS_BASE}exports/`

const OWN_FIELDS = {
  id: INTEGER,
  export_time: NUMBER,
  deleted_timestamp: orNull(NUMBER),
  failed_timestamp: orNull(NUMBER),
  export_url: orNull(STRING),
  pending: BOOLEAN,
}
const FIELDS = { ...OWN_FIELDS, acting_user_id: INTEGER, export_type: INTEGER }
/** Schema of `viewOwnExport`. */
export const OWN_EXPORT = record(OWN_FIELDS)
/** The same, with the progress of a pending export. */
export const LISTED_OWN_EXPORT = record(OWN_FIELDS, { progress: NUMBER })
/** Schema of `viewExport`. */
export const EXPORT = record(FIELDS)
/** The same, with the progress of a pending export. */
export const LISTED_EXPORT = record(FIELDS, { progress: NUMBER })

/** An export for administrators. */
export function viewExport(one: ExportOfAll): ValueOf<typeof EXPORT> {
  return { ...viewOwnExport(one), acting_user_id: one.userId, export_type: EXPORT_KINDS[one.kind] }
}

/** An export for the person whose data it has. */
export function viewOwnExport({ id, requestedAt, outcome }: OrganizationExport): ValueOf<typeof OWN_EXPORT> {
  return {
    id,
    export_time: requestedAt,
    deleted_timestamp: outcome.phase === 'deleted' ? outcome.deletedAt : null,
    failed_timestamp: outcome.phase === 'failed' ? outcome.failedAt : null,
    export_url: outcome.phase === 'done' ? `${EXPORTS_BASE}${id}/${exportName(id)}` : null,
    pending: outcome.phase === 'pending',
  }
}

/** The name of an archive. */
export function exportName(id: ExportId): string {
  return `export-${id}.zip`
}

/** The export whose archive is at a path; undefined if it is the path of another file. */
export function readExportPath(path: string): number | undefined {
  if (!path.startsWith(EXPORTS_BASE)) return undefined
  const [, id = '', name] = /^([1-9]\d{0,8})\/([^/]+)$/.exec(path.slice(EXPORTS_BASE.length)) ?? []
  return name === exportName(Number(id) as ExportId) ? Number(id) : 0
}
