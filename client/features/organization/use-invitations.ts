/** The open invitations, loaded again whenever one changes. */

import { type Signal, useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { ReplyOf } from '../../../packages/client/src/client.ts'
import { useApp } from '../../app/app.ts'
import { problemText } from '../../ui/toasts.tsx'

export type Invitation = ReplyOf<'GET /invites'>['invites'][number]

export interface Invitations {
  /** Undefined until they are loaded. */
  readonly list: Signal<readonly Invitation[] | undefined>
  readonly problem: Signal<string>
  readonly reload: () => void
}

export function useInvitations(): Invitations {
  const { api, live } = useApp()
  const list = useSignal<readonly Invitation[] | undefined>(undefined)
  const problem = useSignal('')
  const reload = () =>
    void api.call('GET /invites').then(
      ({ invites }) => {
        list.value = invites
        problem.value = ''
      },
      (error: unknown) => {
        problem.value = problemText(error)
      },
    )
  useEffect(() => {
    reload()
    // The event says that some changed, not which.
    return live.listen((update) => {
      if (update.kind === 'registered' || update.event.type === 'invites_changed') reload()
    })
  }, [api, live])
  return { list, problem, reload }
}
