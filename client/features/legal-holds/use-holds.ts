/** Legal holds and the entries of the audit log about them. They have no events, so they are loaded with their page. */

import type { ReplyOf } from '../../../packages/client/src/client.ts'
import { useApp } from '../../app/app.ts'
import { useLoaded } from '../../ui/use-loaded.ts'

export type Hold = ReplyOf<'GET /legal_holds'>['legal_holds'][number]
type Entry = ReplyOf<'GET /realm/audit_log'>['entries'][number]

/** A hold that was lifted; `placed` is its beginning, if that is among the loaded entries. */
export interface LiftedHold {
  readonly id: number
  readonly name: string
  readonly lifted: Entry
  readonly placed: Extract<Entry, { readonly kind: 'legal_hold/add' }> | undefined
}

/** The newest entries of the audit log: the page links the others. */
const ENTRIES_MAX = 100

export function useHolds() {
  const { api } = useApp()
  return useLoaded(async () => {
    const [{ legal_holds: holds }, { entries }] = await Promise.all([
      api.call('GET /legal_holds'),
      api.call('GET /realm/audit_log', {
        kinds: ['legal_hold/add', 'legal_hold/remove'],
        limit: ENTRIES_MAX,
      }),
    ])
    return { holds, lifted: liftedOf(entries) }
  })
}

/** The newest first. The entry that placed a hold has its id. */
function liftedOf(entries: readonly Entry[]): readonly LiftedHold[] {
  return entries.flatMap((lifted) => {
    if (lifted.kind !== 'legal_hold/remove') return []
    const { hold_id: id, name } = lifted.details
    const placed = entries.find((one) => one.id === id)
    return [{ id, name, lifted, placed: placed?.kind === 'legal_hold/add' ? placed : undefined }]
  })
}
