/** How somebody arranged the page on this device: it survives a closed page. */

import { deviceSetting, readBoolean, readTexts } from './device-setting.ts'

const texts = (name: string) => deviceSetting<readonly string[]>(name, { start: [], read: readTexts })
const flag = (name: string) => deviceSetting(name, { start: false, read: readBoolean })

export class DeviceSettings {
  /** The panel beside conversations. */
  readonly panelIsOpen = flag('panel-open')
  /** Sections of the sidebar. */
  readonly foldedSections = texts('folded-sections')
  /** Groups of the Inbox. */
  readonly foldedInbox = texts('inbox-folded')
  readonly areFirstStepsDismissed = flag('first-steps-dismissed')
  /** Filters of recent conversations. */
  readonly recentFilters = texts('recent')
  /** The last searches, the newest first. */
  readonly searches = texts('searches')
}
