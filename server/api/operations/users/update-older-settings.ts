/** `PATCH /settings/notifications` and `PATCH /settings/display`: the paths of older clients for settings. */

import type { Operation } from '../../operation.ts'
import { settingParams } from './setting-params.ts'
import { updateSettings } from './update-settings.ts'

export const updateNotificationSettings = olderSettings('/settings/notifications')
export const updateDisplaySettings = olderSettings('/settings/display')

function olderSettings(path: string): Operation {
  return {
    method: 'PATCH',
    path,
    summary: `Update settings (${path})`,
    description: 'Same as `PATCH /settings`, for settings only.',
    access: 'user',
    isDeprecated: true,
    params: settingParams,
    reply: {},
    errors: [],
    events: updateSettings.events,
    run: (call) => updateSettings.run(call),
  }
}
