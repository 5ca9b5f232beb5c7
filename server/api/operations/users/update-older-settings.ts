/** `PATCH /settings/notifications` and `PATCH /settings/display`: settings where older clients send them. */

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
    description: 'As `PATCH /settings` does, for settings alone.',
    access: 'user',
    isDeprecated: true,
    params: settingParams,
    reply: {},
    errors: [],
    events: updateSettings.events,
    run: (call) => updateSettings.run(call),
  }
}
