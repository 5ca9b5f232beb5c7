/** `/export/realm`: archives of the organization, which a worker makes. */

import { readProgress } from '../../../../db/organization/exports.ts'
import { checkAdministrator } from '../../../decisions/check-caller.ts'
import {
  decideExportRemoval,
  decideNewExport,
  EXPORT_REMOVAL_ERRORS,
  NEW_EXPORT_ERRORS,
} from '../../../decisions/organization/change-exports.ts'
import type { ExportId } from '../../../domain/ids.ts'
import { arrayOf, BOOLEAN, INTEGER, record } from '../../../domain/json-schema.ts'
import { EXPORT_DAYS } from '../../../domain/limits.ts'
import { EXPORT_KINDS } from '../../../domain/organization/exports.ts'
import { exportsOfAll } from '../../../domain/organization/exports.ts'
import { LISTED_EXPORT, viewExport } from '../../../views/export-view.ts'
import { change } from '../../change-operation.ts'
import { operation } from '../../operation.ts'
import { defaulted, id, integer, required } from '../../params.ts'

/** `GET /export/realm`. */
export const getExports = operation({
  method: 'GET',
  path: '/export/realm',
  summary: 'Get all exports',
  description:
    'For administrators: the exports that were asked for, with the addresses of their archives, which administrators ' +
    `may download for ${EXPORT_DAYS} days.`,
  access: 'user',
  params: {},
  reply: {
    exports: {
      schema: arrayOf(LISTED_EXPORT),
      description:
        'In the order in which they were asked for. A pending one also has its `progress`, from 0 to 1.',
    },
  },
  errors: ['ROLE_REQUIRED'],
  events: [],
  async run({ user, services: { sql, state }, fail }) {
    checkAdministrator({ caller: user, fail })
    const progress = await readProgress(sql)
    return {
      exports: exportsOfAll(state.exports).map((one) => {
        const made = progress.get(one.id)
        return made === undefined || one.outcome.phase !== 'pending'
          ? viewExport(one)
          : { ...viewExport(one), progress: made }
      }),
    }
  },
})

/** `POST /export/realm`. */
export const createExport = change({
  method: 'POST',
  path: '/export/realm',
  summary: 'Export the organization',
  description:
    'For administrators. A worker makes the archive; events say when it is done. See `docs/export.md` for its contents.',
  access: 'user',
  params: {
    export_type: defaulted(
      integer({ min: EXPORT_KINDS.public, max: EXPORT_KINDS.consented }),
      EXPORT_KINDS.public,
      'The contents: 1 public data, 2 also private data of users who allow it by `allow_private_data_export`.',
    ),
  },
  reply: { id: { schema: INTEGER, description: 'The id of the export.' } },
  errors: NEW_EXPORT_ERRORS,
  events: ['realm_export'],
  prepare: ({ params }) => ({
    kind: params.export_type === EXPORT_KINDS.consented ? ('consented' as const) : ('public' as const),
  }),
  decide: decideNewExport,
  answer: (exportId) => ({ id: exportId }),
})

/** `DELETE /export/realm/{export_id}`. */
export const deleteExport = change({
  method: 'DELETE',
  path: '/export/realm/{export_id}',
  summary: 'Delete an export',
  description: 'For administrators. Deletes the archive; the export stays in the list.',
  access: 'user',
  params: { export_id: required(id<ExportId>(), 'The export.') },
  reply: {},
  errors: EXPORT_REMOVAL_ERRORS,
  events: ['realm_export'],
  prepare: ({ params }) => ({ exportId: params.export_id }),
  decide: decideExportRemoval,
})

/** `GET /export/realm/consents`. */
export const getExportConsents = operation({
  method: 'GET',
  path: '/export/realm/consents',
  summary: 'Get consents to exports',
  description:
    'For administrators: the active people, and whether exports may have their private data, by their setting ' +
    '`allow_private_data_export`.',
  access: 'user',
  params: {},
  reply: {
    export_consents: {
      schema: arrayOf(record({ user_id: INTEGER, consented: BOOLEAN })),
      description: 'By user id.',
    },
  },
  errors: ['ROLE_REQUIRED'],
  events: [],
  run({ user, services: { state }, fail }) {
    checkAdministrator({ caller: user, fail })
    const people = [...state.users.values()].filter(({ isActive, botType }) => isActive && botType === null)
    return {
      export_consents: people.map(({ id: userId }) => ({
        user_id: userId,
        consented: state.settingsOf(userId).allowPrivateDataExport,
      })),
    }
  },
})
