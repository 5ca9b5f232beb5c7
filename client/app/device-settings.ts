/** How somebody arranged the page on this device: it survives a closed page. */

import { deviceSetting, readBoolean, readNumber, readTexts } from './device-setting.ts'

const texts = (name: string) => deviceSetting<readonly string[]>(name, { start: [], read: readTexts })
const flag = (name: string) => deviceSetting(name, { start: false, read: readBoolean })

/** The width of the sidebar. */
export const SIDE_PX = { min: 220, start: 264, max: 380 } as const

function readSideWidth(stored: unknown): number | undefined {
  return typeof stored === 'number' && stored >= SIDE_PX.min && stored <= SIDE_PX.max ? stored : undefined
}

export class DeviceSettings {
  /** The panel beside conversations. */
  readonly panelIsOpen = flag('panel-open')
  /** Pixels; the styles have the same default. */
  readonly sideWidth = deviceSetting<number>('side-width', { start: SIDE_PX.start, read: readSideWidth })
  readonly sideIsHidden = flag('side-hidden')
  /** Sections of the sidebar. */
  readonly foldedSections = texts('folded-sections')
  /** Groups of the Inbox. */
  readonly foldedInbox = texts('inbox-folded')
  /** Whether this browser is to be notified while no page is open. */
  readonly getsPush = flag('gets-push')
  /** When its person did not want that; 0 before. */
  readonly pushDeclinedAtMs = deviceSetting('push-declined-at', { start: 0, read: readNumber })
  readonly areFirstStepsDismissed = flag('first-steps-dismissed')
  /** Filters of recent conversations. */
  readonly recentFilters = texts('recent')
  /** Addresses of the last conversations, the newest first. */
  readonly visited = texts('visited')
  /** The last searches, the newest first. */
  readonly searches = texts('searches')
}
