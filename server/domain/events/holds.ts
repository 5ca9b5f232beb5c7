/** Legal holds. */

import type { HoldId } from '../ids.ts'
import type { NewHold } from '../organization/legal-holds.ts'

/** No client gets these: only the audit log, which owners read, shows that there are holds. */
export type HoldFact =
  | { readonly type: 'legal_hold/add'; readonly hold: NewHold }
  | { readonly type: 'legal_hold/remove'; readonly holdId: HoldId; readonly name: string }
