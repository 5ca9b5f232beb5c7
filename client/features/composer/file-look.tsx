/** A file as a small picture: the picture itself, or its kind and name. */

interface FileLookProps {
  readonly name: string
  readonly picture: string | undefined
}

/** Longer endings are part of a name. */
const KIND_LENGTH_MAX = 5

export function FileLook({ name, picture }: FileLookProps) {
  if (picture !== undefined) return <img class="file-look" src={picture} alt="" />
  const kind = /\.([^.]+)$/.exec(name)?.[1] ?? ''
  return (
    <span class="file-look" aria-hidden="true">
      <b>{kind.length > 0 && kind.length <= KIND_LENGTH_MAX ? kind.toUpperCase() : 'FILE'}</b>
      <small dir="auto">{name}</small>
    </span>
  )
}
