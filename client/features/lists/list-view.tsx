/** A view that is a list of lines below a head. */

import type { ComponentChildren } from 'preact'
import { PlacesLink } from '../../ui/places-link.tsx'

interface ListViewProps {
  readonly title: ComponentChildren
  readonly about: string
  readonly children: ComponentChildren
  readonly tools?: ComponentChildren
}

export function ListView({ title, about, children, tools }: ListViewProps) {
  return (
    <>
      <header class="head">
        <PlacesLink />
        <h1>{title}</h1>
        <div class="about">{about}</div>
        {tools && <div class="tools">{tools}</div>}
      </header>
      <div class="inbox" data-rows>
        {children}
      </div>
    </>
  )
}
