/** The face of a direct conversation: that of its person, or two of a group, one over the other. */

import { useApp, useState } from '../../app/app.ts'
import { usersById } from '../../store/derived/users.ts'
import { Face } from './face.tsx'
import { shownPresence } from './shown-presence.ts'

interface DirectFaceProps {
  /** The other people; without any it is the user's own notes. */
  readonly otherIds: readonly number[]
  readonly showsPresence?: boolean
}

export function DirectFace({ otherIds, showsPresence = false }: DirectFaceProps) {
  const app = useApp()
  const users = usersById(useState())
  const shownIds = otherIds.length === 0 ? [app.ownId] : otherIds.slice(0, 2)
  const faces = shownIds.map((id) => {
    const user = users.get(id)
    return (
      <Face
        key={id}
        userId={id}
        name={user?.full_name ?? ''}
        picture={user?.avatar_url}
        size="small"
        presence={showsPresence && shownIds.length === 1 ? shownPresence(app, id) : undefined}
      />
    )
  })
  return shownIds.length === 1 ? faces[0] : <span class="faces">{faces}</span>
}
