/** A view without anything to show: what it is for, and what to do next. */

import type { ComponentChildren } from 'preact'
import { Icon, type IconName } from './icon.tsx'

interface BlankProps {
  readonly icon: IconName
  readonly title: string
  readonly children: ComponentChildren
}

export function Blank({ icon, title, children }: BlankProps) {
  return (
    <div class="blank">
      <Icon name={icon} />
      <b>{title}</b>
      {children}
    </div>
  )
}
