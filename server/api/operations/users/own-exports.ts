/** `/users/me/export`: archives of the caller's own data, which a worker makes. */

import { readProgress } from '../../../../db/organization/exports.ts'
import {
  decideNewOwnExport,
  decideOwnExportRemoval,
  NEW_OWN_EXPORT_ERRORS,
  OWN_EXPORT_REMOVAL_ERRORS,
} from '../../../decisions/organization/change-exports.ts'
import type { ExportId } from '../../../domain/ids.ts'
import { arrayOf, INTEGER } from '../../../domain/json-schema.ts'
import { EXPORT_DAYS, OWN_EXPORTS_PER_WEEK_MAX } from '../../../domain/limits.ts'
import { ownExports } from '../../../domain/organization/exports.ts'
import { LISTED_OWN_EXPORT, viewOwnExport } from '../../../views/export-view.ts'
import { change } from '../../change-operation.ts'
import { operation } from '../../operation.ts'
import { id, required } from '../../params.ts'

/** `GET /users/me/export`. */
export const getOwnExports = operation({
  method: 'GET',
  path: '/users/me/export',
  summary: 'Get exports of your own data',
  description:
    'The exports that the caller asked for, with the address of the archive, which only they may download, for ' +
    `${EXPORT_DAYS} days.`,
  access: 'user',
  params: {},
  reply: {
    exports: {
      schema: arrayOf(LISTED_OWN_EXPORT),
      description:
        'In the order in which they were asked for. A pending one also has its `progress`, from 0 to 1.',
    },
  },
  errors: [],
  events: [],
  async run({ user, services: { sql, state } }) {
    const own = ownExports(state.exports, user.id)
    const isPending = own.some(({ outcome }) => outcome.phase === 'pending')
    const progress = isPending ? await readProgress(sql) : undefined
    return {
      exports: own.map((one) => {
        const made = progress?.get(one.id)
        return made === undefined || one.outcome.phase !== 'pending'
          ? viewOwnExport(one)
          : { ...viewOwnExport(one), progress: made }
      }),
    }
  },
})

/** `POST /users/me/export`. */
export const createOwnExport = change({
  method: 'POST',
  path: '/users/me/export',
  summary: 'Export your own data',
  description:
    'For people. A worker makes the archive, which replaces an earlier one; events say when it is done. At most ' +
    `${OWN_EXPORTS_PER_WEEK_MAX} in seven days. See \`docs/export.md\` for its contents.`,
  access: 'user',
  params: {},
  reply: { id: { schema: INTEGER, description: 'The id of the export.' } },
  errors: NEW_OWN_EXPORT_ERRORS,
  events: ['own_export'],
  prepare: () => undefined,
  decide: decideNewOwnExport,
  answer: (exportId) => ({ id: exportId }),
})

/** `DELETE /users/me/export/{export_id}`. */
export const deleteOwnExport = change({
  method: 'DELETE',
  path: '/users/me/export/{export_id}',
  summary: 'Delete an export of your own data',
  description: 'Deletes the archive; the export stays in the list.',
  access: 'user',
  params: { export_id: required(id<ExportId>(), 'The export.') },
  reply: {},
  errors: OWN_EXPORT_REMOVAL_ERRORS,
  events: ['own_export'],
  prepare: ({ params }) => ({ exportId: params.export_id }),
  decide: decideOwnExportRemoval,
})
