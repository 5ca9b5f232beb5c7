/** A view without anything to show: what it is for, and what to do next. */

import type { ComponentChildren } from 'preact'
import { Icon, type IconName } from './icon.tsx'

interface EmptyStateProps {
  readonly icon: IconName
  readonly title: string
  readonly children: ComponentChildren
}

export function EmptyState({ icon, title, children }: EmptyStateProps) {
  return (
    <div class="empty-state">
      <Icon name={icon} />
      <b>{title}</b>
      {children}
    </div>
  )
}
