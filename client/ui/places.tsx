/** The places beside the view; on a phone, while they stand in its place, they are the content. */

import type { ComponentChildren } from 'preact'

interface PlacesProps {
  readonly isContent: boolean
  readonly children: ComponentChildren
}

export function Places({ isContent, children }: PlacesProps) {
  // The same element in both cases: the places keep their state.
  return (
    <div class="places" role={isContent ? 'main' : undefined}>
      {isContent && <h1 class="hidden">Places</h1>}
      {children}
    </div>
  )
}
