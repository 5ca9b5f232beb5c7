/** The own settings, and the way to change one. */

import type { ParamsOf } from '../../../packages/client/src/client.ts'
import type { OwnSettings } from '../../../packages/client/src/wire-types.ts'
import { useApp, useState } from '../../app/app.ts'

type Changes = ParamsOf<'PATCH /settings'>

interface OwnSettingsUse {
  readonly settings: OwnSettings | undefined
  readonly change: (changes: Changes) => Promise<unknown>
}

export function useOwnSettings(): OwnSettingsUse {
  const { api } = useApp()
  const { user_settings: settings } = useState()
  return { settings, change: (changes) => api.call('PATCH /settings', changes) }
}
