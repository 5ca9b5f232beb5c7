/** `/realm/imports`: archives of other products, which owners upload and a worker brings over. */

import { findArchiveUpload, readImportReport } from '../../../../db/imports/organization-imports.ts'
import { IMPORT_REPORT, plannedNames } from '../../../changes/imports/owner-report.ts'
import { checkOwner } from '../../../decisions/check-caller.ts'
import {
  decideImportCancel,
  decideImportNames,
  decideImportStart,
  decideNewImport,
  IMPORT_CANCEL_ERRORS,
  IMPORT_NAMES_ERRORS,
  IMPORT_START_ERRORS,
  NEW_IMPORT_ERRORS,
} from '../../../decisions/organization/change-imports.ts'
import type { ImportId } from '../../../domain/ids.ts'
import { arrayOf, INTEGER, type ValueOf } from '../../../domain/json-schema.ts'
import {
  IMPORT_CHECKED_DAYS,
  IMPORT_FILE_NAME_LENGTH_MAX,
  IMPORT_LISTED_NAMES_MAX,
  IMPORT_WAIT_DAYS,
} from '../../../domain/limits.ts'
import { IMPORT_PRODUCTS, type PlannedNames } from '../../../domain/organization/imports.ts'
import { tusAddress } from '../../../files/tus-address.ts'
import { LISTED_IMPORT, viewListedImport } from '../../../views/import-view.ts'
import { change } from '../../change-operation.ts'
import { operation } from '../../operation.ts'
import { boolean, defaulted, id, list, object, oneOf, required, text } from '../../params.ts'
import type { Services } from '../../services.ts'

const CHOSEN_NAME = {
  name: required(text(), 'The name of the channel in the report.'),
  imported_as: required(
    text({ trim: true, takesNull: true }),
    'Its name here, or that of the channel that it comes into.',
  ),
}
const OF_IMPORT = { import_id: required(id<ImportId>(), 'The import.') }

/** `GET /realm/imports`. */
export const getImports = operation({
  method: 'GET',
  path: '/realm/imports',
  summary: 'Get all imports',
  description: 'For owners: the imports that were begun, and how far each is.',
  access: 'user',
  params: {},
  reply: {
    imports: {
      schema: arrayOf(LISTED_IMPORT),
      description:
        'In the order in which they were begun. One that waits for its archive has `upload_path`, the path of the ' +
        'resumable upload, once that has begun, and `upload_bytes`, the declared size of the archive: null until its ' +
        'client declares it. Go on only with a file of that size.',
    },
  },
  errors: ['ROLE_REQUIRED'],
  events: [],
  async run({ user, services: { sql, state }, fail }) {
    checkOwner({ caller: user, fail })
    const imports: ValueOf<typeof LISTED_IMPORT>[] = []
    for (const one of state.imports) {
      const upload = one.state.phase === 'waiting' ? await findArchiveUpload(sql, one.id) : undefined
      imports.push({
        ...viewListedImport(one),
        ...(upload ? { upload_path: tusAddress(upload.key), upload_bytes: upload.size } : {}),
      })
    }
    return { imports }
  },
})

/** `POST /realm/imports`. */
export const createImport = change({
  method: 'POST',
  path: '/realm/imports',
  summary: 'Begin an import',
  description:
    'For owners. The import waits for its archive: a resumable upload (`/tus`) whose metadata has `import_id`. Then a ' +
    'worker checks it, events say how far it is, and the report says what would come over. See `docs/import.md`. ' +
    `It is cancelled if no archive comes within ${IMPORT_WAIT_DAYS} days, or if it is not started within ` +
    `${IMPORT_CHECKED_DAYS} days after the check.`,
  access: 'user',
  params: {
    product: required(oneOf(...IMPORT_PRODUCTS), 'The product that the archive comes from.'),
    file_name: required(
      text({ lengthMax: IMPORT_FILE_NAME_LENGTH_MAX, trim: true }),
      'The name of the archive, for the list.',
    ),
    fetch_files: defaulted(
      boolean(),
      false,
      'Whether files and pictures are fetched that the archive only links.',
    ),
    keep_roles: defaulted(
      boolean(),
      false,
      'Whether new accounts get the roles of owners, administrators and moderators that they had there.',
    ),
  },
  reply: { id: { schema: INTEGER, description: 'The id of the import.' } },
  errors: NEW_IMPORT_ERRORS,
  events: ['realm_import'],
  prepare: ({ params }) => ({
    product: params.product,
    fileName: params.file_name,
    isFetching: params.fetch_files,
    isKeepingRoles: params.keep_roles,
  }),
  decide: decideNewImport,
  answer: (importId) => ({ id: importId }),
})

