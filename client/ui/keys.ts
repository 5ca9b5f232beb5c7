/** Keys of shortcuts, such as `g i` or `Ctrl K`, as people read them. */

export function keyNames(keys: string): readonly string[] {
  return keys.split(' ').map((key) => (key.length === 1 ? key.toUpperCase() : key))
}

/** A tip: the label of a control, with its shortcut. */
export function withKeys(label: string, keys: string | undefined): string {
  return keys === undefined ? label : `${label} (${keyNames(keys).join(' ')})`
}
