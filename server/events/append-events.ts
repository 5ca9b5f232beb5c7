/** Appends events to the log, as the table of events says. */

import { appendersOf } from '../../db/log/append-events.ts'
import { auditPartOf } from './audit-entries.ts'
import { storeEvents } from './store-events.ts'
import { isStructural } from './table.ts'

export const { appendEvents, commitEvents } = appendersOf({ storeEvents, isStructural, auditPartOf })
