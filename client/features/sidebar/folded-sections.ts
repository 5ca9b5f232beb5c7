/** The sections of the sidebar that are folded on this device. */

import { deviceSetting, readTexts } from '../../app/device-setting.ts'

export const foldedSections = deviceSetting<readonly string[]>('folded-sections', {
  start: [],
  read: readTexts,
})

export function toggleSection(key: string): void {
  const folded = foldedSections.peek()
  foldedSections.value = folded.includes(key) ? folded.filter((one) => one !== key) : [...folded, key]
}
