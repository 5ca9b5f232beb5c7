/** The day of the messages below. */

import { useApp } from '../../app/app.ts'
import { dayName } from '../../ui/times.ts'

export function DayRow({ timestamp }: { readonly timestamp: number }) {
  const { minute } = useApp()
  return (
    <div class="part">
      <bdi>{dayName(timestamp, minute.value)}</bdi>
    </div>
  )
}
