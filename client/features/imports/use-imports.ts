/** The imports of the organization, followed by events. */

import { type Signal, useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { ReplyOf } from '../../../packages/client/src/client.ts'
import { useApp } from '../../app/app.ts'
import { problemText } from '../../ui/toasts.tsx'

export type Import = ReplyOf<'GET /realm/imports'>['imports'][number]
export type ImportReport = ReplyOf<'GET /realm/imports/{import_id}/report'>['report']

interface Imports {
  /** The oldest first; undefined until they are loaded. */
  readonly list: Signal<readonly Import[] | undefined>
  readonly problem: Signal<string>
}

export function useImports(): Imports {
  const { api, live } = useApp()
  const list = useSignal<readonly Import[] | undefined>(undefined)
  const problem = useSignal('')
  useEffect(() => {
    const load = () =>
      void api.call('GET /realm/imports').then(
        ({ imports }) => {
          list.value = imports
          problem.value = ''
        },
        (error: unknown) => {
          problem.value = problemText(error)
        },
      )
    load()
    return live.listen((update) => {
      if (update.kind === 'registered') load()
      else if (update.event.type === 'realm_import') list.value = withImport(list.value, update.event.import)
    })
  }, [api, live])
  return { list, problem }
}

type Changed = Omit<Import, 'channel_names'> & Partial<Pick<Import, 'channel_names'>>

/** The path of an upload that has begun is in no event, and chosen names are in those that change them. */
function withImport(list: readonly Import[] | undefined, changed: Changed): readonly Import[] | undefined {
  if (!list) return list
  const known = list.find(({ id }) => id === changed.id)
  const others = list.filter((one) => one !== known)
  return [...others, { channel_names: known?.channel_names ?? [], ...changed }].toSorted(
    (one, other) => one.id - other.id,
  )
}

/** Whether nothing more happens with an import. */
export function isOver({ phase }: Import): boolean {
  return phase === 'done' || phase === 'failed' || phase === 'cancelled'
}