/** `PATCH /realm/imports/{import_id}`. */
export const updateImport = change({
  method: 'PATCH',
  path: '/realm/imports/{import_id}',
  summary: 'Choose the names of imported channels',
  description:
    'For owners: the names of channels whose names are taken, which the report of the check lists as ' +
    '`taken_channels`. A channel that gets the name of one that is here comes into that one, which stays as it is. ' +
    'The names stay until the import starts.',
  access: 'user',
  params: {
    ...OF_IMPORT,
    channel_names: required(
      list(object(CHOSEN_NAME), { lengthMax: IMPORT_LISTED_NAMES_MAX }),
      'The names of all channels for which one is chosen; others get their `imported_as` of the report.',
    ),
  },
  reply: {},
  errors: IMPORT_NAMES_ERRORS,
  events: ['realm_import'],
  prepare: async ({ params, services }) => ({
    importId: params.import_id,
    names: params.channel_names.map(({ name, imported_as: importedAs }) => ({ name, importedAs })),
    planned: await readPlanned(services, params.import_id),
  }),
  decide: decideImportNames,
})

/** `POST /realm/imports/{import_id}/start`. */
export const startImport = change({
  method: 'POST',
  path: '/realm/imports/{import_id}/start',
  summary: 'Start an import',
  description:
    'For owners: brings over what the report of the check lists, with the chosen names. An import is not undone.',
  access: 'user',
  params: OF_IMPORT,
  reply: {},
  errors: IMPORT_START_ERRORS,
  events: ['realm_import'],
  prepare: async ({ params, services }) => ({
    importId: params.import_id,
    planned: await readPlanned(services, params.import_id),
  }),
  decide: decideImportStart,
})

/** `DELETE /realm/imports/{import_id}`. */
export const cancelImport = change({
  method: 'DELETE',
  path: '/realm/imports/{import_id}',
  summary: 'Cancel an import',
  description:
    'For owners. The archive is deleted. All that a running import has brought over stays; another import of the ' +
    'same archive goes on there.',
  access: 'user',
  params: OF_IMPORT,
  reply: {},
  errors: IMPORT_CANCEL_ERRORS,
  events: ['realm_import'],
  prepare: ({ params }) => ({ importId: params.import_id }),
  decide: decideImportCancel,
})

/** `GET /realm/imports/{import_id}/report`. */
export const getImportReport = operation({
  method: 'GET',
  path: '/realm/imports/{import_id}/report',
  summary: 'Get the report of an import',
  description:
    'For owners: what would come over, once the archive is checked, and what came, once the import is done; and what ' +
    'is left out, with the reasons.',
  access: 'user',
  params: OF_IMPORT,
  reply: {
    report: {
      schema: IMPORT_REPORT,
      description:
        'Counts of all and of each channel and conversation, those with most messages first. A check has estimates of ' +
        'the time and the disk. `already_imported` counts what an earlier run brought over.',
    },
  },
  errors: ['ROLE_REQUIRED', 'IMPORT_UNKNOWN', 'IMPORT_WITHOUT_REPORT'],
  events: [],
  async run({ user, params, services: { sql, state }, fail }) {
    checkOwner({ caller: user, fail })
    if (!state.imports.some((one) => one.id === params.import_id)) throw fail('IMPORT_UNKNOWN')
    const report = await readImportReport(sql, params.import_id)
    if (!report) throw fail('IMPORT_WITHOUT_REPORT')
    return { report: report as ValueOf<typeof IMPORT_REPORT> }
  },
})

/** The names that a checked import would make; none of others, which are refused. */
async function readPlanned({ sql, state }: Services, importId: ImportId): Promise<PlannedNames> {
  const isChecked = state.imports.some(({ id, state: { phase } }) => id === importId && phase === 'checked')
  const report = isChecked ? await readImportReport(sql, importId) : undefined
  return report ? plannedNames(report as ValueOf<typeof IMPORT_REPORT>) : { taken: [], others: [] }
}
