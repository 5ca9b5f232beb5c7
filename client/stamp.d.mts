/** A hash of the client's sources and of the versions of its packages. */
export function stampOf(root: string): string
